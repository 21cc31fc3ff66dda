import EngineUnderTest
import Foundation
import Harness

/// A way to commit, done when whoever asked for it knows that it is, and throwing what that one is
/// told: for the realm of the main thread.
struct Manner: Sendable {
  let name: String
  let commit: @Sendable (Stage, Realm, @escaping () -> Void) throws -> Void

  static let plain: [Manner] = [
    Manner(name: "write") { _, realm, change in try realm.write { change() } },
    Manner(name: "commitWrite") { _, realm, change in
      realm.beginWrite()
      change()
      try realm.commitWrite()
    },
  ]

  /// Commits of which somebody who listens is not to be told.
  static let silenced: [Manner] = [
    Manner(name: "write(withoutNotifying:)") { _, realm, change in
      let token = realm.observe { _, _ in }
      defer { token.invalidate() }
      try realm.write(withoutNotifying: [token]) { change() }
    },
    Manner(name: "commitWrite(withoutNotifying:)") { _, realm, change in
      let token = realm.observe { _, _ in }
      defer { token.invalidate() }
      realm.beginWrite()
      change()
      try realm.commitWrite(withoutNotifying: [token])
    },
    Manner(name: "write(withoutNotifying:) of nobody") { _, realm, change in
      try realm.write(withoutNotifying: []) { change() }
    },
  ]

  static let all: [Manner] = plain + silenced + asynchronous

  /// The one that this seed has in that place.
  static func turn(_ stage: Stage, _ place: Int, apart taken: Int) -> Manner {
    all[(place + stage.turn(of: all.count, apart: taken)) % all.count]
  }

  /// Those by which everybody is told.
  static let told: [Manner] = plain + asynchronous

  private static let asynchronous: [Manner] =
    [
      Manner(name: "commitAsyncWrite") { stage, realm, change in
        try ended(stage) { end in
          realm.beginWrite()
          change()
          realm.commitAsyncWrite(end)
        }
      },
      Manner(name: "writeAsync") { stage, realm, change in
        try ended(stage) { end in realm.writeAsync({ change() }, onComplete: end) }
      },
      Manner(name: "beginAsyncWrite, grouped") { stage, realm, change in
        try ended(stage) { end in
          realm.beginAsyncWrite {
            change()
            realm.commitAsyncWrite(allowGrouping: true, end)
          }
        }
      },
      Manner(name: "beginAsyncWrite and commitWrite") { stage, realm, change in
        try ended(stage) { end in
          realm.beginAsyncWrite {
            change()
            do {
              try realm.commitWrite()
              end(nil)
            } catch { end(error) }
          }
        }
      },
      Manner(name: "write, in the completion of another") { stage, realm, change in
        try ended(stage) { end in
          realm.writeAsync({ change() }) { error in
            if let error { return end(error) }
            do {
              try realm.write {}
              end(nil)
            } catch { end(error) }
          }
        }
      },
    ]

  /// Waits for the end of something, and throws how it ended.
  private static func ended(
    _ stage: Stage, _ begin: (@escaping ((any Error)?) -> Void) -> Void
  ) throws {
    var end: (any Error)??
    begin { end = .some($0) }
    try stage.spin(until: { end != nil }, "the completion")
    if let error = end ?? nil { throw error }
  }
}

/// What a realm has just been through when something is asked of it.
enum Preamble: String, CaseIterable, Sendable {
  case nothing = "nothing"
  case cancelled = "a write that was cancelled"
  case thrown = "a write whose block threw"
  case failed = "a commit that failed"
  case empty = "an empty commit"
  case invalidated = "invalidate()"
  case foreign = "a commit of another thread"
  case frozen = "a freeze"

  private struct Unwanted: Error {}

  /// The one that this seed has in that place.
  static func turn(_ stage: Stage, _ place: Int, apart taken: Int = 1) -> Preamble {
    allCases[(place + stage.turn(of: allCases.count, apart: taken)) % allCases.count]
  }

  /// Goes through it with a realm of vessels; what fails is the disk of a recorded file.
  func pass(_ stage: Stage, _ realm: Realm) throws {
    switch self {
    case .nothing: break
    case .cancelled:
      realm.beginWrite()
      realm.vessel(2)?.number = -1
      realm.deleteAll()
      realm.cancelWrite()
    case .thrown:
      try? realm.write {
        realm.vessel(2)?.text = "thrown"
        throw Unwanted()
      }
    case .failed:
      guard let hooks = Backstage.hooks else { return }
      hooks.fail(.flushes, after: 0, times: 1)
      var failed = false
      do { try realm.write { realm.vessel(2)?.text = "failed" } } catch { failed = true }
      hooks.fail(.flushes, after: 0, times: 0)
      stage.equal(failed, true, "whether a commit whose flush fails does")
    case .empty: try realm.write {}
    case .invalidated: realm.invalidate()
    case .foreign:
      let configuration = realm.configuration
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { other.vessel(2)?.number -= 1 }
      }
    case .frozen: use(realm.freeze().vessel(1)?.number)
    }
  }
}
