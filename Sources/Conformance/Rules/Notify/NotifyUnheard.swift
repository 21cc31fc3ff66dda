import EngineUnderTest
import Foundation
import Harness

/// Listeners that are to be skipped before they have heard anything.
enum Unheard {
  private typealias Say = (_ isFirst: Bool, _ words: String) -> Void

  /// What is listened to, and what its calls show.
  private struct Ear: Sendable {
    let name: String
    let listen: @Sendable (Realm, @escaping Say) -> NotificationToken
    /// What there is to be shown, in the same words.
    let look: @Sendable (Realm) -> String

    static func of<C: RealmCollection & SendableMetatype>(
      _ name: String, _ find: @escaping @Sendable (Realm) -> C,
      _ words: @escaping @Sendable (C) -> String
    ) -> Ear {
      Ear(name: name) { realm, say in
        find(realm).observe { change in
          switch change {
          case .initial(let now): say(true, words(now))
          case .update(let now, _, _, _): say(false, words(now))
          case .error: say(false, "an error")
          }
        }
      } look: {
        words(find($0))
      }
    }
  }

  private static let ears: [Ear] = [
    .of("results", { $0.objects(Vessel.self) }, { "\($0.map(\.number))" }),
    .of(
      "a filter", { $0.objects(Vessel.self).where { $0.number > 1 } },
      { "\($0.map(\.number).sorted())" }),
    .of(
      "sorted results", { $0.objects(Vessel.self).sorted(byKeyPath: "number") },
      { "\($0.map(\.number))" }),
    .of("a list", { $0.vessel(1).links }, { "\($0.map(\.number))" }),
    .of("a list of numbers", { $0.vessel(1).numbers }, { "\(Array($0))" }),
    .of("a set", { $0.vessel(1).group }, { "\($0.map(\.number).sorted())" }),
    .of("links backwards", { $0.vessel(1).throughLink }, { "\($0.map(\.number))" }),
    .of(
      "an erased list", { AnyRealmCollection($0.vessel(1).links) }, { "\($0.map(\.number))" }),
    Ear(name: "a map") { realm, say in
      realm.vessel(1).titles.observe { change in
        switch change {
        case .initial(let now): say(true, words(now))
        case .update(let now, _, _, _): say(false, words(now))
        case .error: say(false, "an error")
        }
      }
    } look: {
      words($0.vessel(1).titles)
    },
    Ear(name: "sections") { realm, say in
      realm.objects(Vessel.self).sectioned(by: \.number, ascending: true).observe { change in
        switch change {
        case .initial(let now): say(true, "\(now.map(\.key))")
        case .update(let now, _, _, _, _, _): say(false, "\(now.map(\.key))")
        }
      }
    } look: { realm in
      "\(Set(realm.objects(Vessel.self).map(\.number)).sorted())"
    },
  ]

  private static func words(_ map: Map<String, String>) -> String {
    map.keys.sorted().map { "\($0)=\(map[$0] ?? "")" }.joined(separator: " ")
  }

  /// Something that each of them would be told of.
  private static func change(_ realm: Realm, _ number: Int) {
    let (one, two) = (realm.vessel(1)!, realm.vessel(2)!)
    (one.number, two.number) = (100 + number, 200 + number)
    one.numbers.append(number)
    one.titles["new"] = "\(number)"
  }

  static let probes: [Probe] = ears.flatMap { ear in
    ["before the write", "in the write", "before a write that is skipped twice"].map { moment in
      Probe("\(ear.name), observed \(moment), is skipped before its first call: that comes") {
        stage in
        var configuration = Vessel.configuration(stage)
        configuration.objectTypes = [Vessel.self, Part.self, Todo.self]
        let realm = try Realm(configuration: configuration)
        try realm.write { Vessel.stock(realm) }
        for round in 1...3 {
          var (firsts, updates, last): (Int, Int, String) = (0, 0, "")
          func listen() -> NotificationToken {
            ear.listen(realm) { isFirst, words in
              if isFirst { firsts += 1 } else { updates += 1 }
              last = words
            }
          }
          // Who is to be called first may be called as a write begins.
          var looks = [ear.look(realm)]
          let token: NotificationToken
          if moment == "in the write" {
            realm.beginWrite()
            token = listen()
            change(realm, round * 10)
            try realm.commitWrite(withoutNotifying: [token])
            looks = [ear.look(realm)]
          } else {
            token = listen()
            try realm.write(withoutNotifying: [token]) { change(realm, round * 10) }
            looks.append(ear.look(realm))
            if moment == "before a write that is skipped twice" {
              try realm.write(withoutNotifying: [token]) { change(realm, round * 10 + 1) }
              looks.append(ear.look(realm))
            }
          }
          try stage.spin(until: { firsts > 0 }, "the first call of round \(round)")
          try stage.settle(realm)
          stage.equal([firsts, updates], [1, 0], "first and other calls in round \(round)")
          stage.expect(
            looks.contains(last), "the first call of round \(round) shows one of \(looks)",
            observed: last)
          try realm.write { change(realm, round * 10 + 5) }
          try stage.spin(until: { updates > 0 }, "the call for a later write in round \(round)")
          try stage.settle(realm)
          stage.equal([firsts, updates], [1, 1], "the calls behind a later write")
          stage.equal(last, ear.look(realm), "what the call for a later write shows")
          try realm.write(withoutNotifying: [token]) { change(realm, round * 10 + 6) }
          try stage.settle(realm)
          stage.equal([firsts, updates], [1, 1], "the calls behind one that is skipped")
          token.invalidate()
        }
      }
    }
  }
}
