import EngineUnderTest
import Foundation
import Harness

/// What is frozen behind the death of another process, which whoever writes next clears away: each
/// thing freezes as before.
enum FrozenBehindDeaths {
  /// How a process stood when it was killed.
  private enum Stand: String, CaseIterable {
    case reading = "was reading"
    case frozen = "had frozen realms"
    case writing = "was inside its write"
  }

  /// Something that is frozen, and the balance of the first account as it shows it.
  private static let things: [(name: String, balance: @Sendable (Realm) -> Int)] = [
    ("a realm", { $0.freeze().account(1).balance }),
    ("an object", { $0.account(1).freeze().balance }),
    (
      "results",
      { $0.objects(Account.self).sorted(byKeyPath: "id").freeze().first?.balance ?? -1 }
    ),
    (
      "filtered results",
      { $0.objects(Account.self).where { $0.id == 1 }.freeze().first?.balance ?? -1 }
    ),
    (
      "sections",
      { $0.objects(Account.self).sectioned(by: \.id).freeze().first?.first?.balance ?? -1 }
    ),
    ("a list", { $0.person("Ann").dogs.freeze().realm?.account(1).balance ?? -1 }),
    (
      "links backwards",
      { $0.person("Ann").dogs[0].owners.freeze().realm?.account(1).balance ?? -1 }
    ),
    ("a realm, again", { $0.freeze().account(1).balance }),
  ]

  static let probes: [Probe] = [false, true].map { onQueue in
    Probe(
      "each thing freezes behind the death of another process, on "
        + (onQueue ? "a queue" : "the main thread"),
      companions: [
        "victim": { stage in
          let realm = try stage.open()
          use(realm.account(1).balance)
          var frozen: [Realm] = []
          stage.tell("there")
          let stand = stage.hear().flatMap(Stand.init)
          switch stand {
          case .frozen:
            for number in 0..<3 {
              try realm.write { realm.account(2).balance = number }
              frozen.append(realm.freeze())
            }
          case .writing:
            realm.beginWrite()
            realm.account(1).balance = -1
          case .reading, nil: break
          }
          stage.tell("stands")
          _ = stage.hear()
          use(frozen)
        }
      ]
    ) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let queue = DispatchQueue(label: "home")
      func atHome<Value>(_ body: () throws -> Value) rethrows -> Value {
        onQueue ? try stage.on(queue, body) : try body()
      }
      var configuration = stage.configuration()
      // So that who begins a write looks for the versions of the dead.
      configuration.maximumNumberOfActiveVersions = 1000
      let realm = try atHome {
        let realm = try Realm(configuration: configuration, queue: onQueue ? queue : nil)
        // What the engine prepares for writing and freezing it has from here on.
        try realm.write { realm.account(3).balance = 1 }
        use(realm.freeze().account(1).balance)
        return realm
      }
      let victims = try things.map { _ in try stage.companion("victim") }
      for victim in victims { use(try stage.hear(victim, "that it is there")) }
      for (round, (thing, victim)) in zip(things, victims).enumerated() {
        let stand = Stand.allCases[round % Stand.allCases.count]
        victim.send(stand.rawValue)
        stage.equal(try stage.hear(victim, "how it stands"), "stands", "the victim's word")
        victim.signal(SIGKILL)
        stage.equal(victim.remains().ending, .signalled(SIGKILL), "the victim's end")
        try atHome {
          try realm.write { realm.account(1).balance = 1000 + round }
          stage.equal(
            thing.balance(realm), 1000 + round,
            "the balance of \(thing.name), frozen behind one that \(stand.rawValue)")
        }
      }
      stage.equal(
        try stage.seen { $0.account(1).balance }, 999 + things.count, "the balance in the end")
    }
  }
}
