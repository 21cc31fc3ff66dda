import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Objects that others hold once, twice or many times, in each kind of property, and that go.
  static let manyHolds: [Probe] = [1, 2, 3, 70].flatMap { count in
    ["its deletion", "a query", "an array", "elsewhere", "cancelled first"].map { way in
      Probe("what held an object \(count) times does not have it after \(way)") { stage in
        Backstage.hooks?.skipFlushes()
        var configuration = stage.specimens()
        configuration.objectTypes = [Specimen.self, Hamper.self, Address.self]
        let realm = try Realm(configuration: configuration)
        realm.autorefresh = false
        try realm.write {
          for id in 0..<4 { realm.add(Specimen(id: id)) }
          realm.add(Hamper(key: 1))
          let (holder, other) = (realm.specimen(0)!, realm.specimen(1)!)
          let (gone, stays) = (realm.specimen(2)!, realm.specimen(3)!)
          let parcel = realm.object(ofType: Hamper.self, forPrimaryKey: 1)!
          for number in 0..<count {
            // Beside each of those that go one stays.
            for (name, one) in [("gone", gone), ("stays", stays)] {
              holder.named["\(name) \(number)"] = .some(one)
              holder.members.append(one)
              holder.spares.append(one)
              parcel.anys.append(.object(one))
              parcel.byName["\(name) \(number)"] = .object(one)
            }
          }
          holder.group.insert(gone)
          holder.group.insert(stays)
          holder.next = gone
          holder.other = stays
          other.next = gone
          parcel.any = .object(gone)
        }
        func look(_ realm: Realm, _ isGone: Bool, _ moment: String) {
          let what = "\(count) times, \(way), \(moment)"
          guard let holder = realm.specimen(0),
            let parcel = realm.object(ofType: Hamper.self, forPrimaryKey: 1)
          else { return }
          let ids = [Int?](repeating: isGone ? nil : 2, count: count)
          stage.equal(holder.named.count, 2 * count, "the entries of the map, \(what)")
          stage.equal(
            (0..<count).map { (holder.named["gone \($0)"] ?? nil)?.id }, ids, "the map, \(what)")
          stage.equal(
            (0..<count).map { (holder.named["stays \($0)"] ?? nil)?.id },
            Array(repeating: 3, count: count), "what stays in the map, \(what)")
          for (name, list) in [("list", holder.members), ("other list", holder.spares)] {
            stage.equal(
              list.map(\.id).filter { $0 != 3 }, isGone ? [] : Array(repeating: 2, count: count),
              "the \(name), \(what)")
            stage.equal(
              list.map(\.id).filter { $0 == 3 }.count, count, "what stays in the \(name), \(what)")
          }
          stage.equal(
            Set(holder.group.map(\.id)), isGone ? [3] : [2, 3], "the set, \(what)")
          stage.equal(holder.next?.id, isGone ? nil : 2, "the link, \(what)")
          stage.equal(holder.other?.id, 3, "the link that stays, \(what)")
          stage.equal(realm.specimen(1)?.next?.id, isGone ? nil : 2, "another's link, \(what)")
          func leads(_ value: AnyRealmValue?) -> Int? { value?.object(Specimen.self)?.id }
          stage.equal(leads(parcel.any), isGone ? nil : 2, "the mixed value, \(what)")
          stage.equal(
            parcel.anys.compactMap { leads($0) }.filter { $0 == 2 }.count, isGone ? 0 : count,
            "the list of mixed values, \(what)")
          stage.equal(
            parcel.anys.compactMap { leads($0) }.filter { $0 == 3 }.count, count,
            "what stays in the list of mixed values, \(what)")
          stage.equal(
            (0..<count).map { leads(parcel.byName["gone \($0)"]) }, ids,
            "the map of mixed values, \(what)")
        }
        func delete(_ realm: Realm) {
          switch way {
          case "a query": realm.delete(realm.objects(Specimen.self).where { $0.id == 2 })
          case "an array": realm.delete(Array(realm.objects(Specimen.self).filter("id == 2")))
          default: realm.delete(realm.specimen(2)!)
          }
        }
        look(realm, false, "before")
        if way == "cancelled first" {
          realm.beginWrite()
          delete(realm)
          look(realm, true, "in the write that is cancelled")
          realm.cancelWrite()
          look(realm, false, "after the write that was cancelled")
        }
        if way == "elsewhere" {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { delete(other) }
          }
          look(realm, false, "before the refresh")
          realm.refresh()
        } else {
          try realm.write {
            delete(realm)
            look(realm, true, "in the write")
          }
        }
        look(realm, true, "after it")
        try stage.elsewhere { look(try Realm(configuration: configuration), true, "elsewhere") }
        // Whoever comes under the key is another one.
        try realm.write { realm.add(Specimen(id: 2)) }
        look(realm, true, "when another has its key")
      }
    }
  }

  /// Collections that an update gives other lengths, one after the other.
  static let lengths: [Probe] = [Realm.UpdatePolicy.modified, .all].flatMap { policy in
    ["values", "an object"].map { source in
      Probe("an update, \(policy.rawValue), makes each collection what \(source) had") { stage in
        var configuration = stage.specimens()
        configuration.objectTypes = [Specimen.self, Hamper.self, Address.self]
        let realm = try Realm(configuration: configuration)
        let lengths = [0, 1, 3, 2, 2, 0, 5, 4, 1, 70, 3, 0, 2]
        for (round, length) in lengths.enumerated() {
          let texts = (0..<length).map { "\(round) \($0)" }
          let ids = Array(1..<(length + 1))
          try realm.write {
            if source == "values" {
              realm.create(
                Hamper.self,
                value: [
                  "key": 1, "addresses": texts.map { ["street": $0] }, "number": round,
                  "anys": texts.map { AnyRealmValue.string($0) },
                ] as [String: Any], update: policy)
              realm.create(
                Specimen.self,
                value: [
                  "id": 0, "words": texts, "numbers": ids, "labels": texts, "amount": round,
                  "members": ids.map { ["id": $0] }, "spares": ids.map { ["id": $0] },
                  "group": ids.map { ["id": $0] },
                ] as [String: Any], update: policy)
            } else {
              let (parcel, specimen) = (Hamper(key: 1), Specimen(id: 0))
              for text in texts {
                let address = Address()
                address.street = text
                parcel.addresses.append(address)
                parcel.anys.append(.string(text))
                specimen.words.append(text)
                specimen.labels.insert(text)
              }
              (parcel.number, specimen.amount) = (round, round)
              for id in ids {
                let member = Specimen(id: id)
                specimen.numbers.append(id)
                specimen.members.append(member)
                specimen.spares.append(member)
                specimen.group.insert(member)
              }
              realm.add(parcel, update: policy)
              realm.add(specimen, update: policy)
            }
          }
          func look(_ realm: Realm, _ moment: String) {
            let parcel = realm.object(ofType: Hamper.self, forPrimaryKey: 1)!
            let specimen = realm.specimen(0)!
            let what = "of length \(length) \(moment)"
            stage.equal(
              Array(parcel.addresses.map(\.street)), texts, "the embedded objects \(what)")
            stage.equal(
              parcel.anys.map { $0.stringValue ?? "" }, texts, "the mixed values \(what)")
            stage.equal(Array(specimen.words), texts, "the texts \(what)")
            stage.equal(Set(specimen.labels), Set(texts), "the set of texts \(what)")
            stage.equal(Array(specimen.numbers), ids.map { $0 }, "the numbers \(what)")
            stage.equal(Array(specimen.members.map(\.id)), ids, "the members \(what)")
            stage.equal(Array(specimen.spares.map(\.id)), ids, "the other members \(what)")
            stage.equal(Set(specimen.group.map(\.id)), Set(ids), "the set of objects \(what)")
            stage.equal([parcel.number, specimen.amount], [round, round], "the numbers \(what)")
          }
          look(realm, "after update \(round)")
          try stage.elsewhere { look(try Realm(configuration: configuration), "elsewhere") }
        }
      }
    }
  }
}
