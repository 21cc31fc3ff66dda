import Foundation

extension Realm {
  /// Which file a realm opens, what it expects to find there, and how it may be used.
  public struct Configuration: Sendable {
    /// What `Realm()` opens; changing it affects later opens, on every thread.
    public static var defaultConfiguration: Configuration {
      get { DefaultConfiguration.lock.withLock { DefaultConfiguration.value } }
      set {
        DefaultConfiguration.lock.withLock { DefaultConfiguration.value = newValue }
      }
    }

    /// The file; setting it forgets `inMemoryIdentifier`.
    public var fileURL: URL? {
      didSet {
        if fileURL != nil { inMemoryIdentifier = nil }
      }
    }

    /// The name under which a realm without a lasting file is shared in the process; setting it
    /// forgets `fileURL`.
    public var inMemoryIdentifier: String? {
      didSet {
        if inMemoryIdentifier != nil { fileURL = nil }
      }
    }

    /// The 64 bytes that the file is encrypted with.
    public var encryptionKey: Data?

    /// Whether the realm may only be read.
    public var readOnly = false

    /// The version of the schema; raised when a change needs `migrationBlock`.
    public var schemaVersion: UInt64 = 0

    /// Brings the data of an older schema version into shape.
    public var migrationBlock: MigrationBlock?

    /// Whether the file is deleted where a migration would be needed.
    public var deleteRealmIfMigrationNeeded = false

    /// Whether a file that nobody has open is compacted; asked with its size and the bytes in use.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?

    /// The classes of the realm; nil means: each class when it is first used.
    public var objectTypes: [ObjectBase.Type]? {
      get { classes.map { $0.map(\.type) } }
      set { classes = newValue.map { $0.map(ClassLayout.of) } }
    }

    /// How many versions may be alive before a write is refused; nil means any number.
    public var maximumNumberOfActiveVersions: UInt?

    /// A file to copy when there is none at `fileURL` yet.
    public var seedFilePath: URL?

    // Layouts and not metatypes: they are Sendable and carry the schema.
    var classes: [ClassLayout]?

    public init(
      fileURL: URL? = URL(fileURLWithPath: defaultRealmPath, isDirectory: false),
      inMemoryIdentifier: String? = nil,
      encryptionKey: Data? = nil,
      readOnly: Bool = false,
      schemaVersion: UInt64 = 0,
      migrationBlock: MigrationBlock? = nil,
      deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
      objectTypes: [ObjectBase.Type]? = nil,
      seedFilePath: URL? = nil
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      self.inMemoryIdentifier = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      classes = objectTypes.map { $0.map(ClassLayout.of) }
      self.seedFilePath = seedFilePath
    }

    /// Where `Realm()` keeps its file unless told otherwise: `default.realm` in the current
    /// directory.
    public static var defaultRealmPath: String {
      FileManager.default.currentDirectoryPath + "/default.realm"
    }
  }
}

extension Realm.Configuration: Equatable, CustomStringConvertible {
  public static func == (left: Self, right: Self) -> Bool {
    left.fileURL == right.fileURL && left.inMemoryIdentifier == right.inMemoryIdentifier
      && left.encryptionKey == right.encryptionKey && left.readOnly == right.readOnly
      && left.schemaVersion == right.schemaVersion
      && left.deleteRealmIfMigrationNeeded == right.deleteRealmIfMigrationNeeded
      && left.maximumNumberOfActiveVersions == right.maximumNumberOfActiveVersions
      && left.classes?.map(\.name) == right.classes?.map(\.name)
  }

  public var description: String {
    var lines = ["Realm.Configuration {"]
    if let fileURL { lines.append("\tfileURL = \(fileURL.absoluteString);") }
    if let inMemoryIdentifier { lines.append("\tinMemoryIdentifier = \(inMemoryIdentifier);") }
    lines.append("\treadOnly = \(readOnly ? "YES" : "NO");")
    lines.append("\tschemaVersion = \(schemaVersion);")
    if let classes { lines.append("\tobjectTypes = \(classes.map(\.name));") }
    return lines.joined(separator: "\n") + "\n}"
  }

  /// The path that realm-core opens: of a realm in memory, that of files beside no data.
  var corePath: String {
    if let fileURL { return fileURL.standardizedFileURL.path }
    return FileManager.default.temporaryDirectory.appendingPathComponent(
      "realm-\(getpid())-" + (inMemoryIdentifier ?? "")
    ).path
  }
}

enum DefaultConfiguration {
  static let lock = NSLock()
  // Only touched under the lock.
  nonisolated(unsafe) static var value = Realm.Configuration()
}
