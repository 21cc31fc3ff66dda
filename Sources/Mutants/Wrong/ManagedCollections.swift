#if Mutants
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Nested.swift") import ReferenceEngine

extension ManagedCollection {
  @_dynamicReplacement(for:remove(key:))
  func wrongRemove(key name: StoredValue) {
    let before = session.hot.pointee.generation
    remove(key: name)
    if breaks(.removedKeysAreChanges) { session.hot.pointee.generation = before }
  }

  @_dynamicReplacement(for:write(_:))
  func wrongWrite(_ changed: NestedValue) {
    let before = session.hot.pointee.generation
    let kept = contentToKeep
    if breaks(.innerChangesAreRecorded), property.shape == .single {
      // Not by a closure, in which this would call itself.
      UnrecordedChanges.areMade = true
      write(changed)
      UnrecordedChanges.areMade = false
      return
    }
    write(changed)
    if breaks(.nestedChangesAreChanges) { session.hot.pointee.generation = before }
    if let kept { keep(kept) }
  }
}
#endif
