import EngineUnderTest
import Foundation
import Harness

/// Two changes of few objects, one behind the other: every pair there is, made in one write, here
/// and elsewhere, and in two that are told together. What is told must be what plain Swift finds
/// out, member by member.
enum ChangePairs {
  private typealias One = FewObjects.One
  private typealias Facts = FewObjects.Facts
  private typealias Act = FewObjects.Act

  /// What somebody is told of a collection, in the order of the calls.
  private final class Ear {
    var calls: [(gone: [Int], come: [Int], set: [Int], now: [Int])] = []
    var isReady = false

    func listen(_ results: Results<Specimen>, _ paths: [String]? = nil) -> NotificationToken {
      results.observe(keyPaths: paths) { self.take($0) }
    }

    func listen(_ list: List<Specimen>) -> NotificationToken { list.observe { self.take($0) } }

    private func take<C: RealmCollection>(_ change: RealmCollectionChange<C>)
    where C.Element == Specimen {
      switch change {
      case .initial: isReady = true
      case .update(let now, let gone, let come, let set):
        calls.append((gone, come, set, now.map(\.id)))
      case .error: break
      }
    }
  }

  private enum Way: Int { case here, elsewhere, elsewhereTwice }

  static let probes: [Probe] = (0..<4).map { part in
    Probe("of every two changes of few objects each is told, no less and no more, part \(part)") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: stage.specimens())
      realm.autorefresh = false
      for pair in FewObjects.pairs where pair.number % 4 == part {
        for way in [Way.here, .elsewhere, .elsewhereTwice]
        where stage.isDue(way.rawValue + 2 * (pair.number / 4), of: 3) {
          try look(stage, realm, pair.first, pair.second, way)
        }
      }
    }
  }

  private static func look(
    _ stage: Stage, _ realm: Realm, _ first: Act, _ second: Act, _ way: Way
  ) throws {
    try realm.write { FewObjects.stock(realm) }
    let some = realm.objects(Specimen.self).where { $0.id > 0 }
    let owner = realm.specimen(0)!
    let (all, large, ranked, list) = (Ear(), Ear(), Ear(), Ear())
    let (shallow, texts, far) = (Ear(), Ear(), Ear())
    var keys: [(gone: Set<String>, come: Set<String>, set: Set<String>)] = []
    var object: [Set<String>] = []
    var itsText: [Bool] = []
    let tokens = [
      all.listen(some.sorted(byKeyPath: "id")),
      shallow.listen(some.sorted(byKeyPath: "id"), []),
      texts.listen(some.sorted(byKeyPath: "id"), ["word"]),
      far.listen(some.sorted(byKeyPath: "id"), ["next.amount"]),
      large.listen(some.where { $0.amount > 2 }.sorted(byKeyPath: "id")),
      ranked.listen(some.sorted(by: ["amount", "id"])), list.listen(owner.members),
      owner.named.observe {
        if case .update(_, let gone, let come, let set) = $0 {
          keys.append((Set(gone), Set(come), Set(set)))
        }
      },
      realm.specimen(1)!.observe { (change: ObjectChange<Specimen>) in
        switch change {
        case .change(_, let properties): object.append(Set(properties.map(\.name)))
        case .deleted: object.append(["deleted"])
        case .error: break
        }
      },
      realm.specimen(1)!.observe(keyPaths: ["word"]) { (change: ObjectChange<Specimen>) in
        if case .deleted = change { itsText.append(false) } else { itsText.append(true) }
      },
    ]
    let ears = [all, large, ranked, list, shallow, texts, far]
    try stage.spin(until: { ears.allSatisfy(\.isReady) }, "the first calls")
    try stage.settle(of: realm)
    let before = Facts()
    var after = before
    first.model(&after)
    second.model(&after)
    let configuration = realm.configuration
    switch way {
    case .here:
      try realm.write {
        first.run(realm)
        second.run(realm)
      }
    case .elsewhere:
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write {
          first.run(other)
          second.run(other)
        }
      }
    case .elsewhereTwice:
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { first.run(other) }
        try other.write { second.run(other) }
      }
    }
    realm.refresh()
    try stage.settle(of: realm)
    for token in tokens { token.invalidate() }
    let what = "\(first.name), and \(second.name), \(way)"
    func exactly(
      _ name: String, _ ear: Ear, _ old: [One], _ new: [One], _ isSet: (One) -> Bool
    ) {
      let gone = old.indices.filter { !new.contains(old[$0]) }
      let come = new.indices.filter { !old.contains(new[$0]) }
      let set = old.indices.filter { new.contains(old[$0]) && isSet(old[$0]) }
      let isTold = !(gone + come + set).isEmpty
      stage.equal(
        ear.calls.map { "\($0.gone) \($0.come) \($0.set) \($0.now)" },
        isTold ? ["\(gone) \(come) \(set) \(new.map(\.id))"] : [], "what \(name) tell of \(what)")
    }
    let (old, new) = (before.objects, after.objects)
    exactly("all", all, old, new) { after.isChanged($0) }
    exactly("larger ones", large, before.large, after.large) { after.isChanged($0) }
    exactly("all, without a path,", shallow, old, new) { _ in false }
    exactly("all, by a text,", texts, old, new) { after.has($0, "word") }
    exactly("all, by a link's number,", far, old, new) { one in
      after.has(one, "next")
        || one.id == 1 && after.next.map { after.has($0, "amount") } ?? false
    }
    func reconciled(_ name: String, _ ear: Ear, _ old: [One], _ new: [One], _ moves: Bool) {
      let changed = old.contains { new.contains($0) && after.isChanged($0) }
      let isTold = old != new || changed
      stage.equal(ear.calls.count, isTold ? 1 : 0, "the calls of \(name) for \(what)")
      guard let call = ear.calls.first else { return }
      stage.equal(call.now, new.map(\.id), "what \(name) have after \(what)")
      let stayed = old.indices.filter { !call.gone.contains($0) }
      let places = new.indices.filter { !call.come.contains($0) }
      stage.equal(stayed.count, places.count, "how many of \(name) stay by \(what)")
      for (place, position) in zip(stayed, places) where old[place] != new[position] {
        stage.expect(
          !moves && call.set.contains(place), "who stays among \(name) by \(what)",
          observed: "\(call)")
      }
      for place in stayed where new.contains(old[place]) {
        let isReplaced = !moves && call.set.contains(place)
        stage.expect(
          call.set.contains(place) == after.isChanged(old[place]) || isReplaced,
          "who of \(name) is changed by \(what)", observed: "\(call)")
      }
      if moves {
        for place in call.gone where new.contains(old[place]) {
          stage.expect(
            after.touched[old[place]] != nil, "who moves among \(name) by \(what)",
            observed: "\(call)")
        }
      }
    }
    reconciled("ranked ones", ranked, before.ranked, after.ranked, true)
    reconciled("the list", list, before.links, after.links, false)
    let gone = Set(before.keys.keys.filter { after.keys[$0] == nil })
    let come = Set(after.keys.keys.filter { before.keys[$0] == nil })
    let set = Set(
      before.keys.filter { key, value in
        guard let now = after.keys[key] else { return false }
        return now != value || now.map { after.isChanged($0) } ?? false
      }.map(\.key))
    let told = (gone.union(come).union(set)).isEmpty
    stage.equal(
      keys.map { "\($0.gone.sorted()) \($0.come.sorted()) \($0.set.sorted())" },
      told ? [] : ["\(gone.sorted()) \(come.sorted()) \(set.sorted())"],
      "what the map tells of \(what)")
    let one = before.one(1)!
    let isGone = after.one(1) == nil
    let properties = after.touched[one].map { [$0] } ?? []
    stage.equal(object, isGone ? [["deleted"]] : properties, "what the first one tells of \(what)")
    stage.equal(
      itsText, isGone ? [false] : after.has(one, "word") ? [true] : [],
      "what its text's listener tells of \(what)")
  }
}
