import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// Who comes to open a file while another one is just compacting it.
enum BesideCompactions {
  /// How who comes opens the file.
  private enum Guest: String, CaseIterable {
    case thread = "a thread"
    case compacting = "a thread that would compact it, too"
    case queue = "a queue"
    case asyncOpen = "asyncOpen"
    case process = "another process"
  }

  static let probe = Probe(
    "who opens a file while a thread compacts it waits, and has all of it",
    companions: [
      "guest": { stage in
        stage.tell("ready")
        _ = stage.hear()
        stage.tell("comes")
        stage.tell(state(of: try stage.open(stage.words[0])))
      }
    ]
  ) { stage in
    var met = 0
    let rounds = Guest.allCases.map { [$0] } + [Guest.allCases]
    for (round, guests) in rounds.enumerated() {
      let name = "round \(round)"
      try stage.elsewhere { try leaveGaps(stage, name) }
      // Used by one thread after the other.
      nonisolated(unsafe) let child =
        guests.contains(.process) ? try stage.companion("guest", name) : nil
      try child.map { use(try stage.hear($0, "that it is ready")) }
      // They are here and wait; who compacts goes on when each is about to open the file.
      let isDeciding = Latch("the decision to compact")
      let coming = guests.map { Latch("the coming of \($0.rawValue)") }
      let found = Mutex<[String]>([])
      for (guest, comes) in zip(guests, coming) where guest != .process {
        stage.thread(guest.rawValue) {
          try stage.wait(for: isDeciding)
          let state = try state(stage, name, openedBy: guest, comes)
          found.withLock { $0.append(state) }
        }
      }
      let hasDecided = Atomic(false)
      var configuration = stage.configuration(name)
      configuration.shouldCompactOnLaunch = { _, _ in
        // Who comes behind it may be asked as well.
        guard !hasDecided.exchange(true, ordering: .relaxed) else { return true }
        isDeciding.open()
        for (guest, comes) in zip(guests, coming) where guest != .process {
          _ = comes.wait(stage.patience)
        }
        if let child {
          child.send("open")
          use(child.line(within: stage.patience))
        }
        // From their word to the opening it is not far.
        stage.giveWay(2000)
        return true
      }
      try stage.elsewhere("who compacts") { [configuration] in
        let realm = try Realm(configuration: configuration)
        stage.equal(state(of: realm), expected, "what who compacts finds")
      }
      if hasDecided.load(ordering: .relaxed) { met += 1 } else { isDeciding.open() }
      try stage.joinAll()
      for state in found.withLock({ $0 }) {
        stage.equal(state, expected, "what is found by who came beside the compaction")
      }
      if let child {
        stage.equal(try stage.hear(child, "what it finds"), expected, "what a process finds")
        use(child.remains())
      }
      // And each can be written to.
      try stage.foreign(name) { $0.account(1).balance = 7 }
      stage.equal(try stage.seen(name) { $0.account(1).balance }, 7, "the balance behind it")
    }
    stage.overlapped(met)
  }

  private static let count = 300
  private static let expected = "\(count) accounts with \(count * (count - 1) / 2)"

  private static func state(of realm: Realm) -> String {
    let accounts = realm.objects(Account.self)
    return "\(accounts.count) accounts with \(accounts.sum(ofProperty: "balance") as Int)"
  }

  /// Makes a file in which there are objects, and space that nobody needs.
  private static func leaveGaps(_ stage: Stage, _ name: String) throws {
    let realm = try stage.open(name)
    try realm.write {
      for id in 0..<count { realm.add(Account(id: id, balance: id)) }
      for id in 0..<20 { realm.add(Blob(id: id, bytes: Data(repeating: 1, count: 20_000))) }
    }
    try realm.write { realm.delete(realm.objects(Blob.self)) }
  }

  /// Opens a file, says that it is about to, and returns what is there.
  private static func state(
    _ stage: Stage, _ name: String, openedBy guest: Guest, _ comes: Latch
  ) throws -> String {
    var configuration = stage.configuration(name)
    let queue = DispatchQueue(label: guest.rawValue)
    switch guest {
    case .thread, .process: break
    case .compacting: configuration.shouldCompactOnLaunch = { _, _ in true }
    case .queue:
      return try stage.on(queue) {
        comes.open()
        return state(of: try Realm(configuration: configuration, queue: queue))
      }
    case .asyncOpen:
      comes.open()
      return try stage.openedAsynchronously(configuration, on: queue, state(of:)).get()
    }
    comes.open()
    return state(of: try Realm(configuration: configuration))
  }
}
