import EngineUnderTest
import Foundation
import Harness

extension Rules.Notify {
  static let refusals: [Rule] = [
    notify26, notify27, notify28, notify29,
  ]

  static let notify26 = Rule(
    "NOTIFY-26", .documented,
    "Observing unmanaged objects or collections MUST die.",
    source: "S4 (\"only observe objects or collections managed by a realm\").",
    broken: "token that never fires",
    probes: [
      Probe.dies(
        "an unmanaged object",
        saying: "Only objects which are managed by a Realm support change notifications"
      ) { stage in
        let person = Person(name: "x")
        stage.act { use(person.observe { _ in }) }
      },
      Probe.dies(
        "an unmanaged list",
        saying: "Change notifications are only supported on managed collections"
      ) { stage in
        let list = List<Int>()
        stage.act { use(list.observe { _ in }) }
      },
    ] + EachToken.ofNobody)

  static let notify27 = Rule(
    "NOTIFY-27", .documented,
    "Observing on a read-only realm MUST die.",
    source: "S4 Observation Limitations.",
    broken: "token that never fires",
    probes: ["realm", "results", "object"].map { kind in
      Probe.dies(
        "a read-only realm's \(kind)",
        saying: "Read-only Realms do not change and do not have change notifications"
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        stage.act {
          switch kind {
          case "realm": use(realm.observe { _, _ in })
          case "results": use(realm.objects(Person.self).observe { _ in })
          default: use(realm.account(1).observe { _ in })
          }
        }
      }
    } + EachToken.ofReadOnly)

  static let notify28 = Rule(
    "NOTIFY-28", .documented,
    "Observing (collection, object) during a write that has made changes MUST die.",
    source: "S4 Observation Limitations (\"during a write transaction\").",
    broken: "accepted with undefined indices",
    probes: [
      Probe.dies(
        "results in a write that has changes",
        saying: "Cannot create asynchronous query after making changes in a write transaction"
      ) { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        realm.add(Account(id: 9))
        stage.act { use(realm.objects(Account.self).observe { _ in }) }
      },
      Probe.dies(
        "an object in a write that has changes",
        saying: "Cannot create asynchronous query after making changes in a write transaction"
      ) { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        let account = realm.account(1)
        account.balance = 7
        stage.act { use(account.observe { _ in }) }
      },
    ] + EachToken.inWrites)

  static let notify29 = Rule(
    "NOTIFY-29", .documented,
    "Observing from the wrong thread MUST die (thread text); on a loopless thread MUST die.",
    source: "S4 third limitation; (impl) OCT 2092.",
    broken: "accepted",
    probes: [
      Probe.dies("results on a foreign thread", saying: Words.wrongThread) { stage in
        let people = try stage.stocked().objects(Person.self)
        try stage.elsewhere { stage.act { use(people.observe { _ in }) } }
      },
      Probe.dies(
        "a realm on a thread without loop",
        saying: "Can only add notification blocks from within runloops"
      ) { stage in
        try stage.elsewhere {
          let realm = try stage.stocked()
          stage.act { use(realm.observe { _, _ in }) }
        }
      },
      Probe.dies(
        "results on a thread without loop",
        saying: "Can only add notification blocks from within runloops"
      ) { stage in
        try stage.elsewhere {
          let people = try stage.stocked().objects(Person.self)
          stage.act { use(people.observe { _ in }) }
        }
      },
    ] + Outposts.ofThreads + Outposts.ofQueues)
}
