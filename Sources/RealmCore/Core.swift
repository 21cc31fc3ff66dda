import CRealmCore
import Foundation
import Synchronization

/// The realm-core library that answers for this module.
///
/// Opened when it is first needed, from where `REALM_CORE_LIBRARY` says; `reason` tells why there
/// is none.
public enum CoreLibrary {
  /// The environment's name for the library's path.
  public static let variable = "REALM_CORE_LIBRARY"

  /// The major version whose interface was read when this module was written.
  public static let majorVersion = 14

  /// Why the library cannot be used, in one sentence; nil if it can.
  public static var reason: String? {
    if case .failure(let reason) = opened { reason.words } else { nil }
  }

  /// The library's version, as itself tells it.
  public static var version: String? {
    if case .success(let table) = opened {
      String(cString: table.pointee.realm_get_library_version())
    } else {
      nil
    }
  }

  /// Whether the environment names a library.
  public static var isNamed: Bool {
    ProcessInfo.processInfo.environment[variable].map { !$0.isEmpty } ?? false
  }

  /// The functions that a library has to export.
  public static var functionNames: [String] {
    (0..<rc_function_count()).map { String(cString: rc_function_name($0)) }
  }

  struct Reason: Error {
    let words: String
  }

  // Written once, and a table of functions is the same for every thread.
  private nonisolated(unsafe) static let opened = open(
    ProcessInfo.processInfo.environment[variable])

  static func open(_ path: String?) -> Result<UnsafeMutablePointer<rc_functions>, Reason> {
    guard let path, !path.isEmpty else {
      return .failure(
        Reason(
          words: "no realm-core library is given: name one with --realm-core PATH or \(variable)"))
    }
    guard FileManager.default.fileExists(atPath: path) else {
      return .failure(
        Reason(words: "\(path): there is no such file; expected a realm-core library"))
    }
    let table = UnsafeMutablePointer<rc_functions>.allocate(capacity: 1)
    var words = [CChar](repeating: 0, count: 512)
    // Looked for by its place and not by its name: a bare name would be searched for elsewhere.
    let place = URL(fileURLWithPath: path).path
    let outcome = rc_load(place, table, &words, words.count)
    let said = String(
      decoding: words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    if outcome == rc_no_library {
      return .failure(Reason(words: "\(path) cannot be opened as a library: \(said)"))
    }
    if outcome == rc_no_function {
      return .failure(
        Reason(
          words: "\(path) is no realm-core library that can be used here: it does not export "
            + "\(said), one of the \(rc_function_count()) functions needed; docs/REALM.md lists "
            + "them"
        ))
    }
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    var extra: UnsafePointer<CChar>?
    table.pointee.realm_get_library_version_numbers(&major, &minor, &patch, &extra)
    guard major == majorVersion else {
      return .failure(
        Reason(
          words: "\(path) is realm-core \(major).\(minor).\(patch); its interface is known here as "
            + "version \(majorVersion) has it, so it is not used: give a library "
            + "of \(majorVersion).x"
        ))
    }
    // What it logs would stand between the words that a probe looks for.
    table.pointee.realm_set_log_level(8)
    return .success(table)
  }

  fileprivate static func functions() -> UnsafeMutablePointer<rc_functions> {
    switch opened {
    case .success(let table): return table
    case .failure(let reason): fatalError(reason.words)
    }
  }
}

/// The library's functions.
let core: rc_functions = CoreLibrary.functions().pointee

typealias Handle = UnsafeMutableRawPointer

/// What realm-core says of its last failure on this thread.
struct CoreError {
  /// realm-core's numbers, of those that are told apart here.
  enum Code: Int32 {
    case outOfDiskSpace = 1004
    case addressSpaceExhausted = 1005
    case incompatibleSession = 1007
    case incompatibleLockFile = 1008
    case badVersion = 1010
    case unsupportedFileFormatVersion = 1011
    case multipleSyncAgents = 1012
    case objectAlreadyExists = 1013
    case fileOperationFailed = 1017
    case filePermissionDenied = 1018
    case fileNotFound = 1019
    case fileAlreadyExists = 1020
    case invalidDatabase = 1021
    case fileFormatUpgradeRequired = 1024
    case wrongTransactionState = 2005
    case wrongThread = 2006
    case staleAccessor = 2009
    case invalidatedObject = 2010
    case readOnly = 2011
    case deleteOpenedRealm = 2012
    case mismatchedConfig = 2013
    case invalidSchemaVersion = 2018
    case invalidSchemaChange = 2019
    case schemaMismatch = 2017
  }

  let code: Code?
  let number: Int32
  let message: String
  let path: String?

