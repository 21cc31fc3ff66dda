import EngineUnderTest
import Foundation
import Harness

/// The main queue of a process whose main thread has given itself up with `dispatchMain()`: nobody
/// runs a run loop, and the queue's blocks run on whatever thread there is.
enum QueueMain {
  /// Where the realm of the main queue is opened, and when.
  private enum Opening: String, CaseIterable {
    case plainly = "by the main thread before"
    case forQueue = "for its queue before"
    case inBlock = "in a block of its queue"
    case onActor = "on the main actor"
  }

  /// What lives on the main queue, and has heard there.
  private final class Resident: @unchecked Sendable {
    // Sendable because it is touched on the main queue alone, and by the main thread before.
    let stage: Stage
    let listens: Bool
    var realm: Realm?
    var tokens: [NotificationToken] = []
    var heard: [String: Int] = [:]
    private let key = DispatchSpecificKey<Bool>()

    init(_ stage: Stage, listens: Bool) {
      (self.stage, self.listens) = (stage, listens)
      DispatchQueue.main.setSpecific(key: key, value: true)
    }

    func moveIn(_ open: () throws -> Realm) {
      do {
        let realm = try open()
        self.realm = realm
        guard listens else { return }
        let account = realm.account(1)
        tokens = [
          realm.objects(Account.self).observe { _ in self.hear("results") },
          realm.observe { _, _ in self.hear("realm") },
          account.observe { (_: ObjectChange<Account>) in self.hear("object") },
        ]
      } catch { heard["no realm: \(error.localizedDescription)"] = 0 }
    }

    func hear(_ name: String) {
      let isHome = DispatchQueue.getSpecific(key: key) == true
      heard[isHome ? name : "\(name), elsewhere"] = realm?.account(1).balance
    }

    /// Does what a word says, and answers.
    func answer(_ word: String) throws -> String {
      switch word {
      case "look":
        return words(realm?.account(1).balance, heard)
      case "write":
        realm?.writeAsync {
          self.realm?.account(1).balance = 50
        } onComplete: { error in
          self.hear(error == nil ? "completion" : "completion with an error")
        }
        return "asked"
      case "compare":
        let others = [
          try self.stage.open(), try Realm(configuration: stage.configuration(), queue: .main),
        ]
        return "\(others.map { $0 == realm })"
      default:
        for token in tokens { token.invalidate() }
        (realm, tokens) = (nil, [])
        return "gone"
      }
    }
  }

  /// What a realm shows, and what its listeners heard last.
  private static func words(_ balance: Int?, _ heard: [String: Int]) -> String {
    let shown = ["shows \(balance.map(String.init) ?? "nothing")"]
    let told = heard.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return (shown + told).joined(separator: ", ")
  }

  private static let home: Probe.Body = { stage in
    let resident = Resident(stage, listens: stage.words[1] == "true")
    let configuration = stage.configuration()
    switch Opening(rawValue: stage.words[0])! {
    case .plainly: resident.moveIn { try stage.open() }
    case .forQueue: resident.moveIn { try Realm(configuration: configuration, queue: .main) }
    case .inBlock:
      stage.later(on: .main) {
        resident.moveIn { try Realm(configuration: configuration, queue: .main) }
      }
    case .onActor:
      Task { @MainActor in
        do {
          let realm = try await Realm(
            configuration: stage.configuration(), actor: MainActor.shared)
          resident.moveIn { realm }
        } catch { resident.moveIn { throw error } }
      }
    }
    stage.thread("who is asked") {
      while let word = stage.hear() {
        // On a thread of this process that is not at home.
        if word == "commit" {
          try stage.foreign { $0.account(1).balance = 60 }
          stage.tell("committed")
        } else {
          stage.tell(try stage.on(.main) { try resident.answer(word) })
        }
      }
      _exit(0)
    }
    dispatchMain()
  }

  // MARK: QUEUE-08

  static let residents: [Probe] = Opening.allCases.flatMap { opening in
    [false, true].map { listens in
      Probe(
        "the main queue under dispatchMain(), its realm opened \(opening.rawValue), "
          + (listens ? "with listeners" : "by autorefresh alone"), companions: ["home": home]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let child = try stage.companion("home", opening.rawValue, "\(listens)")
        func ask(_ word: String) throws -> String {
          child.send(word)
          return try stage.hear(child, "the answer to '\(word)'")
        }
        func comes(to balance: Int, _ heard: [String: Int], _ what: String) throws -> Bool {
          let wanted = words(balance, heard)
          let limit = ContinuousClock.now + stage.patience
          var seen = try ask("look")
          while seen != wanted, ContinuousClock.now < limit {
            stage.giveWay(2_000)
            seen = try ask("look")
          }
          return stage.equal(seen, wanted, "what the main queue has come to after \(what)")
        }
        func news(_ balance: Int) -> [String: Int] {
          listens ? ["object": balance, "realm": balance, "results": balance] : [:]
        }
        let first = listens ? ["results": 100] : [:]
        guard try comes(to: 100, first, "the first call") else { return }
        for balance in [7, 8] {
          try stage.foreign { $0.account(1).balance = balance }
          guard try comes(to: balance, news(balance), "another process's commit") else { return }
        }
        stage.equal(try ask("write"), "asked", "an asynchronous write")
        let written = news(50).merging(["completion": 50]) { one, _ in one }
        guard try comes(to: 50, written, "an asynchronous write of its own") else { return }
        stage.equal(try stage.seen { $0.account(1).balance }, 50, "what was written, seen here")
        stage.equal(try ask("commit"), "committed", "another thread")
        let told = news(60).merging(["completion": 50]) { one, _ in one }
        guard try comes(to: 60, told, "another thread's commit") else { return }
        stage.equal(
          try ask("compare"), "[true, true]",
          "whether what is opened there, plainly and for the queue, is the same realm")
        stage.equal(try ask("end"), "gone", "the end")
        let remains = child.remains()
        stage.expect(
          remains.ending == .exited(0), "the process ends well", observed: "\(remains.ending)")
      }
    }
  }

  // MARK: QUEUE-04

  static let strays: [Probe] = [
    "a thread that has just been there", "another queue", "a task of no actor",
  ].map { place in
    .dies("the main queue's under dispatchMain(), used on \(place)", saying: Words.wrongThread) {
      stage in
      let realm = try stage.stocked()
      let account = realm.account(1)
      let trespass = Smuggling<() -> Void> {
        stage.act { use(account.balance) }
        _exit(0)
      }
      switch place {
      case "another queue": stage.later(on: DispatchQueue(label: "other")) { trespass.value() }
      case "a task of no actor": Task.detached { trespass.value() }
      default:
        stage.thread("stray") {
          stage.on(.main) { use(account.balance) }
          trespass.value()
        }
      }
      dispatchMain()
    }
  }
}
