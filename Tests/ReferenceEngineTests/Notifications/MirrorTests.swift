import Foundation
import Testing

@testable import ReferenceEngine

class Bead: Object {
  @Persisted var id: Int
  @Persisted var i: Int
  @Persisted var link: Bead?
  @Persisted var list: List<Bead>
  @Persisted var set: MutableSet<Bead>
  @Persisted var map: Map<String, Bead?>
  @Persisted var any: AnyRealmValue
  @Persisted var part: BeadPart?
  @Persisted var parts: List<BeadPart>
  @Persisted(originProperty: "link") var linkers: LinkingObjects<Bead>
  @Persisted(originProperty: "list") var listers: LinkingObjects<Bead>
  @Persisted(originProperty: "set") var setters: LinkingObjects<Bead>
  @Persisted(originProperty: "map") var mappers: LinkingObjects<Bead>
  @Persisted(originProperty: "knots") var hubs: LinkingObjects<Band>
}

class BeadPart: EmbeddedObject {
  @Persisted var i: Int
  @Persisted var link: Bead?
}

class Band: Object {
  @Persisted var i: Int
  @Persisted var knots: List<Bead>
}

/// Who is a member may be said by other rows than a member's own. Of `ANY lbacks.i == 7` a listener
/// was not called when a link made an object match, and its next change set named places that were
/// not there: applying each to a copy must give the collection.
@Suite struct MirrorTests {
  /// Each reaches other rows by another way, in both directions.
  static let predicates = [
    "ANY linkers.i == 3", "linkers.@count > 0", "linkers.@count == 0 AND i > 2",
    "ANY hubs.i > 4", "hubs.@sum.i > 5", "hubs.@max.i == 7", "NONE hubs.i > 3",
    "SUBQUERY(hubs, $h, $h.i > 2).@count > 0",
    "SUBQUERY(listers, $k, ANY $k.hubs.i > 2).@count > 0",
    "ANY listers.i < 4", "ANY setters.i < 4", "ANY mappers.i < 4", "ALL listers.i > 1",
    "link.i == 3", "link == nil", "link.link.i > 2", "link.link.link.link.link.i > 2",
    "ANY list.i == 2", "list.@max.i > 3", "list.@count > 1", "list.@avg.i > 3",
    "ANY set.i == 1", "ANY map.@allValues.i == 3", "map.@count > 0",
    "part.i > 2", "part.link.i > 2", "ANY parts.i > 5", "ANY parts.link.i > 5",
    "ANY linkers.hubs.i == 3", "ANY hubs.knots.i > 6", "ANY linkers.linkers.linkers.i == 1",
    "#any != nil", "NOT (ANY listers.linkers.i == 2)", "i > 3",
    "SUBQUERY(list, $k, $k.link.i > 3 AND $k.i < i).@count > 0",
  ]

  private static func change(_ realm: Realm, _ dice: inout Dice) {
    let knots = realm.objects(Bead.self)
    let hubs = realm.objects(Band.self)
    func knot() -> Bead? { knots.isEmpty ? nil : knots[dice.below(knots.count)] }
    func hub() -> Band? { hubs.isEmpty ? nil : hubs[dice.below(hubs.count)] }
    for _ in 0...dice.below(4) {
      switch dice.below(20) {
      case 0, 1:
        let id = (realm.objects(Bead.self).max(ofProperty: "id") as Int? ?? 0) + 1
        let made = realm.create(Bead.self, value: ["id": id, "i": dice.below(9)])
        if dice.below(2) == 0 { made.link = knot() }
      case 2:
        let made = realm.create(Band.self, value: ["i": dice.below(9)])
        for _ in 0..<dice.below(4) { if let one = knot() { made.knots.append(one) } }
      case 3: if let one = knot(), knots.count > 6 { realm.delete(one) }
      case 4: if let one = hub() { realm.delete(one) }
      case 5: knot()?.i = dice.below(9)
      case 6: hub()?.i = dice.below(9)
      case 7, 8: knot()?.link = dice.below(4) == 0 ? nil : knot()
      case 9: if let one = knot() { knot()?.list.append(one) }
      case 10: if let list = knot()?.list, !list.isEmpty { list.remove(at: dice.below(list.count)) }
      case 11: if let one = knot() { knot()?.set.insert(one) }
      case 12: knot()?.set.removeAll()
      case 13: knot()?.map["\(dice.below(3))"] = knot()
      case 14: knot()?.any = knot().map { .object($0) } ?? .none
      case 15:
        let part = BeadPart()
        (part.i, part.link) = (dice.below(9), knot())
        knot()?.part = dice.below(3) == 0 ? nil : part
      case 16:
        let part = BeadPart()
        (part.i, part.link) = (dice.below(9), knot())
        knot()?.parts.append(part)
      case 17: if let one = knot() { hub()?.knots.append(one) }
      case 18: if let knots = hub()?.knots, !knots.isEmpty { knots.remove(at: 0) }
      default: knot()?.part?.link = knot()
      }
    }
  }

