import EngineUnderTest
import Foundation
import Harness

/// What is held through two changes of few objects, however they come: by a refresh, a write that
/// stays, or one that comes to nothing. By which ways something is held each family asks for its
/// own.
enum HeldThrough {
  private typealias One = FewObjects.One
  private typealias Facts = FewObjects.Facts

  /// Runs each pair on a fresh stock, and hands on what must be before and after.
  private static func each(
    _ stage: Stage,
    _ body: (
      _ realm: Realm, _ change: @escaping (Realm) -> Void, _ before: FewObjects.Facts,
      _ after: FewObjects.Facts, _ what: String, _ number: Int
    ) throws -> Void
  ) throws {
    Backstage.hooks?.skipFlushes()
    let realm = try Realm(configuration: stage.specimens())
    realm.autorefresh = false
    for pair in FewObjects.pairs {
      try realm.write { FewObjects.stock(realm) }
      let before = Facts()
      var after = before
      pair.first.model(&after)
      pair.second.model(&after)
      let (first, second) = (pair.first, pair.second)
      try body(
        realm,
        {
          first.run($0)
          second.run($0)
        }, before, after, "\(first.name), and \(second.name)", pair.number)
    }
  }

  private static func elsewhere(
    _ stage: Stage, _ realm: Realm, _ change: @escaping (Realm) -> Void
  ) throws {
    let configuration = realm.configuration
    try stage.elsewhere {
      let other = try Realm(configuration: configuration)
      try other.write { change(other) }
    }
  }

  // MARK: REFRESH-20

  static let refreshed = Probe("whoever is held is who it was, or gone, after every two changes") {
    stage in
    try each(stage) { realm, change, before, after, what, number in
      let owner = realm.specimen(0)!
      let held = before.objects.map { realm.specimen($0.id)! }
      let dynamic = before.objects.map {
        realm.dynamicObject(ofType: "Specimen", forPrimaryKey: $0.id)!
      }
      let some = realm.objects(Specimen.self).where { $0.id > 0 }
      let large = some.where { $0.amount > 2 }.sorted(byKeyPath: "id")
      let (members, named) = (owner.members, owner.named)
      func look(_ facts: Facts, _ moment: String) {
        let isThere = before.objects.map { facts.objects.contains($0) }
        stage.equal(
          held.map { !$0.isInvalidated }, isThere, "who is there \(moment) \(what)")
        stage.equal(
          dynamic.map { !$0.isInvalidated }, isThere, "who is there by name \(moment) \(what)")
        stage.equal(
          held.filter { !$0.isInvalidated }.map(FewObjects.words),
          before.objects.filter { facts.objects.contains($0) }.map { facts.words($0) },
          "what they hold \(moment) \(what)")
        stage.equal(FewObjects.dump(realm), facts.dump, "all \(moment) \(what)")
        stage.equal(large.map(\.id), facts.large.map(\.id), "larger ones \(moment) \(what)")
        stage.equal(members.map(\.id), facts.links.map(\.id), "the list \(moment) \(what)")
        stage.equal(Set(named.keys), Set(facts.keys.keys), "the keys \(moment) \(what)")
        stage.equal(
          realm.specimen(3)!.throughMembers.count, facts.links.filter { $0.id == 3 }.count,
          "how often the list has 3 \(moment) \(what)")
        stage.equal(
          realm.specimen(3)!.throughNext.map(\.id), facts.next?.id == 3 ? [1] : [],
          "who links to 3 \(moment) \(what)")
      }
      let isHere = stage.isTurn(number, of: 3)
      let how = isHere ? "a write of" : "another's"
      if stage.isTurn(number, of: 2) { look(before, "before \(how)") }
      if isHere {
        try realm.write {
          change(realm)
          look(after, "in the write of")
        }
      } else {
        try elsewhere(stage, realm, change)
        if stage.isTurn(number, of: 5) { look(before, "before the refresh to") }
        realm.refresh()
      }
      look(after, "after \(how)")
    }
  }

  // MARK: WRITE-18

