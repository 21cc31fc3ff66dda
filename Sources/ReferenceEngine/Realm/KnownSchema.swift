import Synchronization

/// The schema that a file was last seen with, so that opening it again in another place neither
/// reads nor compares it anew.
struct KnownSchema: Sendable {
  /// The node that holds it and the version that wrote the node: together they name it for good.
  let ref: NodeRef
  let born: UInt64
  let form: SchemaForm
}

/// A schema as it stands in files, and what has been found out about it: for all files that have
/// the same, and for one that is opened again when nobody had it open.
final class SchemaForm: Sendable {
  let schema: StoredSchema
  private let bytes: [UInt8]

  /// A configuration's classes that are known to fit, or all that were loaded where it names none;
  /// those they link to, and its version.
  typealias Fitting = (classes: [ObjectIdentifier], all: [ClassLayout], version: UInt64)
  private let known = Mutex<Fitting?>(nil)

  private static let most = 16
  /// The latest last. Guards the array, held for its accesses only.
  private static let lately = Mutex<[SchemaForm]>([])

  private init(_ schema: StoredSchema, _ bytes: [UInt8]) {
    (self.schema, self.bytes) = (schema, bytes)
  }

  var fitting: Fitting? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }

  /// What bytes say; nil if they are no schema.
  static func of(_ bytes: [UInt8]) -> SchemaForm? {
    if let known = lately.withLock({ $0.first { $0.bytes == bytes } }) { return known }
    guard let schema = StoredSchema(bytes: bytes) else { return nil }
    let made = SchemaForm(schema, bytes)
    lately.withLock { lately in
      if lately.count >= most { lately.removeFirst() }
      lately.append(made)
    }
    return made
  }
}

extension Session {
  /// The file's schema as somebody has read it before; nil if it is another one now.
  func knownSchema(at ref: NodeRef) -> KnownSchema? {
    guard !ref.isNone, let known = coordinator.remembered.withLock({ $0 }) as? KnownSchema,
      known.ref == ref, known.born == coordinator.space.header(ref).born
    else { return nil }
    return known
  }

  func remember(_ form: SchemaForm, at ref: NodeRef) {
    guard !ref.isNone, !isInWrite, let root, root.version <= coordinator.newestVersion else {
      return
    }
    let known = KnownSchema(ref: ref, born: coordinator.space.header(ref).born, form: form)
    coordinator.remembered.withLock { $0 = known }
  }

  /// The classes of the configuration and those they link to, if a session of the same classes has
  /// been here: then nothing has to be compared.
  var classesKnownToFit: [ClassLayout]? {
    guard let fitting = knownSchema(at: store.schemaRef)?.form.fitting,
      fitting.version == configuration.schemaVersion, fitting.classes == classIDs
    else { return nil }
    return fitting.all
  }

  func rememberThatFit(_ all: [ClassLayout]) {
    knownSchema(at: store.schemaRef)?.form.fitting = (classIDs, all, configuration.schemaVersion)
  }

  private var classIDs: [ObjectIdentifier] {
    configuration.classes?.map { ObjectIdentifier($0) } ?? [ObjectIdentifier(LoadedClasses.self)]
  }
}
