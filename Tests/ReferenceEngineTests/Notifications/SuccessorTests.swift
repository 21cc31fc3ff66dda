import Foundation
import Testing

@testable import ReferenceEngine

/// An object that is added under the key of one that was deleted is another object, and a section
/// may change places with another. Listeners were told of neither: they held what was no longer
/// there, or had a copy that was not the collection.
@Suite struct SuccessorTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Slip.self, Dog.self])

  /// Deletes an object and adds another that looks the same.
  private static func succeed(_ realm: Realm, _ id: Int) {
    let slip = realm.object(ofType: Slip.self, forPrimaryKey: id)!
    let text = slip.text
    realm.delete(slip)
    realm.create(Slip.self, value: ["id": id, "text": text])
  }

  @Test(arguments: ["at once", "apart", "among many"])
  func `NOTIFY-06: another object under the same key is a deletion and an insertion`(way: String) {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      for id in 0..<3 { realm.create(Slip.self, value: ["id": id, "text": "same"]) }
      let holder = realm.create(Slip.self, value: ["id": 9, "text": "holder"])
      holder.others.append(objectsIn: realm.objects(Slip.self).filter("id < 3"))
    }
    let told = Noted<String>()
    let tokens = desk.work { realm in
      let all = realm.objects(Slip.self)
      let ways: [(String, AnyRealmCollection<Slip>, [String]?)] = [
        ("all", AnyRealmCollection(all), nil), ("shallow", AnyRealmCollection(all), []),
        ("by path", AnyRealmCollection(all), ["text"]),
        ("filtered", AnyRealmCollection(all.filter("id == 1")), nil),
        ("asking others", AnyRealmCollection(all.filter("id == 1 AND before.@count == 0")), nil),
        (
          "sorted", AnyRealmCollection(all.filter("id < 3").sorted(byKeyPath: "id")), []
        ),
        ("list", AnyRealmCollection(all.last!.others), []),
      ]
      return ways.map { name, collection, keyPaths in
        collection.observe(keyPaths: keyPaths) { change in
          if case .initial = change { return }
          told.add("\(name) \(change.brief)")
        }
      } + [
        all.sectioned(by: \.text, sortDescriptors: ["text"]).observe(keyPaths: []) {
          if case .update(_, let gone, let come, let modified, _, _) = $0 {
            told.add("sections -\(gone.map(Array.init)) +\(come.map(Array.init)) ~\(modified)")
          }
        },
        all[1].observe { if case .deleted = $0 { told.add("object deleted") } },
      ]
    }
    desk.work { _ in }
    switch way {
    case "at once": other.commit { Self.succeed($0, 1) }
    case "apart":
      desk.work { $0.autorefresh = false }
      other.commit { realm in realm.delete(realm.objects(Slip.self).filter("id == 1")) }
      other.commit { $0.create(Slip.self, value: ["id": 1, "text": "same"]) }
      desk.work { $0.refresh() }
    default:
      // So many changes that the commit's record cannot name them all.
      desk.work { $0.autorefresh = false }
      other.commit { realm in
        let count = 2 * ChangeLog.mostChanges + 4
        for age in 0..<count { realm.create(Dog.self, value: ["age": age]) }
      }
      desk.work { $0.refresh() }
      other.commit { realm in
        for dog in realm.objects(Dog.self) where dog.age % 2 == 0 { dog.name = "even" }
        Self.succeed(realm, 1)
      }
      desk.work { $0.refresh() }
    }
    desk.work { _ in }
    // The list's owner was not told to hold the new one.
    let list = told.all.filter { $0.hasPrefix("list") }
    #expect(list == ["list -[1] +[] ~[]"])
    #expect(
      told.all.filter { !$0.hasPrefix("list") } == [
        "all -[1] +[1] ~[3]", "shallow -[1] +[1] ~[]", "by path -[1] +[1] ~[]",
        "filtered -[0] +[0] ~[]", "asking others -[0] +[0] ~[]", "sorted -[1] +[1] ~[]",
        "sections -[[1, 1]] +[[1, 1]] ~[]", "object deleted",
      ])
    desk.work { _ in for token in tokens { token.invalidate() } }
  }

  @Test func `NOTIFY-06: a list with the new object in the place of the old tells both`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      for id in 0..<3 { realm.create(Slip.self, value: ["id": id, "text": "same"]) }
      let holder = realm.create(Slip.self, value: ["id": 9])
      for id in [0, 1, 1, 2] { holder.others.append(realm.objects(Slip.self)[id]) }
    }
    let told = Noted<String>()
    let token = desk.work { realm in
      realm.objects(Slip.self).last!.others.observe { told.add($0.brief) }
    }
    desk.work { _ in }
    other.commit { realm in
      Self.succeed(realm, 1)
      let slips = realm.objects(Slip.self)
      slips.last!.others.insert(slips[1], at: 1)
      slips.last!.others.insert(slips[1], at: 1)
    }
    desk.work { _ in }
    #expect(told.all == ["initial", "-[1, 2] +[1, 2] ~[]"])
    token.invalidate()
  }

  /// Whoever holds the objects of a collection and follows what is told holds none that is gone.
  @Test func `NOTIFY-06: what is held by what was told is there`() {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      for id in 0..<12 { realm.create(Slip.self, value: ["id": id, "text": "\(id % 4)"]) }
    }
    let copies = desk.work { realm in
      let all = realm.objects(Slip.self)
      return [
        Holding(all), Holding(all.filter("text != '1'")),
        Holding(all.filter("before.@count < 2")),
        Holding(all.sorted(by: ["next.text", "id"])),
        Holding(all.filter("text != '2'").sorted(byKeyPath: "text")),
      ]
    }
    for round in 0..<120 {
      for _ in 0...dice.below(3) {
        other.commit { realm in
          let slips = realm.objects(Slip.self)
          for _ in 0...dice.below(5) {
            let id = dice.below(14)
            switch (dice.below(4), realm.object(ofType: Slip.self, forPrimaryKey: id)) {
            case (0, _?): Self.succeed(realm, id)
            case (1, let slip?): slip.next = slips[dice.below(slips.count)]
            case (2, let slip?) where slips.count > 3: realm.delete(slip)
            case (_, let slip?): slip.text = "\(dice.below(4))"
            case (_, nil): realm.create(Slip.self, value: ["id": id, "text": "\(dice.below(4))"])
            }
          }
        }
      }
      desk.work { realm in
        realm.refresh()
        for copy in copies {
          #expect(copy.fault == nil, "round \(round), SEED=\(seed)")
        }
      }
    }
    desk.work { _ in for copy in copies { copy.token?.invalidate() } }
  }

  @Test func `NOTIFY-06: sections that change places are told`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      for (age, name) in ["a", "b", "c", "a"].enumerated() {
        realm.create(Dog.self, value: ["name": name, "age": age])
      }
    }
    let told = Noted<String>()
    let token = desk.work { realm in
      realm.objects(Dog.self).sectioned(by: { $0.name }, sortDescriptors: ["age"]).observe {
        guard case .update(let sections, let gone, let come, let modified, let new, let old) = $0
        else { return }
        told.add(
          "\(sections.allKeys.joined()) -\(gone.map(Array.init)) +\(come.map(Array.init)) "
            + "~\(modified.map(Array.init)) sections +\(Array(new)) -\(Array(old))")
      }
    }
    desk.work { _ in }
    // From a (0, 3) b (1) c (2) to b (1) c (2) a (3, 4), and with c gone and a first again.
    other.commit { $0.objects(Dog.self)[0].age = 4 }
    desk.work { _ in }
    other.commit { realm in
      realm.objects(Dog.self)[3].age = 0
      realm.objects(Dog.self)[2].name = "b"
    }
    desk.work { _ in }
    #expect(
      told.all == [
        "bca -[] +[[2, 0], [2, 1]] ~[] sections +[2] -[0]",
        "ab -[] +[[1, 0], [1, 1]] ~[[2, 0]] sections +[1] -[0, 1]",
      ])
    token.invalidate()
  }
}

/// The objects of a collection, held by what its listener was told.
private final class Holding: @unchecked Sendable {
  // Sendable because it is only touched at the desk.
  private let collection: Results<Slip>
  private var held: [Slip] = []
  private(set) var token: NotificationToken?

  init(_ collection: Results<Slip>) {
    self.collection = collection
    token = collection.observe { [unowned self] change in
      switch change {
      case .initial(let all): held = Array(all)
      case .update(let all, let deletions, let insertions, _):
        for place in deletions.reversed() { held.remove(at: place) }
        for place in insertions { held.insert(all[place], at: place) }
      case .error: break
      }
    }
  }

  /// What is held and not what the collection has.
  var fault: String? {
    let now = Array(collection)
    if held.contains(where: \.isInvalidated) { return "something held is gone" }
    return zip(held, now).allSatisfy { $0.isSameObject(as: $1) } && held.count == now.count
      ? nil : "held \(held.map(\.id)), there \(now.map(\.id))"
  }
}