  /// A copy of a collection that only change sets have changed.
  private final class Mirror: @unchecked Sendable {
    // Sendable because it is only touched at the desk.
    let name: String
    var ids: [Int] = []
    var token: NotificationToken?
    var faults: [String] = []

    init(_ name: String) { self.name = name }

    func take<C: RealmCollection>(_ change: RealmCollectionChange<C>) where C.Element == Bead {
      switch change {
      case .initial(let knots): ids = knots.map(\.id)
      case .update(let knots, let deletions, let insertions, let modifications):
        let places = 0..<ids.count
        guard (deletions + modifications).allSatisfy(places.contains) else {
          faults.append("places \(deletions) \(modifications) in \(ids.count)")
          return
        }
        for place in deletions.reversed() { ids.remove(at: place) }
        for place in insertions {
          guard place <= ids.count, place < knots.count else {
            faults.append("insertion \(place) of \(insertions) in \(ids.count)")
            return
          }
          ids.insert(knots[place].id, at: place)
        }
      case .error: break
      }
    }
  }

  @Test(arguments: 0..<4)
  func `NOTIFY-06: what is told makes the collection, whoever says who is in it`(part: Int) {
    let seed = Wish.seed()
    let rounds = Wish.number(orElse: 60)
    var dice = Dice(seed: seed &* 4 &+ UInt64(part))
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [Bead.self, BeadPart.self, Band.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      for id in 0..<12 { realm.create(Bead.self, value: ["id": id, "i": id % 9]) }
    }
    var mirrors: [Mirror] = []
    desk.work { realm in
      for predicate in Self.predicates {
        let plain = realm.objects(Bead.self).filter(predicate)
        let mirror = Mirror(predicate)
        mirror.token = plain.observe { mirror.take($0) }
        let sorted = Mirror("\(predicate) sorted")
        sorted.token = plain.sorted(by: ["link.i", "id"]).observe { sorted.take($0) }
        mirrors += [mirror, sorted]
      }
      // The member of whom a one-step predicate over links backwards speaks.
      let first = realm.objects(Bead.self)[0]
      for predicate in ["ANY linkers == %@", "%@ IN listers", "link == %@", "ANY list == %@"] {
        let mirror = Mirror("\(predicate) of the first")
        mirror.token = realm.objects(Bead.self).filter(predicate, first).observe { mirror.take($0) }
        mirrors.append(mirror)
      }
    }
    desk.work { _ in }
    for round in 0..<rounds {
      (dice.below(4) == 0 ? desk : other).commit { Self.change($0, &dice) }
      desk.work { realm in
        realm.refresh()
        let first = realm.objects(Bead.self)[0]
        for mirror in mirrors {
          let asked = mirror.name.replacing(" sorted", with: "").replacing(
            " of the first", with: "")
          var now = realm.objects(Bead.self)
          now = asked.contains("%@") ? now.filter(asked, first) : now.filter(asked)
          if mirror.name.hasSuffix("sorted") { now = now.sorted(by: ["link.i", "id"]) }
          let isFirst = mirror.name.hasSuffix("of the first")
          if isFirst, first.id != 0 { continue }
          #expect(
            mirror.ids == now.map(\.id) && mirror.faults.isEmpty,
            "\(mirror.name), round \(round), SEED=\(seed): \(mirror.faults)")
        }
      }
      if mirrors.contains(where: { !$0.faults.isEmpty }) { break }
    }
    desk.work { _ in for mirror in mirrors { mirror.token?.invalidate() } }
  }

  @Test func `NOTIFY-06: a section hears of links backwards that its key is made of`() {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [Bead.self, BeadPart.self, Band.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      for id in 0..<3 { realm.create(Bead.self, value: ["id": id]) }
    }
    let told = Noted<String>()
    let token = desk.work { realm in
      realm.objects(Bead.self).sectioned(by: { $0.hubs.count }, sortDescriptors: ["id"]).observe {
        if case .update(let sections, _, _, _, _, _) = $0 { told.add("\(sections.allKeys)") }
      }
    }
    desk.work { _ in }
    other.commit { realm in
      let hub = realm.create(Band.self, value: ["i": 1])
      hub.knots.append(realm.objects(Bead.self)[1])
    }
    desk.work { _ in }
    other.commit { $0.delete($0.objects(Band.self)) }
    desk.work { _ in }
    #expect(told.all == ["[0, 1]", "[0]"])
    token.invalidate()
  }
}
