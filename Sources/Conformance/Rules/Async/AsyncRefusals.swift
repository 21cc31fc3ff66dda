import EngineUnderTest
import Foundation
import Harness

/// Calls of asynchronous writes where they are refused: each call, with each of its arguments, and
/// behind each thing that may have been before.
enum AsyncRefusals {
  /// A way to ask for an asynchronous write.
  private static let begins: [(name: String, begin: @Sendable (Realm) -> Void)] = [
    ("beginAsyncWrite", { $0.beginAsyncWrite {} }), ("writeAsync", { $0.writeAsync {} }),
    ("writeAsync with a completion", { $0.writeAsync({}, onComplete: { _ in }) }),
  ]

  private static let commits: [(name: String, commit: @Sendable (Realm) -> Void)] = [
    ("commitAsyncWrite", { $0.commitAsyncWrite() }),
    ("commitAsyncWrite with a completion", { $0.commitAsyncWrite { _ in } }),
    ("commitAsyncWrite with grouping", { $0.commitAsyncWrite(allowGrouping: true) }),
    (
      "commitAsyncWrite with grouping and a completion",
      { $0.commitAsyncWrite(allowGrouping: true) { _ in } }
    ),
  ]

  private static let preambles: [(name: String, run: @Sendable (Stage, Realm) throws -> Void)] = [
    ("a commit", { _, realm in try realm.write { realm.account(1).balance = 1 } }),
    (
      "a cancelled write",
      { _, realm in
        realm.beginWrite()
        realm.cancelWrite()
      }
    ),
    (
      "an asynchronous commit",
      { _, realm in
        realm.beginWrite()
        realm.commitAsyncWrite()
      }
    ),
    (
      "an asynchronous write that has ended",
      { stage, realm in
        var isDone = false
        realm.writeAsync({}, onComplete: { _ in isDone = true })
        try stage.spin(until: { isDone }, "its end")
      }
    ),
    ("one that waits", { _, realm in realm.writeAsync {} }),
    ("invalidate()", { _, realm in realm.invalidate() }),
    (
      "invalidate() in a write",
      { _, realm in
        realm.beginWrite()
        realm.invalidate()
      }
    ),
    (
      "a write that threw",
      { _, realm in
        struct Unwanted: Error {}
        do { try realm.write { () -> Void in throw Unwanted() } } catch is Unwanted {}
      }
    ),
  ]

  /// Outside of a write there is nothing to commit, whatever was before.
  static let unbegun: [Probe] = preambles.enumerated().map { number, preamble in
    let commit = commits[number % commits.count]
    return .dies("\(commit.name) after \(preamble.name)", saying: Words.nothingToCommit) { stage in
      let realm = try stage.stocked()
      try preamble.run(stage, realm)
      stage.act { commit.commit(realm) }
    }
  }

  /// On a thread that runs no loop nothing asynchronous begins, whatever it has done before.
  static let loopless: [Probe] = begins.flatMap { begin in
    [
      "at once", "after a write", "in a write", "by an object's realm", "on a worker of a queue",
    ].map { moment in
      .dies(
        "\(begin.name) without a loop, \(moment)",
        saying:
          "Cannot schedule async transaction. Make sure you are running from inside a run loop"
      ) { stage in
        func run() throws {
          let realm = try stage.stocked()
          if moment == "in a write" { realm.beginWrite() }
          if moment == "after a write" { try realm.write { realm.account(1).balance = 7 } }
          let asked = moment.hasPrefix("by") ? realm.account(1).realm! : realm
          stage.act { begin.begin(asked) }
        }
        guard moment == "on a worker of a queue" else { return try stage.elsewhere { try run() } }
        let done = Latch("the worker's end")
        stage.later(on: DispatchQueue(label: "worker")) {
          try? run()
          done.open()
        }
        try stage.wait(for: done)
      }
    }
  }

  /// What is frozen, or only read, begins no write.
  static let unwritable: [Probe] = begins.flatMap { begin in
    [
      "frozen", "frozen, an object's", "frozen, while the live one writes", "frozen, elsewhere",
      "read-only", "read-only, an object's", "read-only, on a queue",
    ].map { kind in
      .dies(
        "\(begin.name), \(kind)",
        saying: kind.hasPrefix("frozen") ? Words.frozenWrite : Words.readOnly
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = kind.hasPrefix("read-only")
        if kind == "read-only, on a queue" {
          let queue = DispatchQueue(label: "home")
          let asked = configuration
          return try queue.sync {
            let realm = try Realm(configuration: asked, queue: queue)
            stage.act { begin.begin(realm) }
          }
        }
        let realm = try Realm(configuration: configuration)
        switch kind {
        case "frozen": stage.act { begin.begin(realm.freeze()) }
        case "frozen, an object's":
          let account = realm.account(1).freeze()
          stage.act { begin.begin(account.realm!) }
        case "frozen, while the live one writes":
          let frozen = realm.freeze()
          realm.beginWrite()
          stage.act { begin.begin(frozen) }
        case "frozen, elsewhere":
          let frozen = realm.freeze()
          try stage.elsewhere { stage.act { begin.begin(frozen) } }
        case "read-only": stage.act { begin.begin(realm) }
        default:
          let its = realm.account(1).realm!
          stage.act { begin.begin(its) }
        }
      }
    }
  }

  /// Within the block of an asynchronous write no other one begins by waiting.
  static let nested: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    ["beginWrite", "write", "write, silencing", "by another value", "by an object's realm"]
      .enumerated().map { number, verb in
        let begin = ["writeAsync", "beginAsyncWrite", "the second writeAsync"][number % 3]
        return .dies(
          "\(verb) in the block of \(begin), on \(kind.rawValue)", saying: Words.alreadyInWrite
        ) { stage in
          try stage.elsewhere { _ = try stage.stocked() }
          let home = RealmHome(kind)
          let realm = try home.open(stage)
          var isDone = false
          func nest() {
            let account = realm.account(1)
            account.balance = 7
            let again = realm.thaw()
            stage.act {
              switch verb {
              case "beginWrite": realm.beginWrite()
              case "write": try realm.write {}
              case "write, silencing": try realm.write(withoutNotifying: []) {}
              case "by another value": again.beginWrite()
              default: try account.realm!.write { account.balance = 8 }
              }
            }
            isDone = true
          }
          home.work {
            if begin == "the second writeAsync" { realm.writeAsync {} }
            if begin == "beginAsyncWrite" {
              realm.beginAsyncWrite { nest() }
            } else {
              realm.writeAsync { nest() }
            }
          }
          try stage.spin(until: { home.work { isDone } }, "the block")
        }
      }
  }
}
