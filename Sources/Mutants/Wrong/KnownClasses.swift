#if Mutants
@_private(sourceFile: "KnownClasses.swift") import ReferenceEngine

extension KnownClasses {
  @_dynamicReplacement(for:connect(to:))
  func wrongConnect(to schema: StoredSchema) {
    guard breaks(.emptyClassesFillUp) else { return connect(to: schema) }
    for bound in byType.values where bound.number != nil { bound.connect(to: schema) }
    for bound in dynamic.values where bound.number != nil { bound.connect(to: schema) }
  }
}
#endif
