import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

private final class Logged: Object {
  @Persisted var number: Int
}

private final class LoggedBefore: Object {
  @Persisted var number: String
  override class func _realmObjectName() -> String? { "Logged" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// What realms log. The shared logger is everybody's: only lines with the test's own path count.
@Suite(.serialized)
struct LoggerTests {
  private let scratch = Scratch()
  private let lines = Lines()

  private func listen(_ level: LogLevel) -> Logger {
    let path = scratch.configuration().fileURL?.path ?? ""
    return Logger(level: level) { [lines] level, message in
      if message.contains(path) { lines.add("\(level): " + message.replacing(path, with: "FILE")) }
    }
  }

  private func withShared(_ logger: Logger, _ body: () throws -> Void) rethrows {
    let former = Logger.shared
    defer { Logger.shared = former }
    Logger.shared = logger
    try body()
  }

  private func fill() throws {
    let realm = try Realm(configuration: scratch.configuration([Logged.self]))
    try realm.write { _ = realm.create(Logged.self) }
  }

  @Test func `a logger takes the lines of its level and graver ones`() {
    let logger = Logger(level: .warn) { [lines] level, message in lines.add("\(level) \(message)") }
    for level in [LogLevel.off, .fatal, .error, .warn, .info, .all] {
      logger.log(level: level, message: "x")
    }
    #expect(lines.take() == ["fatal x", "error x", "warn x"])
    logger.level = .off
    logger.log(level: .fatal, message: "x")
    logger.level = .all
    logger.log(level: .trace, message: "y")
    #expect(lines.take() == ["trace y"] && logger.level == .all && LogLevel.fatal < .trace)
  }

  @Test func `opening, committing and closing are told`() throws {
    let logger = listen(.all)
    try withShared(logger) {
      // The first of them makes the table; a new file is of version 1.
      try fill()
      #expect(
        lines.take() == [
          "detail: Open file: FILE", "trace: Commit version 2: FILE",
          "trace: Commit version 3: FILE", "detail: Close file: FILE",
        ])
      logger.level = .detail
      try fill()
      #expect(lines.take() == ["detail: Open file: FILE", "detail: Close file: FILE"])
      logger.level = .info
      try fill()
      #expect(lines.take().isEmpty)
    }
  }

  @Test func `a migration is told`() throws {
    do {
      let realm = try Realm(configuration: scratch.configuration([LoggedBefore.self]))
      try realm.write { _ = realm.create(LoggedBefore.self) }
    }
    try withShared(listen(.detail)) {
      do { _ = try Realm(configuration: scratch.configuration([Logged.self], version: 3)) }
      #expect(lines.take().contains("detail: Migrate from schema version 0 to 3: FILE"))
    }
  }
}