  static let cancelled = Probe("every two changes can be taken back, all of them") { stage in
    struct Unwanted: Error {}
    try each(stage) { realm, change, before, after, what, number in
      let held = before.objects.map { realm.specimen($0.id)! }
      var told = 0
      let token = realm.observe { _, _ in told += 1 }
      if stage.isTurn(number, of: 2) {
        realm.beginWrite()
        change(realm)
        stage.equal(FewObjects.dump(realm), after.dump, "all in the write of \(what)")
        realm.cancelWrite()
      } else {
        do {
          try realm.write {
            change(realm)
            throw Unwanted()
          }
        } catch is Unwanted {}
      }
      stage.equal(FewObjects.dump(realm), before.dump, "all when \(what) were taken back")
      stage.equal(
        held.map { $0.isInvalidated ? "gone" : FewObjects.words($0) },
        before.objects.map { before.words($0) }, "who is held when \(what) were taken back")
      // And they can be made, after all.
      try realm.write { change(realm) }
      stage.equal(FewObjects.dump(realm), after.dump, "all when \(what) were made")
      stage.equal(told, 1, "how often the realm's listener is told of \(what)")
      token.invalidate()
    }
  }

  // MARK: FREEZE-02, FREEZE-27

  static let frozen = Probe("what is frozen stays through every two changes, and thaws to what is")
  {
    stage in
    try each(stage) { realm, change, before, after, what, number in
      let owner = realm.specimen(0)!
      let held = before.objects.map { realm.specimen($0.id)!.freeze() }
      let (members, large) = (
        owner.members.freeze(), realm.objects(Specimen.self).where { $0.amount > 2 }.freeze()
      )
      let frozen = realm.freeze()
      if stage.isTurn(number, of: 2) {
        try realm.write { change(realm) }
      } else {
        try elsewhere(stage, realm, change)
        realm.refresh()
      }
      stage.equal(FewObjects.dump(frozen), before.dump, "what is frozen behind \(what)")
      stage.equal(
        held.map(FewObjects.words), before.objects.map { before.words($0) },
        "who is frozen behind \(what)")
      stage.equal(members.map(\.id), [1, 2, 3], "the frozen list behind \(what)")
      stage.equal(
        large.map(\.id).sorted(), before.large.map(\.id), "the frozen larger ones behind \(what)")
      stage.equal(
        held.map { $0.thaw().map(FewObjects.words) },
        before.objects.map { after.objects.contains($0) ? after.words($0) : nil },
        "whom they thaw to behind \(what)")
      stage.equal(
        members.thaw()?.map(\.id), after.links.map(\.id), "what the list thaws to behind \(what)")
      stage.equal(
        large.thaw()?.map(\.id).sorted(), after.large.map(\.id),
        "what the larger ones thaw to behind \(what)")
    }
  }

  // MARK: REF-09

  static let referred = Probe(
    "references lead to whom they were made of, through every two changes"
  ) { stage in
    try each(stage) { realm, change, before, after, what, number in
      let owner = realm.specimen(0)!
      func refer<Thing: ThreadConfined>(_ thing: Thing) -> ThreadSafeReference<Thing> {
        ThreadSafeReference(to: thing)
      }
      let held = before.objects.map { refer(realm.specimen($0.id)!) }
      let members = refer(owner.members)
      let large = refer(realm.objects(Specimen.self).where { $0.amount > 2 })
      if stage.isTurn(number, of: 2) {
        try realm.write { change(realm) }
      } else {
        try elsewhere(stage, realm, change)
      }
      let configuration = realm.configuration
      func resolve(_ realm: Realm) {
        stage.equal(
          held.map { realm.resolve($0).map(FewObjects.words) },
          before.objects.map { after.objects.contains($0) ? after.words($0) : nil },
          "whom references lead to behind \(what)")
        stage.equal(
          realm.resolve(members)?.map(\.id), after.links.map(\.id),
          "which list is led to behind \(what)")
        stage.equal(
          realm.resolve(large)?.map(\.id).sorted(), after.large.map(\.id),
          "which larger ones are led to behind \(what)")
      }
      switch (number + stage.turn(of: 3)) % 3 {
      case 0:
        // At home, where nobody has refreshed; the begin of the write does.
        try realm.write { resolve(realm) }
      case 1:
        try stage.elsewhere { resolve(try Realm(configuration: configuration)) }
      default:
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { resolve(other) }
        }
      }
    }
  }
}