  /// The last failure; there must have been one.
  static func last() -> CoreError {
    var error = rc_error()
    let found = core.realm_get_last_error(&error)
    let message = found ? error.message.map { String(cString: $0) } : nil
    defer { _ = core.realm_clear_last_error() }
    return CoreError(
      code: Code(rawValue: error.code), number: error.code,
      message: message ?? "realm-core failed without a word",
      path: found ? error.path.map { String(cString: $0) } : nil)
  }
}

/// What is being done when realm-core refuses: RealmSwift words some refusals by it.
enum Act {
  case adding
  case modifying
  case other
}

/// Ends the process as RealmSwift does: with realm-core's own words, and those that the documents
/// show where the SDK has others.
func die(_ act: Act = .other, _ realm: Handle? = nil) -> Never {
  let error = CoreError.last()
  var words = error.message
  if let documented = documented[words] {
    words = "\(documented) (\(words))"
  } else if words.contains("is not a valid property in") {
    words = documentedKeyPath(words)
  } else if error.code == .staleAccessor || error.code == .invalidatedObject {
    words = "Object has been deleted or invalidated. (\(words))"
  } else if error.code == .wrongTransactionState, act != .other {
    let isFrozen = realm.map { core.realm_is_frozen($0) } ?? false
    let sentence =
      isFrozen
      ? "Attempting to modify a frozen object - call thaw on the Object instance first."
      : outsideWrite(act)
    words = "\(sentence) (\(words))"
  }
  fatalError(words)
}

/// RealmSwift's words for a change outside a write.
func outsideWrite(_ act: Act) -> String {
  act == .adding
    ? "Can only add, remove, or create objects in a Realm in a write transaction - call "
      + "beginWriteTransaction on an RLMRealm instance first."
    : "Attempting to modify object outside of a write transaction - call "
      + "beginWriteTransaction on an RLMRealm instance first."
}

/// realm-core's sentences that RealmSwift has others for.
private let documented = [
  "Can't refresh an immutable Realm.": "Read-only Realms do not change and cannot be refreshed.",
  "Notifications are not available on frozen collections since they do not change.":
    "Frozen Realms do not change and do not have change notifications.",
  "Notifications are not available on frozen objects since they do not change.":
    "Frozen Realms do not change and do not have change notifications.",
  "Cannot create asynchronous query for immutable Realms":
    "Read-only Realms do not change and do not have change notifications.",
]

/// "Property 'x' in KeyPath 'x' is not a valid property in C." as RealmSwift says it.
private func documentedKeyPath(_ words: String) -> String {
  let parts = words.split(separator: "'", omittingEmptySubsequences: false)
  guard parts.count >= 5, let type = words.split(separator: " ").last?.dropLast() else {
    return words
  }
  return "property '\(parts[1])' not found in object of type '\(type)' (\(words))"
}

/// Makes sure that realm-core did what it was asked.
@inline(__always)
func check(_ done: Bool, _ act: Act = .other, _ realm: Handle? = nil) {
  if !done { die(act, realm) }
}

/// The handle that realm-core gave.
@inline(__always)
func check(_ handle: Handle?, _ act: Act = .other, _ realm: Handle? = nil) -> Handle {
  guard let handle else { die(act, realm) }
  return handle
}

// MARK: - Who decides

/// What this module has answered by itself, for verdicts that say who decided; and what it cannot
/// answer.
public enum Facade {
  /// Who answers for something.
  public enum Part: String, Sendable {
    /// realm-core was asked.
    case core
    /// Something was done here that RealmSwift does above realm-core.
    case facade
    /// The process ends by words of this module, not of realm-core.
    case refusal
  }

  private static let told = Mutex<Set<Part>>([])
  private static let listener = Mutex<(@Sendable (Part) -> Void)?>(nil)
  private static let handler = Mutex<(@Sendable (String) -> Never)?>(nil)

  /// Who is told of each part when it first comes in.
  public static func whenDeciding(_ tell: @escaping @Sendable (Part) -> Void) {
    listener.withLock { $0 = tell }
  }

  /// Who is told that something cannot be asked of the C interface; it does not return.
  public static func whenNotAskable(_ tell: @escaping @Sendable (String) -> Never) {
    handler.withLock { $0 = tell }
  }

  private static func note(_ part: Part) {
    guard told.withLock({ $0.insert(part).inserted }) else { return }
    listener.withLock({ $0 })?(part)
  }

  /// Notes that realm-core is asked.
  static func asks() { note(.core) }

  /// Notes that what follows is RealmSwift's part and not realm-core's.
  static func decides() { note(.facade) }

  /// Ends the process in RealmSwift's words, where RealmSwift refuses before realm-core is asked.
  static func refuse(_ words: String) -> Never {
    note(.refusal)
    fatalError(words)
  }

  /// Stops where the C interface has no way to ask.
  static func notAskable(_ what: String) -> Never {
    let words = "not askable: \(what)"
    if let tell = handler.withLock({ $0 }) { tell(words) }
    fatalError(words)
  }
}
