import EngineUnderTest
import Foundation
import Harness

/// A listener to something of the specimens 0 to 2, which writes what it is told into a log.
struct Hearer: Sendable {
  let name: String
  let listen: @Sendable (Realm, @escaping (String) -> Void) -> NotificationToken

  /// One to a collection of any type.
  private static func of<Members: RealmCollection>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Members
  ) -> Hearer where Members: SendableMetatype {
    Hearer(name: name) { realm, say in
      find(realm).observe {
        if case .update(_, let gone, let come, let changed) = $0 {
          say("\(gone) \(come) \(changed)")
        }
      }
    }
  }

  static let all = [
    of("all objects") { $0.objects(Specimen.self) },
    of("a filter") { $0.objects(Specimen.self).where { $0.amount >= 0 } },
    of("a sort") { $0.objects(Specimen.self).sorted(byKeyPath: "amount") },
    of("distinct ones") { $0.objects(Specimen.self).distinct(by: ["amount"]) },
    of("a list") { $0.specimen(0)!.members },
    of("a list of numbers") { $0.specimen(0)!.numbers },
    of("a query of a list") { $0.specimen(0)!.members.where { $0.amount >= 0 } },
    of("a set") { $0.specimen(0)!.group },
    of("links backwards") { $0.specimen(0)!.throughNext },
    of("an erased list") { AnyRealmCollection($0.specimen(0)!.members) },
    of("shown specimens") { $0.objects(SpecimenView.self) },
    Hearer(name: "a map") { realm, say in
      realm.specimen(0)!.scores.observe {
        if case .update(_, let gone, let come, let changed) = $0 {
          say("\(gone.sorted()) \(come.sorted()) \(changed.sorted())")
        }
      }
    },
    Hearer(name: "an object") { realm, say in
      realm.specimen(1)!.observe { (change: ObjectChange<Specimen>) in
        if case .change(_, let properties) = change { say("\(properties.map(\.name).sorted())") }
      }
    },
    Hearer(name: "a projection") { realm, say in
      SpecimenView(projecting: realm.specimen(1)!).observe { change in
        if case .change(_, let properties) = change { say("\(properties.map(\.name).sorted())") }
      }
    },
    Hearer(name: "sections") { realm, say in
      realm.objects(Specimen.self).sectioned(by: \.word, ascending: true).observe {
        if case .update(_, let gone, let come, let changed, let new, let old) = $0 {
          say("\(gone) \(come) \(changed) \(Array(new)) \(Array(old))")
        }
      }
    },
    Hearer(name: "sections of a list") { realm, say in
      realm.specimen(0)!.members.sectioned(by: \.word, ascending: true).observe {
        if case .update(_, let gone, let come, let changed, let new, let old) = $0 {
          say("\(gone) \(come) \(changed) \(Array(new)) \(Array(old))")
        }
      }
    },
  ]

  /// What a write does to all that is listened to: it adds, it changes or takes away.
  static func change(_ realm: Realm, _ step: Int) {
    let first = realm.specimen(0)!
    switch step % 3 {
    case 0:
      let new = Specimen(id: 10 + step)
      new.amount = 10 + step
      realm.add(new)
      new.next = first
      first.members.insert(new, at: 0)
      first.group.insert(new)
      first.numbers.insert(step, at: 0)
      first.scores["\(step)"] = step
      realm.specimen(1)!.amount += 1
    case 1:
      realm.specimen(1)!.word = realm.specimen(1)!.word == "" ? "x" : ""
      realm.specimen(2)!.amount += 3
      first.scores["0"] = step
      if first.numbers.count > 0 { first.numbers[0] = 100 + step }
      first.members.append(realm.specimen(2)!)
    default:
      let gone = realm.objects(Specimen.self).where { $0.id >= 10 }
      if let one = gone.first { realm.delete(one) }
      if first.numbers.count > 1 { first.numbers.remove(at: 1) }
      realm.specimen(1)!.ratio += 1
      realm.specimen(1)!.amount += 1
    }
  }
}

extension Stage {
  /// What the specimens 0 to 2 have that is listened to.
  func stockedForHearers(_ configuration: Realm.Configuration) throws -> Realm {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<3 {
        realm.add(Specimen(id: id))
        realm.specimen(id)!.amount = id
      }
      realm.specimen(0)!.members.append(realm.specimen(1)!)
      realm.specimen(0)!.numbers.append(7)
      realm.specimen(0)!.scores["0"] = 1
      realm.specimen(2)!.next = realm.specimen(0)!
    }
    return realm
  }
}
