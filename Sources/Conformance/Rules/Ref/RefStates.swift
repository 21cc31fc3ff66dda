import EngineUnderTest
import Harness

/// References to each kind of thing of one realm, and what they must be where they are resolved.
private struct Post {
  let resolve: (Realm) -> [String]

  /// Of what belongs to the vessel that is there in each turn. A query cannot be sent out of a
  /// write that has changed something.
  init(_ realm: Realm, withResults: Bool) {
    let vessel = realm.vessel(0)!
    let object = ThreadSafeReference(to: vessel)
    let links = ThreadSafeReference(to: vessel.links)
    let group = ThreadSafeReference(to: vessel.group)
    let named = ThreadSafeReference(to: vessel.named)
    let numbers = ThreadSafeReference(to: vessel.numbers)
    let labels = ThreadSafeReference(to: vessel.labels)
    let titles = ThreadSafeReference(to: vessel.titles)
    let linking = ThreadSafeReference(to: vessel.throughLink)
    let all = withResults ? ThreadSafeReference(to: realm.objects(Vessel.self)) : nil
    let some =
      withResults
      ? ThreadSafeReference(
        to: realm.objects(Vessel.self).where { $0.number > 0 }.sorted(byKeyPath: "id"))
      : nil
    resolve = { realm in
      let vessel = realm.resolve(object)
      var found = [
        vessel.map { CargoQuestion.values($0) } ?? "nil",
        "\(realm.resolve(links)?.map(\.id) ?? [-1])",
        "\(realm.resolve(group)?.map(\.id).sorted() ?? [-1])",
        "\(realm.resolve(named)?.keys.sorted() ?? ["nil"])",
        "\(realm.resolve(numbers).map { Array($0) } ?? [-1])",
        "\(realm.resolve(labels).map { Array($0).sorted() } ?? ["nil"])",
        "\(realm.resolve(titles)?.values.sorted() ?? ["nil"])",
        "\(realm.resolve(linking)?.map(\.id).sorted() ?? [-1])", "\(vessel?.realm == realm)",
      ]
      if let all, let some {
        found.append("\(realm.resolve(all)?.map(\.id).sorted() ?? [-1])")
        found.append("\(realm.resolve(some)?.map(\.id) ?? [-1])")
      }
      return found
    }
  }

  static func expected(_ cargo: Cargo, withResults: Bool) -> [String] {
    let piece = cargo[0]
    var expected = [
      CargoQuestion.values(piece, 0), "\(piece.links)", "\(piece.group.sorted())",
      "\(piece.named.keys.sorted())", "\(piece.numbers)", "\(piece.labels.sorted())",
      "\(piece.titles.values.sorted())", "\(cargo.ids.filter { cargo[$0].link == 0 })", "true",
    ]
    if withResults {
      expected.append("\(cargo.ids)")
      expected.append("\(cargo.ids.filter { cargo[$0].number > 0 })")
    }
    return expected
  }
}

extension Probe {
  /// References out of a realm in each state, and into it.
  static func referencesInStates(_ make: RealmMake) -> Probe {
    Probe("references lead out of a realm in each state, and into it: \(make.rawValue)") { stage in
      try Situation.each(stage, make) { situation, state in
        let what = "\(state.rawValue), \(situation.words)"
        // What a write has changed is nobody else's before its commit.
        if state != .inWrite {
          var letters: [Post] = []
          try situation.pass(
            state,
            asking: { realm in
              letters = (0..<3).map { _ in Post(realm, withResults: true) }
              situation.compare(realm, turn: state.turn, "when references were made, \(what)")
            }
          ) {
            // A newer version than that of the reference is one's own.
            let turn = state == .behind ? 1 : state.turn
            let isLate = state == .frozenLate
            let configuration = situation.configuration
            try stage.elsewhere {
              let there = try Realm(configuration: configuration)
              // At first on the newest, whatever that is.
              use(there.isEmpty)
              let newest = isLate ? 2 : turn
              stage.equal(
                letters[0].resolve(there),
                Post.expected(situation.cargo(newest), withResults: true), "elsewhere, \(what)")
            }
            if situation.other != nil, state != .beside, !isLate {
              situation.otherQueue.sync {
                let other = situation.other!
                let before = state.turn == 0 ? 0 : 1
                stage.equal(
                  letters[1].resolve(other),
                  Post.expected(
                    situation.cargo(state == .behind ? 1 : before), withResults: true),
                  "in a realm that stayed, \(what)")
              }
            }
            if state.isLive {
              try situation.work {
                stage.equal(
                  letters[2].resolve(situation.realm),
                  Post.expected(situation.cargo(state.turn), withResults: true),
                  "in its own realm, \(what)")
              }
            }
            letters = []
          }
        }
        guard situation.other != nil, state.isLive, state != .beside else { return }
        try situation.pass(
          state,
          asking: { realm in
            let letter = try situation.otherQueue.sync {
              if !state.isInWrite { try situation.other!.write {} }
              situation.other!.refresh()
              return Post(situation.other!, withResults: true)
            }
            let turn = state == .behind ? 1 : state.turn
            stage.equal(
              letter.resolve(realm),
              Post.expected(situation.cargo(turn), withResults: true),
              "from another realm, \(what)")
            situation.compare(realm, turn: turn, "when that was resolved, \(what)")
            stage.equal(realm.isInWriteTransaction, state.isInWrite, "the write, \(what)")
          })
      }
    }
  }
}
