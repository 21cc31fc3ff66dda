import Foundation
import Synchronization

/// How grave a line of the log is. A logger of a level takes that one and all graver ones.
public enum LogLevel: Int, Comparable, Sendable {
  case off, fatal, error, warn, info, detail, debug, trace, all

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Takes the lines that realms log: what is opened and closed and migrated (`detail`), what is
/// committed (`trace`), which commits fail, and which asynchronous writes cannot begin (`error`).
public final class Logger: Sendable {
  public typealias LogFunction = @Sendable (_ level: LogLevel, _ message: String) -> Void

  private let function: LogFunction
  private let threshold: Atomic<Int>

  /// A logger that hands its lines to a function, which is called on any thread and must not open
  /// or write realms.
  public init(level: LogLevel = .info, function: @escaping LogFunction) {
    self.function = function
    threshold = Atomic(level.rawValue)
  }

  /// Which lines it takes.
  public var level: LogLevel {
    get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .off }
    set {
      Logger.current.withLock { current in
        threshold.store(newValue.rawValue, ordering: .relaxed)
        if current === self { Logger.wanted.store(newValue.rawValue, ordering: .relaxed) }
      }
    }
  }

  /// Takes a line, if it is grave enough.
  public func log(level: LogLevel, message: @autoclosure () -> String) {
    if level != .off, level <= self.level { function(level, message()) }
  }

  /// The one that realms log to: at first one that writes to the standard error stream what is at
  /// least of the level `info`.
  public static var shared: Logger {
    get { current.withLock { $0 } }
    set {
      let former = current.withLock { current in
        defer { current = newValue }
        wanted.store(newValue.level.rawValue, ordering: .relaxed)
        return current
      }
      withExtendedLifetime(former) {}
    }
  }

  /// Logs a line to the shared logger: one load where it does not want it, as a commit without a
  /// flush takes little longer than to ask for the logger itself.
  static func tell(_ level: LogLevel, _ message: @autoclosure () -> String) {
    if level.rawValue > wanted.load(ordering: .relaxed) { return }
    shared.log(level: level, message: message())
  }

  /// The level of the shared logger; written inside the lock.
  private static let wanted = Atomic(LogLevel.info.rawValue)

  private static let current = Mutex(
    Logger { level, message in
      let line = "\(Date().formatted(.iso8601)) Realm \(level): \(message)\n"
      FileHandle.standardError.write(Data(line.utf8))
    })
}
