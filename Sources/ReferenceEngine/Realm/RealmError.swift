import Foundation

extension Realm {
  /// Why a realm could not do what was asked, by code.
  public struct Error: Swift.Error, Equatable, Sendable, CustomStringConvertible, LocalizedError,
    CustomNSError
  {
    /// The kinds of failure, numbered as Realm numbers them.
    public enum Code: Int, Sendable {
      case fail = 1
      case fileAccess = 2
      case filePermissionDenied = 3
      case fileExists = 4
      case fileNotFound = 5
      case fileFormatUpgradeRequired = 6
      case incompatibleLockFile = 8
      case addressSpaceExhausted = 9
      case schemaMismatch = 10
      case alreadyOpen = 12
      case invalidInput = 13
      case outOfDiskSpace = 14
      case incompatibleSession = 15
      case unsupportedFileFormatVersion = 16
      case multipleSyncAgents = 17
      case subscriptionFailed = 7
      case invalidSchemaVersion = 18
      case fileOperationFailed = 19
      case invalidDatabase = 20
    }

    public let code: Code
    /// What failed, on what, why, and what to do.
    public let message: String
    public let fileURL: URL?

    public init(_ code: Code) { self.init(code, "\(code)") }

    public init(_ code: Code, userInfo: [String: Any]) {
      self.init(
        code, userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)",
        userInfo[NSFilePathErrorKey] as? String)
    }

    init(_ code: Code, _ message: String, _ path: String? = nil) {
      self.code = code
      self.message = message
      fileURL = path.map { URL(fileURLWithPath: $0) }
    }

    public static let callFailed = Error(.fail, "Call failed")
    public static let errorDomain = "io.realm"
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] {
      var info: [String: Any] = [NSLocalizedDescriptionKey: message]
      info[NSFilePathErrorKey] = fileURL?.path
      return info
    }
    public var errorDescription: String? { message }
    public var localizedDescription: String { message }
    public var description: String { message }

    public static let fail = Code.fail
    public static let fileAccess = Code.fileAccess
    public static let filePermissionDenied = Code.filePermissionDenied
    public static let fileExists = Code.fileExists
    public static let fileNotFound = Code.fileNotFound
    public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
    public static let incompatibleLockFile = Code.incompatibleLockFile
    public static let addressSpaceExhausted = Code.addressSpaceExhausted
    public static let schemaMismatch = Code.schemaMismatch
    public static let alreadyOpen = Code.alreadyOpen
    public static let invalidInput = Code.invalidInput
    public static let outOfDiskSpace = Code.outOfDiskSpace
    public static let incompatibleSession = Code.incompatibleSession
    public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
    public static let multipleSyncAgents = Code.multipleSyncAgents
    public static let subscriptionFailed = Code.subscriptionFailed
    public static let fileOperationFailed = Code.fileOperationFailed
    public static let invalidDatabase = Code.invalidDatabase

    public static func == (left: Error, right: Error) -> Bool { left.code == right.code }
  }
}

/// Lets `catch Realm.Error.fileAccess` tell errors apart.
public func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
  (error as? Realm.Error)?.code == code
}
