import Foundation
import Synchronization

extension Realm {
  /// Which file a realm opens, what it expects to find there, and how it may be used.
  public struct Configuration: Sendable {
    /// What `Realm()` opens; changing it affects later opens, on every thread.
    public static var defaultConfiguration: Configuration {
      get { DefaultConfiguration.lock.withLock { DefaultConfiguration.value } }
      set {
        DefaultConfiguration.lock.withLock { DefaultConfiguration.value = newValue }
        DefaultConfiguration.stamp.add(1, ordering: .acquiringAndReleasing)
      }
    }

    /// The file; setting it forgets `inMemoryIdentifier`.
    public var fileURL: URL? {
      didSet {
        if fileURL != nil { inMemoryIdentifier = nil }
        path = Configuration.path(fileURL, inMemoryIdentifier)
      }
    }

    /// The name under which a realm without a lasting file is shared in the process; setting it
    /// forgets `fileURL`.
    public var inMemoryIdentifier: String? {
      didSet {
        if inMemoryIdentifier != nil { fileURL = nil }
        path = Configuration.path(fileURL, inMemoryIdentifier)
      }
    }

    /// What names the file in the process: its path, or the identifier of a realm in memory. Kept,
    /// because making a path of a URL costs more than finding the open realm by it.
    private(set) var path: String

    /// Refused when a realm is opened: this engine does not encrypt.
    public var encryptionKey: Data?

    /// Whether the realm may only be read.
    public var readOnly = false

    /// The version of the schema; raised when a change needs `migrationBlock`.
    public var schemaVersion: UInt64 = 0

    /// Brings the data of an older schema version into shape.
    public var migrationBlock: MigrationBlock?

    /// Whether the file is deleted and made anew where a migration would be needed: where it has
    /// another schema version, or other properties of one of the classes. No block is called then.
    public var deleteRealmIfMigrationNeeded = false

    /// Whether a file that nobody has open is compacted; asked with its size and the bytes in use.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?

    /// The classes of the realm; nil means: all that the process has.
    public var objectTypes: [ObjectBase.Type]? {
      get { classes.map { $0.map(\.type) } }
      set { classes = newValue.map { $0.map(ClassLayout.of) } }
    }

    /// How many versions may be alive before a write is refused; nil means any number.
    public var maximumNumberOfActiveVersions: UInt?

    /// A file to copy when there is none at `fileURL` yet.
    public var seedFilePath: URL?

    /// Whether the checksum of each part of the file is compared when it is read for the first
    /// time, so that nothing wrong is ever read of a file that was damaged: the program ends
    /// instead, with a sentence. Realm has no such thing. It costs what the comparison takes, once
    /// for each part; the first who opens a file in a process with it sets it for all there.
    public var checksEverything = false

    // Layouts and not metatypes: they are Sendable and carry the schema.
    var classes: [ClassLayout]?

    /// How commits are brought to the disk.
    package var commitProtocol = CommitProtocol.twoPhase

    /// Whether opening it twice in the same place gives the same instance.
    var cache = true

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
      path = Configuration.path(self.fileURL, inMemoryIdentifier)
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

/// Brings a file from an older schema version to the new one.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) ->
  Void

extension Realm.Configuration: Equatable, CustomStringConvertible {
  public static func == (left: Self, right: Self) -> Bool {
    left.fileURL == right.fileURL
      && left.inMemoryIdentifier.map(PathKey.init) == right.inMemoryIdentifier.map(PathKey.init)
      && left.encryptionKey == right.encryptionKey && left.readOnly == right.readOnly
      && left.schemaVersion == right.schemaVersion
      && left.deleteRealmIfMigrationNeeded == right.deleteRealmIfMigrationNeeded
      && left.maximumNumberOfActiveVersions == right.maximumNumberOfActiveVersions
      && left.classes?.map(\.name) == right.classes?.map(\.name)
  }

  public var description: String {
    func word(_ value: Any?) -> String { value.map { _ in "<block>" } ?? "(null)" }
    let lines = [
      "Realm.Configuration {", "fileURL = \(fileURL?.absoluteString ?? "(null)");",
      "inMemoryIdentifier = \(inMemoryIdentifier ?? "(null)");",
      "encryptionKey = \(encryptionKey.map { "<\($0.count) bytes>" } ?? "(null)");",
      "readOnly = \(readOnly ? 1 : 0);", "schemaVersion = \(schemaVersion);",
      "migrationBlock = \(word(migrationBlock));",
      "deleteRealmIfMigrationNeeded = \(deleteRealmIfMigrationNeeded ? 1 : 0);",
      "shouldCompactOnLaunch = \(word(shouldCompactOnLaunch));", "dynamic = 0;",
      "customSchema = \(classes.map { Schema($0.map(\.schema)).description } ?? "(null)");",
    ]
    return lines.map(Description.indented).joined(separator: "\n\t") + "\n}"
  }

  private static func path(_ fileURL: URL?, _ inMemoryIdentifier: String?) -> String {
    fileURL.map(FilePaths.path) ?? "memory:" + (inMemoryIdentifier ?? "")
  }

  /// Whether both list the very same classes in the same order, or none does.
  func hasSameClasses(as other: Realm.Configuration) -> Bool {
    guard let mine = classes, let others = other.classes else {
      return classes == nil && other.classes == nil
    }
    return mine.count == others.count
      && mine.indices.allSatisfy { mine[$0] === others[$0] }
  }
}

/// The paths of files whose realms were configured lately: most code makes a configuration anew
/// wherever it opens a realm, and to make a path of a URL takes longer than all else of it.
private enum FilePaths {
  private static let most = 64
  /// By the text of the URL: to make a dictionary of URLs the runtime searches everything that is
  /// loaded for how one is hashed, when the first realm is opened.
  private static let known = Mutex(ByPath<String>())

  static func path(_ url: URL) -> String {
    let text = PathKey(url.absoluteString)
    if let path = known.withLock({ $0[text] }) { return path }
    let path = standardized(url)
    known.withLock { known in
      if known.count >= most { known = ByPath() }
      known[text] = path
    }
    return path
  }

  /// The path of a file without what means nothing in it. Behind a link dots lead elsewhere than
  /// where the link lies: only the system can follow them.
  ///
  /// Foundation would take more away, as `/private`, where another file lies without it.
  private static func standardized(_ url: URL) -> String {
    let path = url.path
    // By bytes: what follows a slash may belong to the same character.
    let slash = UInt8(ascii: "/")
    let parts = path.utf8.split(separator: slash).map { String(Substring($0)) }
    if parts.contains("..") { return path }
    var standard = path.utf8.first == slash ? "/" : ""
    // One by one: the library's way makes the runtime search for what it joins.
    var isFirst = true
    for part in parts where part != "." {
      if !isFirst { standard += "/" }
      standard += part
      isFirst = false
    }
    return standard
  }
}

enum DefaultConfiguration {
  static let lock = NSLock()
  /// Counts the changes, so that what was opened for an older one is known to be out of date.
  static let stamp = Atomic(1)
  // Only touched under the lock.
  nonisolated(unsafe) static var value = Realm.Configuration()
}
