import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Many references at once, in any order of their resolving.
  static let manyReferences: [Probe] = [1, 5, 64, 65, 130, 600].map { count in
    Probe("each of \(count) references that wait at once leads to its own, in any order") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      try realm.write {
        for id in 0..<count {
          realm.add(Account(id: id, balance: id))
          let person = Person(name: "\(id)", age: id)
          person.dogs.append(Dog(name: "of \(id)", age: id))
          realm.add(person)
        }
      }
      realm.autorefresh = false
      let accounts = Array(realm.objects(Account.self).sorted(byKeyPath: "id"))
      let people = Array(realm.objects(Person.self).sorted(byKeyPath: "age"))
      for round in 0..<3 {
        let objects = accounts.map { ThreadSafeReference(to: $0) }
        let keyless = people.map { ThreadSafeReference(to: $0) }
        let lists = people.map { ThreadSafeReference(to: $0.dogs) }
        let results = (0..<count).map { id in
          ThreadSafeReference(to: realm.objects(Account.self).where { $0.id == id })
        }
        // Others write meanwhile, and half of them are not resolved at all.
        if round > 0 {
          try stage.foreign { realm in
            for id in 0..<count { realm.account(id).balance = 1_000 * round + id }
          }
        }
        var order = Array(0..<count)
        if round == 1 { order.reverse() }
        if round == 2 { order = order.filter { $0 % 2 == 0 } + order.filter { $0 % 4 == 1 } }
        let now = round
        try stage.elsewhere {
          let other = try stage.open()
          other.autorefresh = false
          for id in order {
            let wanted = 1_000 * now + id
            stage.equal(other.resolve(objects[id])?.balance, wanted, "the balance of \(id)")
            stage.equal(other.resolve(keyless[id])?.name, "\(id)", "the name of \(id)")
            stage.equal(
              other.resolve(lists[id]).map { $0.map(\.name) }, ["of \(id)"], "the dogs of \(id)")
            stage.equal(
              other.resolve(results[id]).map { $0.map(\.balance) }, [wanted], "who has \(id)")
          }
        }
        realm.refresh()
      }
    }
  }
}
