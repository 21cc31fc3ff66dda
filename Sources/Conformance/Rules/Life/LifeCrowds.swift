import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Many files at once, with classes of their own: each has its own data, however many others were
  /// opened between.
  static let crowdsOfFiles: [Probe] = [1, 5, 17, 65, 130].map { count in
    Probe("\(count) files that are open at once are each its own, opened again and again") {
      stage in
      Backstage.hooks?.skipFlushes()
      func configuration(_ number: Int) -> Realm.Configuration {
        var configuration = stage.configuration("file \(number)")
        // With other classes beside the one that all have.
        let others =
          [
            Person.self, Dog.self, Todo.self, Blob.self, IntKeyed.self, StringKeyed.self,
            UUIDKeyed.self, Broad.self,
          ] as [ObjectBase.Type]
        let place = number % others.count
        let second = others[(place + 1 + number / others.count % 5) % others.count]
        let classes: [ObjectBase.Type] = [Account.self, others[place], second]
        // A list leads to dogs, so that people come with them.
        configuration.objectTypes =
          classes.contains { $0 == Person.self } ? classes + [Dog.self] : classes
        if classes.contains(where: { $0 == Dog.self }) {
          configuration.objectTypes = [Account.self, Person.self, Dog.self]
        }
        return configuration
      }
      var realms: [Realm?] = []
      for number in 0..<count {
        let realm = try Realm(configuration: configuration(number))
        try realm.write { realm.add(Account(id: number, balance: 10 * number)) }
        realms.append(realm)
      }
      for round in 0..<3 {
        for number in round == 1 ? Array((0..<count).reversed()) : Array(0..<count) {
          let again = try Realm(configuration: configuration(number))
          stage.equal(
            again.objects(Account.self).map(\.id), [number], "who is in file \(number)")
          if let realm = realms[number] {
            stage.expect(realm == again, "file \(number) has one realm on this thread")
          }
          let wanted = 10 * number + round
          stage.equal(again.account(number).balance, wanted, "the balance in file \(number)")
          try stage.elsewhere {
            let other = try Realm(configuration: configuration(number))
            try other.write { other.account(number).balance += 1 }
          }
          again.refresh()
          stage.equal(again.account(number).balance, wanted + 1, "and after another thread's write")
        }
        // Every third is let go, and opened anew in the next round.
        for number in realms.indices where number % 3 == round { realms[number] = nil }
      }
      for number in 0..<count where number % 4 == 0 {
        realms[number] = nil
        stage.equal(
          try Realm.deleteFiles(for: configuration(number)), true, "whether \(number) was deleted")
      }
      for number in 0..<count {
        let realm = try Realm(configuration: configuration(number))
        stage.equal(
          realm.objects(Account.self).map(\.balance), number % 4 == 0 ? [] : [10 * number + 3],
          "what is in file \(number) in the end")
      }
    }
  }

  /// Many realms of one file: each home has one, whatever version it shows.
  static let crowdsOfHomes: [Probe] = [1, 5, 65, 130].map { count in
    Probe("of one file each of \(count) queues has a realm of its own, and always the same") {
      stage in
      Backstage.hooks?.skipFlushes()
      let configuration = stage.configuration()
      let realm = try stage.open()
      try realm.write { realm.add(Account(id: 1)) }
      let queues = (0..<count).map { DispatchQueue(label: "home \($0)") }
      var realms: [Realm?] = []
      for (number, queue) in queues.enumerated() {
        try realm.write { realm.account(1).balance = number }
        try queue.sync {
          let mine = try Realm(configuration: configuration, queue: queue)
          mine.autorefresh = false
          stage.equal(mine.account(1).balance, number, "the balance on queue \(number)")
          stage.expect(
            !realms.contains { $0 == mine }, "queue \(number) has a realm of its own")
          realms.append(mine)
        }
      }
      try realm.write { realm.account(1).balance = -1 }
      for (number, queue) in queues.enumerated().reversed() {
        try queue.sync {
          let again = try Realm(configuration: configuration, queue: queue)
          stage.expect(again == realms[number], "queue \(number) has one realm")
          stage.equal(again.autorefresh, false, "its autorefresh")
          stage.equal(again.account(1).balance, number, "the balance on queue \(number) still")
          if number % 2 == 0 {
            again.refresh()
            stage.equal(again.account(1).balance, -1, "the refreshed balance of \(number)")
          }
          if number % 3 == 0 { realms[number] = nil }
        }
      }
      for (number, queue) in queues.enumerated() {
        try queue.sync {
          let again = try Realm(configuration: configuration, queue: queue)
          let isNew = number % 3 == 0
          stage.equal(
            again.account(1).balance, isNew || number % 2 == 0 ? -1 : number,
            "the balance of \(number), opened \(isNew ? "anew" : "again")")
          realms[number] = nil
        }
      }
      stage.expect(try stage.open() == realm, "the realm of this thread")
    }
  }

  /// A copy of many objects, asked as the original is: by each field, with and without an index.
  static let crowdsCopied: [Probe] = ["at rest", "in a write", "after a cancel", "frozen"].map {
    moment in
    Probe("a copy answers each question as the original does, made \(moment)") { stage in
      Backstage.hooks?.skipFlushes()
      for size in [1, 5, 65, 300, 700] {
        var source = try Realm(configuration: stage.specimens("\(size)"))
        let crowd = Crowd(size, seed: stage.seed)
        try crowd.fill(source)
        var wanted = Set(0..<size)
        if moment == "in a write" || moment == "after a cancel" {
          source.beginWrite()
          let gone = (0..<size).filter { $0 % 3 == 1 || $0 >= 600 }
          source.delete(source.objects(Specimen.self).where { $0.id.in(gone) })
          for id in 1_000..<1_070 {
            let specimen = Specimen(id: id)
            for field in Fields.all { field.write(crowd.value(field, id), to: specimen) }
            source.add(specimen)
          }
          if moment == "after a cancel" {
            source.cancelWrite()
          } else {
            wanted = Set((0..<size).filter { $0 % 3 != 1 && $0 < 600 }).union(1_000..<1_070)
          }
        }
        if moment == "frozen" {
          let live = source
          source = live.freeze()
          try live.write { live.delete(live.objects(Specimen.self)) }
        }
        try source.writeCopy(configuration: stage.specimens("copy of \(size)"))
        if source.isInWriteTransaction { source.cancelWrite() }
        let copy = try Realm(configuration: stage.specimens("copy of \(size)"))
        let all = copy.objects(Specimen.self)
        stage.equal(Set(all.map(\.id)), wanted, "who is in the copy of \(size)")
        stage.equal(
          wanted.filter { copy.specimen($0)?.id != $0 }, [], "who is not found by the key")
        func ask(_ field: some AnyField) {
          for value in field.range {
            let place = field.place(value.map { AnyHashable($0) })
            let due = wanted.filter { field.place(crowd.value(field, $0)) == place }
            let found = all.where { field.equal($0, value) }
            stage.expect(
              Set(found.map(\.id)) == due && found.count == due.count,
              "\(due.count) of \(size) have the value of \(field.name) in the copy",
              observed: "\(found.count)")
          }
        }
        for field in Fields.all { ask(field) }
        let members = copy.specimen(0)!.members
        stage.equal(
          members.map(\.id), crowd.chosen.filter { wanted.contains($0) }, "the list in the copy")
        stage.equal(
          Set(copy.specimen(0)!.group.map(\.id)), Set(crowd.chosen).intersection(wanted),
          "the set in the copy")
        if let last = members.last {
          stage.equal(last.throughMembers.map(\.id), [0], "whose list the last member is in")
        }
        try copy.write {
          copy.delete(copy.objects(Specimen.self).where { $0.id.in(wanted.filter { $0 % 2 == 0 }) })
        }
        stage.equal(
          Set(copy.objects(Specimen.self).map(\.id)), wanted.filter { $0 % 2 != 0 },
          "who is left when some were deleted in the copy")
      }
    }
  }
}
