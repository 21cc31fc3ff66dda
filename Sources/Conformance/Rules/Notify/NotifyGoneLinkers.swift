import EngineUnderTest
import Foundation
import Harness

/// Who listens over links backwards hears of each linker that goes, whatever it links by and
/// however it goes.
enum GoneLinkers {
  /// A property that links, and the one that leads back.
  private struct Tie: Sendable {
    let back: String
    let link: @Sendable (Specimen, Specimen) -> Void
    let unlink: @Sendable (Specimen) -> Void
  }

  private static let ties = [
    Tie(back: "throughNext", link: { $0.next = $1 }, unlink: { $0.next = nil }),
    Tie(back: "throughOther", link: { $0.other = $1 }, unlink: { $0.other = nil }),
    Tie(
      back: "throughMembers", link: { $0.members.append($1) }, unlink: { $0.members.removeAll() }),
    Tie(back: "throughSpares", link: { $0.spares.append($1) }, unlink: { $0.spares.removeAll() }),
    Tie(back: "throughGroup", link: { $0.group.insert($1) }, unlink: { $0.group.removeAll() }),
  ]

  private typealias Going = (name: String, run: @Sendable (Realm, Tie) -> Void)

  private static let linkers = 10..<14

  private static func some(_ realm: Realm) -> Results<Specimen> {
    realm.objects(Specimen.self).where { $0.id >= 10 && $0.id < 14 }
  }

  private static let goings: [Going] = [
    ("one goes", { realm, _ in realm.delete(realm.specimen(11)!) }),
    (
      "one goes, and one that links to nobody",
      { realm, _ in
        realm.delete(realm.specimen(20)!)
        realm.delete(realm.specimen(12)!)
      }
    ),
    (
      "two go",
      { realm, _ in realm.delete([realm.specimen(13)!, realm.specimen(10)!]) }
    ),
    ("all go", { realm, _ in realm.delete(some(realm)) }),
    (
      "one goes that was changed",
      { realm, _ in
        realm.specimen(11)!.amount += 1
        realm.delete(realm.specimen(11)!)
      }
    ),
    (
      "one goes that was unlinked",
      { realm, tie in
        tie.unlink(realm.specimen(12)!)
        realm.delete(realm.specimen(12)!)
      }
    ),
    (
      "one goes, and another without a link has its key",
      { realm, _ in
        realm.delete(realm.specimen(10)!)
        realm.add(Specimen(id: 10))
      }
    ),
    (
      "one goes, and another is changed",
      { realm, _ in
        realm.delete(realm.specimen(13)!)
        realm.specimen(12)!.amount = 7
      }
    ),
  ]

  private static func stock(_ realm: Realm) {
    realm.deleteAll()
    for id in [1, 2, 3, 4, 20] { realm.add(Specimen(id: id)) }
    // Nobody of these goes. Each leads to the first.
    realm.specimen(3)!.other = realm.specimen(1)
    realm.specimen(4)!.spares.append(realm.specimen(1)!)
  }

  private static func link(_ realm: Realm, _ tie: Tie) {
    for id in linkers {
      let one = Specimen(id: id)
      realm.add(one)
      tie.link(one, realm.specimen(1)!)
    }
  }

  static let probes: [Probe] = [false, true].flatMap { isForeign in
    ties.map { tie in
      Probe(
        "who listens by \(tie.back) hears of those that linked and go: "
          + "\(isForeign ? "another thread's" : "own") changes"
      ) { stage in
        Backstage.hooks?.skipFlushes()
        let asked = stage.settlingSpecimens
        let realm = try Realm(configuration: asked)
        for (name, run) in goings {
          try realm.write {
            stock(realm)
            link(realm, tie)
          }
          var calls: [String: Int] = [:]
          func hears(_ what: String) -> (ObjectChange<Specimen>) -> Void {
            { _ in calls[what, default: 0] += 1 }
          }
          func told<Members>(_ what: String) -> (RealmCollectionChange<Members>) -> Void {
            { if case .update = $0 { calls[what, default: 0] += 1 } }
          }
          let (first, bystander) = (realm.specimen(1)!, realm.specimen(2)!)
          let (over, owner) = (realm.specimen(3)!, realm.specimen(4)!)
          let ones = realm.objects(Specimen.self).where { $0.id < 3 }
          let tokens = [
            first.observe(keyPaths: [tie.back], hears("an object")),
            first.observe(keyPaths: [tie.back + ".amount"], hears("an object, further on")),
            first.observe(keyPaths: ["word", tie.back], hears("an object, among others")),
            over.observe(keyPaths: ["other.\(tie.back)"], hears("an object over a link")),
            owner.observe(keyPaths: ["spares.\(tie.back)"], hears("an object over a list")),
            owner.spares.observe(keyPaths: [tie.back], told("a list")),
            ones.observe(keyPaths: [tie.back], told("a query")),
            bystander.observe(keyPaths: [tie.back], hears("nobody's")),
          ]
          try stage.settle(realm)
          stage.equal(calls, [:], "the calls before: \(name)")
          if isForeign {
            try stage.elsewhere {
              let other = try Realm(configuration: asked)
              try other.write { run(other, tie) }
            }
            realm.refresh()
          } else {
            try realm.write { run(realm, tie) }
          }
          try stage.settle(realm)
          stage.equal(
            calls,
            [
              "an object": 1, "an object, further on": 1, "an object, among others": 1,
              "an object over a link": 1, "an object over a list": 1, "a list": 1, "a query": 1,
            ], "the calls when \(name)")
          for token in tokens { token.invalidate() }
        }
      }
    }
  }
}
