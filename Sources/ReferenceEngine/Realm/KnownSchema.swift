/// The schema that a file was last seen with, so that opening it again in another place neither
/// reads nor compares it anew.
struct KnownSchema: Sendable {
  /// The node that holds it and the version that wrote the node: together they name it for good.
  let ref: NodeRef
  let born: UInt64
  let schema: StoredSchema
  /// A configuration's classes that are known to fit, or all that were loaded where it names none;
  /// those they link to, and its version.
  var fitting: (classes: [ObjectIdentifier], all: [ClassLayout], version: UInt64)?
}

extension Session {
  /// The file's schema as somebody has read it before; nil if it is another one now.
  func knownSchema(at ref: NodeRef) -> KnownSchema? {
    guard !ref.isNone, let known = coordinator.remembered.withLock({ $0 }) as? KnownSchema,
      known.ref == ref, known.born == coordinator.space.header(ref).born
    else { return nil }
    return known
  }

  func remember(_ schema: StoredSchema, at ref: NodeRef) {
    guard !ref.isNone, !isInWrite, let root, root.version <= coordinator.newestVersion else {
      return
    }
    let known = KnownSchema(
      ref: ref, born: coordinator.space.header(ref).born, schema: schema, fitting: nil)
    coordinator.remembered.withLock { $0 = known }
  }

  /// The classes of the configuration and those they link to, if a session of the same classes has
  /// been here: then nothing has to be compared.
  var classesKnownToFit: [ClassLayout]? {
    guard let fitting = knownSchema(at: store.schemaRef)?.fitting,
      fitting.version == configuration.schemaVersion, fitting.classes == classIDs
    else { return nil }
    return fitting.all
  }

  func rememberThatFit(_ all: [ClassLayout]) {
    guard var known = knownSchema(at: store.schemaRef) else { return }
    known.fitting = (classIDs, all, configuration.schemaVersion)
    coordinator.remembered.withLock { [known] in $0 = known }
  }

  private var classIDs: [ObjectIdentifier] {
    configuration.classes?.map { ObjectIdentifier($0) } ?? [ObjectIdentifier(LoadedClasses.self)]
  }
}
