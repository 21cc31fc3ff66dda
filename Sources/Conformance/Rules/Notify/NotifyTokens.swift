import EngineUnderTest
import Foundation
import Harness

extension Rules.Notify {
  static let tokens: [Rule] = [
    notify23, notify24, notify25, notify30, notify31,
  ]

  static let notify23 = Rule(
    "NOTIFY-23", .documented,
    "A token MUST be kept to keep receiving; dropping it or `invalidate()` ends delivery; "
      + "after `invalidate()` returned on the delivering thread no further callback runs.",
    source: "S4 (\"must retain the returned token\").",
    broken: "registration owned by the realm",
    probes: [
      Probe("without its token an observation ends") { stage in
        let realm = try stage.stocked()
        var dropped = 0
        var invalidated = 0
        var kept = 0
        var token: NotificationToken? = realm.objects(Account.self).observe {
          if case .update = $0 { dropped += 1 }
        }
        let other = realm.objects(Account.self).observe {
          if case .update = $0 { invalidated += 1 }
        }
        let fence = realm.objects(Account.self).observe { if case .update = $0 { kept += 1 } }
        try stage.settle(realm)
        use(token)
        token = nil
        other.invalidate()
        try realm.write { realm.account(1).balance = 7 }
        try stage.spin(until: { kept == 1 }, "the call of the one that was kept")
        stage.equal(dropped, 0, "calls of the one that was dropped")
        stage.equal(invalidated, 0, "calls of the one that was invalidated")
        fence.invalidate()
      }
    ] + [Probe.eachListenerHears("ends of tokens")] + Probe.crowdsOfTokens + LeftSearches.probes)

  static let notify24 = Rule(
    "NOTIFY-24", .implementation,
    "`invalidate()` on a collection or object token MUST be allowed from any thread and "
      + "twice; it returns true the first time and false later.",
    source: "(impl) OC/RLMCollection.mm RLMCancellationToken; CHANGELOG; NotificationToken is "
      + "Sendable.",
    broken: "dies on foreign thread; returns true twice",
    probes: [
      Probe("invalidate() on any thread, twice") { stage in
        let realm = try stage.stocked()
        let token = realm.objects(Account.self).observe { _ in }
        try stage.settle(realm)
        try stage.elsewhere {
          stage.equal(token.invalidate(), true, "the first answer")
          stage.equal(token.invalidate(), false, "the second answer")
        }
        stage.equal(token.invalidate(), false, "the third answer")
      }
    ] + EachToken.ends + [EachToken.endsInCalls])

  static let notify25 = Rule(
    "NOTIFY-25", .implementation,
    "`invalidate()` before a queue/actor registration happened MUST prevent it.",
    source: "(impl) RST:1523.",
    broken: "late registration fires",
    probes: [
      Probe("invalidate() before the registration on a queue happened") { stage in
        let realm = try stage.stocked()
        let queue = DispatchQueue(label: "serial")
        let release = Latch("the queue's way")
        stage.later(on: queue) { _ = release.wait(stage.patience) }
        var calls = 0
        let token = realm.objects(Account.self).observe(on: queue) { _ in calls += 1 }
        stage.equal(token.invalidate(), true, "the answer")
        release.open()
        try realm.write { realm.account(1).balance = 7 }
        for _ in 0..<5 {
          stage.on(queue) {}
          try stage.settle(realm)
        }
        stage.equal(stage.on(queue) { calls }, 0, "calls")
      }
    ] + EachToken.early + [EachToken.earlyIsSilent])

  static let notify30 = Rule(
    "NOTIFY-30", .implementation,
    "`write(withoutNotifying: [token])` / `commitWrite(withoutNotifying:)` MUST skip "
      + "exactly that token for exactly that transaction, other tokens are notified, later "
      + "transactions notify again with correct indices.",
    source: "RS/Realm.swift:235-260; TOS/results.cpp:901-1260.",
    broken: "skipped changes re-appear later; index drift",
    probes: [
      Programs.silencing.probe,
      Probe("a write skips the tokens it names, this once") { stage in
        let realm = try stage.stocked()
        var first: [String] = []
        var second: [String] = []
        let one = realm.objects(Account.self).sorted(byKeyPath: "id").observe {
          if case .update(_, let d, let i, let m) = $0 { first.append("\(d) \(i) \(m)") }
        }
        let two = realm.objects(Account.self).sorted(byKeyPath: "id").observe {
          if case .update(_, let d, let i, let m) = $0 { second.append("\(d) \(i) \(m)") }
        }
        try stage.settle(realm)
        try realm.write(withoutNotifying: [one]) { realm.add(Account(id: 9)) }
        try stage.spin(until: { second.count == 1 }, "the call of the one that was not named")
        try realm.write { realm.account(9).balance = 7 }
        try stage.spin(
          until: { second.count == 2 && first.count == 1 }, "the calls for a later write")
        stage.equal(first, ["[] [] [3]"], "the calls of the one that was named")
        stage.equal(second, ["[] [3] []", "[] [] [3]"], "the calls of the other")
        one.invalidate()
        two.invalidate()
      },
      Probe("commitWrite skips the tokens it names, of objects too") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let object = realm.account(1).observe { (_: ObjectChange<Account>) in
          events.append("object")
        }
        let collection = realm.objects(Account.self).observe {
          if case .update(_, let d, let i, let m) = $0 { events.append("\(d) \(i) \(m)") }
        }
        try stage.settle(realm)
        realm.beginWrite()
        realm.account(1).balance = 7
        try realm.commitWrite(withoutNotifying: [object])
        try stage.settle(realm)
        stage.equal(events, ["[] [] [0]"], "the calls when the object's token is named")
        realm.beginWrite()
        realm.delete(realm.account(2))
        try realm.commitWrite(withoutNotifying: [object, collection])
        try stage.settle(realm)
        stage.equal(events, ["[] [] [0]"], "the calls when both are named")
        try realm.write { realm.account(3).balance = 8 }
        try stage.settle(realm)
        stage.equal(events, ["[] [] [0]", "[] [] [1]"], "the calls for a later write")
        object.invalidate()
        collection.invalidate()
      },
    ] + [.eachIsSilenced] + Probe.skippedOnce + Unheard.probes
      + SilencedInVain.probes + Probe.besideSkipped)

  static let notify31 = Rule(
    "NOTIFY-31", .implementation,
    "Passing a token of another realm there MUST die.",
    source: "(impl) RS/Realm.swift:318-322; OC/RLMRealm.mm:629-632",
    broken: "silently ignored",
    probes: [
      Probe(
        "a token of another realm",
        refusing: [
          "Incorrect Realm: only notifications for the Realm being modified can be skipped"
        ]
      ) { stage in
        let one = try stage.stocked("one")
        let two = try stage.stocked("two")
        let token = one.objects(Account.self).observe { _ in }
        stage.act { try two.write(withoutNotifying: [token]) { two.account(1).balance = 7 } }
      }
    ] + EachToken.strangers)
}
