import EngineUnderTest
import Foundation
import Harness

/// Many readers, of which two processes have now the one and now the other more: who writes has to
/// know all of them, however many have come since it looked last, and whoever made room for them.
enum LongLists {
  /// What keeps a version.
  enum Holding: String, CaseIterable, Sendable {
    case frozen = "frozen realms"
    case homes = "realms of queues"
    case references = "references to results"
  }

  static let probes: [Probe] = Holding.allCases.map { holding in
    Probe(
      "two processes have more and more readers, and each writes beside the other's: "
        + holding.rawValue,
      companions: [
        "neighbour": { stage in
          let party = try Party(stage, holding)
          stage.tell("open")
          while let word = stage.hear() {
            if let count = Int(word) { try party.hold(count) } else { try party.write() }
            stage.tell(party.isTrue ? "done" : "a reader has lost its version")
          }
        }
      ]
    ) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let here = try Party(stage, holding)
      let there = try stage.companion("neighbour")
      stage.equal(try stage.hear(there, "that it is there"), "open", "the neighbour's word")
      func tell(_ word: String) throws {
        there.send(word)
        stage.equal(try stage.hear(there, "'\(word)'"), "done", "the answer to '\(word)'")
      }
      // Both write once: from then on either needs nothing for a write that it has not got.
      for _ in 0..<2 {
        try here.write()
        try tell("write")
      }
      for count in [90, 70] {
        try tell("\(count)")
        try here.write()
        try tell("write")
        try here.hold(count - 20)
        // The other one first: it knows only what it has been given itself.
        try tell("write")
        try here.write()
      }
      stage.equal(here.isTrue, true, "whether each reader here has its version")
      let expected = here.balance
      stage.equal(try stage.seen { $0.account(1).balance }, expected, "the balance in the end")
      there.closeInput()
      stage.equal(there.remains().ending, .exited(0), "the neighbour's end")
    }
  }

  /// One process's realm, and its readers.
  private final class Party {
    private let configuration: Realm.Configuration
    private let holding: Holding
    private let realm: Realm
    private var frozen: [(realm: Realm, balance: Int)] = []
    private var kept: [Any] = []

    init(_ stage: Stage, _ holding: Holding) throws {
      var configuration = stage.configuration()
      // So that who begins a write has to count what others read.
      configuration.maximumNumberOfActiveVersions = 100_000
      self.configuration = configuration
      self.holding = holding
      realm = try Realm(configuration: configuration)
    }

    var balance: Int {
      realm.refresh()
      return realm.account(1).balance
    }

    func write() throws { try realm.write { realm.account(1).balance += 1 } }

    func hold(_ count: Int) throws {
      for _ in 0..<count {
        switch holding {
        case .frozen:
          try write()
          frozen.append((realm.freeze(), realm.account(1).balance))
        case .homes:
          let queue = DispatchQueue(label: "reader")
          let held = try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            use(realm.account(2).balance)
            return realm
          }
          kept += [queue, held] as [Any]
        case .references:
          try write()
          kept.append(ThreadSafeReference(to: realm.objects(Account.self)))
        }
      }
    }

    /// Whether each frozen realm still has what it was made of.
    var isTrue: Bool { frozen.allSatisfy { $0.realm.account(1).balance == $0.balance } }
  }
}
