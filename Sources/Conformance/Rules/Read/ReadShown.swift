import EngineUnderTest
import Foundation

/// What a projection shows of members, held while the members change: each look shows what they
/// have by then.
enum ShownAnew {
  /// Shown collections that are held.
  private struct Held {
    let words: ProjectedCollection<String>
    let wholes: ProjectedCollection<Int?>
    let group: ProjectedCollection<Int>
    let followers: ProjectedCollection<Int>

    init(_ realm: Realm) {
      let view = WideView(projecting: realm.specimen(0)!)
      (words, wholes, group, followers) = (
        view.words, view.wholes, view.groupIDs, view.followers
      )
    }

    func look(_ stage: Stage, _ realm: Realm, _ when: String) {
      let one = realm.specimen(0)!
      same(stage, words, one.members.map(\.word), "the words \(when)")
      same(stage, wholes, one.members.map(\.whole), "the numbers \(when)")
      same(stage, group, one.group.map(\.id), "the group \(when)")
      same(stage, followers, one.throughNext.map(\.id), "the followers \(when)")
    }

    private func same<Value: RealmCollectionValue & Equatable>(
      _ stage: Stage, _ shown: ProjectedCollection<Value>, _ values: [Value], _ what: String
    ) {
      stage.equal(shown.count, values.count, "how many are \(what)")
      stage.equal(shown.indices.map { shown[$0] }, values, "\(what), by position")
      stage.equal(shown.map { $0 }, values, "\(what), walked")
      stage.equal(shown.reversed().map { $0 }, values.reversed(), "\(what), from behind")
      stage.expect(shown.first == values.first, "the first of \(what)")
      stage.expect(shown.last == values.last, "the last of \(what)")
    }
  }

  private static let count = 8

  private static func stocked(_ stage: Stage) throws -> Realm {
    let realm = try Realm(configuration: stage.specimens())
    try realm.write {
      let all = (0..<count).map { Specimen(id: $0) }
      realm.add(all)
      for one in all {
        (one.word, one.whole) = ("word \(one.id)", one.id % 3 == 0 ? nil : one.id)
        if (1..<5).contains(one.id) {
          all[0].members.append(one)
          all[0].group.insert(one)
          one.next = all[0]
        }
      }
    }
    return realm
  }

  private typealias Change = (name: String, run: @Sendable (Realm, Int) -> Void)

  private static let changes: [Change] = [
    ("a member was renamed", { $0.specimen(0)!.members[1].word = "new \($1)" }),
    (
      "all members were renamed",
      { realm, round in
        for one in realm.objects(Specimen.self) { one.word = "all \(one.id) \(round)" }
      }
    ),
    ("a member's number was set", { $0.specimen(0)!.members[0].whole = 100 + $1 }),
    ("a member's number was taken", { realm, _ in realm.specimen(0)!.members[2].whole = nil }),
    (
      "one was written through another projection",
      { WideView(projecting: $0.specimen(0)!).words[0] = "through \($1)" }
    ),
    (
      "a member was exchanged",
      { realm, _ in realm.specimen(0)!.members[1] = realm.specimen(6)! }
    ),
    ("members changed places", { realm, _ in realm.specimen(0)!.members.swapAt(0, 2) }),
    (
      "one came first", { realm, _ in realm.specimen(0)!.members.insert(realm.specimen(5)!, at: 0) }
    ),
    ("the first one went", { realm, _ in realm.specimen(0)!.members.removeFirst() }),
    (
      "the group and the followers changed",
      { realm, round in
        let (one, other) = (realm.specimen(0)!, realm.specimen(5 + round % 3)!)
        one.group.insert(other)
        other.next = one
        realm.specimen(1 + round % 3)!.next = nil
        if let first = one.group.first { one.group.remove(first) }
      }
    ),
    (
      "all went, and others came",
      { realm, _ in
        let members = realm.specimen(0)!.members
        members.removeAll()
        for id in [7, 6, 5, 2, 1] { members.append(realm.specimen(id)!) }
      }
    ),
  ]

  /// In the write that makes the change.
  static let inWrites = Probe("a write reads what it wrote, through shown members that are held") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stocked(stage)
    let held = Held(realm)
    held.look(stage, realm, "at first")
    for round in 0..<2 {
      for (name, run) in changes {
        try realm.write {
          held.look(stage, realm, "in a write, before \(name)")
          run(realm, round)
          held.look(stage, realm, "in the write in which \(name), round \(round)")
          run(realm, round + 10)
          held.look(stage, realm, "in the write in which \(name) again, round \(round)")
        }
      }
    }
  }

  private enum End: String, CaseIterable {
    case commit = "a write"
    case cancel = "a cancelled write"
    case refresh = "a refresh"
  }

  /// After writes, here and elsewhere.
  static let afterWrites: [Probe] = End.allCases.map { end in
    Probe("shown members that are held are read anew after \(end.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stocked(stage)
      realm.autorefresh = false
      let configuration = realm.configuration
      let held = Held(realm)
      held.look(stage, realm, "at first")
      for round in 0..<2 {
        for (name, run) in changes {
          switch end {
          case .commit: try realm.write { run(realm, round) }
          case .cancel:
            realm.beginWrite()
            run(realm, round)
            held.look(stage, realm, "in the write in which \(name), round \(round)")
            realm.cancelWrite()
            held.look(stage, realm, "after a cancelled write in which \(name), round \(round)")
            // So that there is something else to see the next time.
            try realm.write { run(realm, round + 20) }
          case .refresh:
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { run(other, round) }
            }
            held.look(stage, realm, "before a refresh to the write in which \(name)")
            realm.refresh()
          }
          held.look(stage, realm, "by \(end.rawValue): \(name), round \(round)")
        }
      }
    }
  }
}
