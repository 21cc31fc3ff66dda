import EngineUnderTest
import Foundation
import Harness

extension Holder {
  /// What is done many times in a life: each lets go whatever it has kept.
  static let daily: [Holder] = [
    Holder(name: "frozen things of each kind, thawed") { _, realm in
      let ann = realm.person("Ann")
      EngineUse.keep(ann.dogs.freeze().thaw()?.count)
      EngineUse.keep(ann.dogs[0].owners.freeze().thaw()?.count)
      EngineUse.keep(realm.objects(Person.self).where { $0.age > 1 }.freeze().thaw()?.count)
      EngineUse.keep(
        realm.objects(Person.self).sorted(byKeyPath: "age").freeze().first?.freeze().name)
      EngineUse.keep(AnyRealmCollection(ann.dogs).freeze().count)
      EngineUse.keep(realm.freeze().freeze().thaw().account(1).balance)
    },
    Holder(name: "references to each kind of thing, resolved here or dropped") { _, realm in
      let ann = realm.person("Ann")
      EngineUse.keep(realm.resolve(ThreadSafeReference(to: ann.dogs))?.count)
      EngineUse.keep(realm.resolve(ThreadSafeReference(to: ann.dogs[0].owners))?.count)
      EngineUse.keep(realm.resolve(ThreadSafeReference(to: realm.objects(Dog.self)))?.count)
      EngineUse.keep(
        realm.resolve(ThreadSafeReference(to: realm.objects(Dog.self).where { $0.age > 1 })))
      EngineUse.keep(ThreadSafeReference(to: realm.objects(Dog.self).sorted(byKeyPath: "age")))
      EngineUse.keep(ThreadSafeReference(to: realm.freeze().account(1)))
    },
    Holder(name: "variables of each kind, read here and elsewhere, and assigned") { stage, realm in
      let dogs = ThreadSafe(wrappedValue: realm.objects(Dog.self).where { $0.age > 0 })
      let list = ThreadSafe(wrappedValue: realm.person("Ann").dogs)
      for round in 0..<3 {
        try realm.write { realm.account(2).balance = round }
        EngineUse.keep(dogs.wrappedValue?.count)
        EngineUse.keep(list.wrappedValue?.count)
        try stage.elsewhere {
          EngineUse.keep(dogs.wrappedValue?.count)
          EngineUse.keep(list.wrappedValue?.count)
        }
        dogs.wrappedValue = realm.objects(Dog.self).where { $0.age > round }
      }
    },
    Holder(name: "listeners of each kind of thing, told twice") { stage, realm in
      if realm.objects(Everything.self).isEmpty {
        try realm.write { EngineUse.keep(realm.create(Everything.self, value: ["int": 1])) }
      }
      let all = realm.objects(Everything.self)[0]
      let ann = realm.person("Ann")
      let people = realm.objects(Person.self)
      let sections = people.sectioned(by: \.age)
      let tokens = [
        all.observe { (_: ObjectChange<Everything>) in }, all.numbers.observe { _ in },
        all.words.observe { _ in }, all.scores.observe { _ in }, all.dogs.observe { _ in },
        ann.dogs.observe { _ in }, ann.dogs.sorted(byKeyPath: "name").observe { _ in },
        ann.dogs[0].owners.observe { _ in }, AnyRealmCollection(ann.dogs).observe { _ in },
        PersonView(projecting: ann).observe { _ in },
        people.where { $0.age > 1 }.observe { _ in }, people.distinct(by: ["age"]).observe { _ in },
        sections.observe { _ in }, sections[0].observe { _ in }, realm.observe { _, _ in },
      ]
      try stage.settle(realm)
      try realm.write {
        all.numbers.append(1)
        all.words.insert("word \(all.numbers.count)")
        all.scores["a"] = all.numbers.count
        ann.dogs[0].age += 1
      }
      try stage.settle(realm)
      for token in tokens { token.invalidate() }
    },
    Holder(name: "listeners of each kind that end in their own call") { stage, realm in
      var tokens: [NotificationToken] = []
      var calls = 0
      func end(_ place: Int) {
        calls += 1
        tokens[place].invalidate()
      }
      let ann = realm.person("Ann")
      var isReady = false
      tokens = [
        realm.objects(Account.self).observe { _ in if isReady { end(0) } },
        ann.dogs.observe { _ in if isReady { end(1) } },
        ann.dogs[0].owners.observe { _ in if isReady { end(2) } },
        ann.observe { (_: ObjectChange<Person>) in end(3) },
        realm.observe { _, _ in end(4) },
      ]
      try stage.settle(realm)
      isReady = true
      try stage.foreign {
        $0.person("Ann").age += 1
        $0.person("Ann").dogs[0].age += 1
        $0.account(2).balance += 1
      }
      try stage.spin(until: { calls >= 5 }, "the calls of all")
    },
    Holder(name: "a listener whose object is deleted") { stage, realm in
      let account = try realm.write {
        let account = Account(id: 77)
        realm.add(account)
        return account
      }
      var isGone = false
      let token = account.observe { (change: ObjectChange<Account>) in
        if case .deleted = change { isGone = true }
      }
      try stage.foreign { $0.delete($0.account(77)) }
      realm.refresh()
      try stage.spin(until: { isGone }, "that it is told")
      token.invalidate()
    },
    Holder(name: "listeners that were dropped, not ended") { stage, realm in
      var calls = 0
      var tokens = [
        realm.objects(Account.self).observe { _ in calls += 1 },
        realm.objects(Account.self).where { $0.id > 1 }.observe { _ in calls += 1 },
      ]
      try stage.spin(until: { calls >= 2 }, "the first calls")
      tokens = []
      try realm.write { realm.account(2).balance += 1 }
      EngineUse.keep(tokens)
    },
    Holder(name: "a listener on another thread's realm") { stage, realm in
      let (queue, configuration) = (DispatchQueue(label: "listener"), realm.configuration)
      var kept: (Realm, NotificationToken)?
      let told = Latch("the first call")
      try queue.sync {
        let other = try Realm(configuration: configuration, queue: queue)
        kept = (other, other.objects(Account.self).observe { _ in told.open() })
      }
      try stage.wait(for: told)
      try realm.write { realm.account(2).balance += 1 }
      queue.sync { kept = nil }
      queue.sync {}
    },
    Holder(name: "asynchronous writes, with each end") { stage, realm in
      var done = 0
      realm.writeAsync {
        realm.account(2).balance += 1
      } onComplete: { _ in
        done += 1
      }
      realm.beginAsyncWrite { realm.account(2).balance += 1 }
      realm.beginAsyncWrite {
        realm.account(2).balance += 1
        realm.cancelWrite()
      }
      for _ in 0..<3 {
        realm.beginAsyncWrite {
          realm.account(2).balance += 1
          realm.commitAsyncWrite(allowGrouping: true) { _ in done += 1 }
        }
      }
      let id = realm.beginAsyncWrite {}
      try realm.cancelAsyncWrite(id)
      realm.beginWrite()
      realm.account(2).balance += 1
      try realm.cancelAsyncWrite(realm.commitAsyncWrite { _ in })
      try stage.spin(until: { done == 4 }, "all completions")
    },
    Holder(name: "loops and iterators of each kind, left on the way") { _, realm in
      let ann = realm.person("Ann")
      for dog in ann.dogs where dog.age == 1 { break }
      for owner in ann.dogs[0].owners where owner.age > 0 { break }
      for dog in realm.objects(Dog.self).sorted(byKeyPath: "age") where dog.age == 1 { break }
      for dog in AnyRealmCollection(realm.objects(Dog.self)) where dog.age == 1 { break }
      for dog in realm.objects(Dog.self).freeze() where dog.age == 1 { break }
      EngineUse.keep(realm.objects(Dog.self).contains { $0.age == 1 })
    },
    Holder(name: "a copy, and a second opening here") { stage, realm in
      let copy = stage.directory.appendingPathComponent("copy \(UUID()).realm")
      try realm.writeCopy(toFile: copy)
      var configuration = realm.configuration
      configuration.fileURL = copy
      EngineUse.keep(try Realm(configuration: configuration).account(1).balance)
      EngineUse.keep(try Realm(configuration: realm.configuration).account(1).balance)
    },
    Holder(name: "writes that end in each way but one") { _, realm in
      struct Unwanted: Error {}
      _ = try? realm.write {
        realm.account(1).balance = -1
        throw Unwanted()
      }
      try realm.write {
        realm.account(1).balance = -1
        realm.cancelWrite()
      }
      try realm.write { try realm.commitWrite() }
      try realm.write {}
    },
    Holder(name: "a realm that is dropped inside its write") { stage, realm in
      let configuration = realm.configuration
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        other.beginWrite()
        other.account(1).balance = -1
      }
    },
    Holder(name: "realms that go on, refreshed in each way") { stage, realm in
      let configuration = realm.configuration
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        EngineUse.keep(other.account(1).balance)
        for round in 0..<3 {
          try stage.foreign { $0.account(2).balance = round }
          if round == 0 { other.refresh() }
          if round == 1 {
            other.beginWrite()
            other.cancelWrite()
          }
          if round == 2, Engine.offersReins { other.invalidate() }
          EngineUse.keep(other.account(2).balance)
        }
      }
    },
  ]
}
