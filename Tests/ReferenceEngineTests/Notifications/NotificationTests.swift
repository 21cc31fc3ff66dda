import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

@Suite struct NotificationTests {
  private let configuration = freshConfiguration()

  @Test
  func
    `NOTIFY-01, NOTIFY-02, NOTIFY-03: listeners of a realm hear every commit, their own inside it`()
    throws
  {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let heard = Noted<String>()
    let token = desk.work { $0.observe { notification, _ in heard.add("\(notification)") } }
    try desk.work { realm in
      try realm.write {}
      #expect(heard.all == ["didChange"])
    }
    other.commit { _ in }
    desk.work { _ in }
    #expect(heard.all == ["didChange", "didChange"])
    token.invalidate()
    other.commit { _ in }
    desk.work { _ in }
    #expect(heard.all.count == 2)
  }

  /// A turn that was on its way already told of what was committed after the end.
  @Test func `NOTIFY-01: who is ended elsewhere hears of no commit after that`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let heard = Noted<String>()
    let token = desk.work { $0.observe { notification, _ in heard.add("\(notification)") } }
    other.commit { _ in }
    desk.work { _ in }
    #expect(heard.all == ["didChange"])
    desk.queue.suspend()
    desk.queue.async { [configuration] in
      _ = try? Realm(configuration: configuration, queue: desk.queue).refresh()
    }
    token.invalidate()
    other.commit { _ in }
    desk.queue.resume()
    desk.work { _ in }
    #expect(heard.all == ["didChange"])
  }

  @Test func `NOTIFY-04, NOTIFY-05, NOTIFY-06: first the initial call, then what changed`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let told = Noted<String>()
    let token = desk.work { realm -> NotificationToken in
      let token = realm.objects(Person.self).observe { told.add($0.brief) }
      other.commit { $0.add(Person(name: "before the initial call")) }
      return token
    }
    desk.work { _ in }
    #expect(told.all == ["initial"])
    other.commit { $0.add(Person(name: "Ada")) }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[0].age = 1 }
    desk.work { _ in }
    other.commit { $0.delete($0.objects(Person.self)[0]) }
    desk.work { _ in }
    #expect(told.all == ["initial", "-[] +[1] ~[]", "-[] +[] ~[0]", "-[0] +[] ~[]"])
    token.invalidate()
  }

  // desk                              listener
  // observes
  // begins a write                    initial, without what is written
  // commits                           update
  @Test func `NOTIFY-05: the first call comes before its own realm's write`() {
    let desk = Desk(configuration)
    let told = Noted<String>()
    let token = desk.work { realm -> NotificationToken in
      let people = realm.objects(Person.self)
      let token = people.observe { told.add("\($0.brief) of \(people.count)") }
      try? realm.write { realm.add(Person(name: "Ada")) }
      return token
    }
    desk.work { _ in }
    #expect(told.all == ["initial of 0", "-[] +[0] ~[] of 1"])
    token.invalidate()
  }

  @Test func `NOTIFY-05: a listener whose first call met a write is called after it was cancelled`()
  {
    let desk = Desk(configuration)
    let told = Noted<String>()
    let token = desk.work { $0.objects(Person.self).observe { told.add($0.brief) } }
    // The write is open while the home comes to look for news.
    desk.work { $0.beginWrite() }
    desk.work { $0.cancelWrite() }
    desk.work { _ in }
    #expect(told.all == ["initial"])
    token.invalidate()
  }

  @Test func `NOTIFY-08: setting a property to what it is counts`() {
    let desk = Desk(configuration)
    let told = Noted<String>()
    desk.commit { $0.add(Person(name: "Ada")) }
    let token = desk.work { $0.objects(Person.self).observe { told.add($0.brief) } }
    desk.work { _ in }
    desk.commit { realm in
      let ada = realm.objects(Person.self)[0]
      ada.name = ada.name
    }
    desk.work { _ in }
    #expect(told.all == ["initial", "-[] +[] ~[0]"])
    token.invalidate()
  }

  @Test func `NOTIFY-09, NOTIFY-10: only what concerns the collection is told`() {
    let desk = Desk(configuration)
    let told = Noted<String>()
    let token = desk.work { realm in
      realm.objects(Person.self).where { $0.age > 10 }.observe { told.add($0.brief) }
    }
    desk.work { _ in }
    desk.commit { $0.add(Keyed()) }
    desk.work { _ in }
    desk.commit { $0.create(Person.self, value: ["name": "Ada", "age": 5]) }
    desk.work { _ in }
    desk.commit { $0.objects(Person.self)[0].age = 6 }
    desk.work { _ in }
    #expect(told.all == ["initial"])
    desk.commit { $0.objects(Person.self)[0].age = 11 }
    desk.work { _ in }
    desk.commit { $0.objects(Person.self)[0].age = 12 }
    desk.work { _ in }
    desk.commit { $0.objects(Person.self)[0].age = 1 }
    desk.work { _ in }
    #expect(told.all == ["initial", "-[] +[0] ~[]", "-[] +[] ~[0]", "-[0] +[] ~[]"])
    token.invalidate()
  }

  @Test func `NOTIFY-11: collections look over links, objects do not`() {
    let desk = Desk(configuration)
    let told = Noted<String>()
    desk.commit { realm in
      realm.add(Person(name: "other"))
      let ada = Person(name: "Ada")
      ada.dogs.append(Dog(value: ["name": "Rex", "age": 3]))
      realm.add(ada)
    }
    let tokens = desk.work { realm in
      [
        realm.objects(Person.self).observe { told.add($0.brief) },
        realm.objects(Person.self)[1].observe { _ in told.add("object") },
      ]
    }
    desk.work { _ in }
    desk.commit { $0.objects(Dog.self)[0].age = 4 }
    desk.work { _ in }
    #expect(told.all == ["initial", "-[] +[] ~[1]"])
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-12, NOTIFY-13, NOTIFY-14: key paths choose what counts`() {
    let desk = Desk(configuration)
    desk.commit { realm in
      let ada = Person(name: "Ada")
      ada.dogs.append(Dog(value: ["name": "Rex", "age": 3]))
      realm.add(ada)
    }
    let told = Noted<String>()
    func listen(_ realm: Realm, _ paths: [String]) -> NotificationToken {
      realm.objects(Person.self).observe(keyPaths: paths) {
        told.add("\(paths.joined()) \($0.brief)")
      }
    }
    let tokens = desk.work { realm in
      [
        listen(realm, ["name"]), listen(realm, ["dogs"]), listen(realm, ["dogs.name"]),
        listen(realm, []),
        realm.objects(Person.self)[0].observe(keyPaths: ["dogs.name"]) { change in
          if case .change(_, let properties) = change {
            told.add("object \(properties.map(\.name))")
          }
        },
      ]
    }
    func after(_ change: (Realm) -> Void) -> Set<String> {
      desk.work { _ in }
      let before = told.all.count
      desk.commit(change)
      desk.work { _ in }
      return Set(told.all.dropFirst(before))
    }
    #expect(after { $0.objects(Person.self)[0].name = "Eva" } == ["name -[] +[] ~[0]"])
    #expect(after { $0.objects(Person.self)[0].age = 9 } == [])
    #expect(after { $0.objects(Dog.self)[0].age = 9 } == [])
    #expect(
      after { $0.objects(Dog.self)[0].name = "Max" } == [
        "dogs.name -[] +[] ~[0]", #"object ["dogs"]"#,
      ])
    #expect(
      after { $0.objects(Person.self)[0].dogs.append(Dog()) }.contains("dogs -[] +[] ~[0]"))
    let inserted = after { $0.add(Person(name: "new")) }
    #expect(inserted.count == 4, "whatever the key paths: \(inserted)")
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-15: a key path that leads nowhere stops the process`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Desk(freshConfiguration()).work { realm in
        _ = realm.objects(Person.self).observe(keyPaths: ["surname"]) { _ in }
      }
    }
    expect(result, says: "property 'surname' not found in object of type 'Person'")
  }

  @Test func `NOTIFY-16, NOTIFY-17: an object's listener gets names and values, and its end`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { $0.add(Person(name: "Ada")) }
    let told = Noted<String>()
    let token = desk.work { realm in
      realm.objects(Person.self)[0].observe { change in
        switch change {
        case .change(let person, let properties):
          #expect(!person.isFrozen)
          for property in properties {
            let (old, new) = (property.oldValue ?? "nil", property.newValue ?? "nil")
            told.add("\(property.name): \(old) → \(new)")
          }
        case .deleted: told.add("deleted")
        case .error: told.add("error")
        }
      }
    }
    desk.work { _ in }
    #expect(told.all == [], "no initial call")
    other.commit { $0.objects(Person.self)[0].name = "Eva" }
    desk.work { _ in }
    desk.commit { $0.objects(Person.self)[0].age = 7 }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[0].dogs.append(Dog()) }
    desk.work { _ in }
    other.commit { $0.delete($0.objects(Person.self)) }
    desk.work { _ in }
    other.commit { $0.add(Person(name: "another")) }
    desk.work { _ in }
    #expect(told.all == ["name: Ada → Eva", "age: nil → 7", "dogs: nil → nil", "deleted"])
    token.invalidate()
  }

  @Test func `NOTIFY-18: without autorefresh news wait for refresh`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let told = Noted<String>()
    let token = desk.work { realm in
      realm.autorefresh = false
      return realm.objects(Person.self).observe { told.add($0.brief) }
    }
    desk.work { _ in }
    other.commit { $0.add(Person(name: "Ada")) }
    desk.work { _ in }
    #expect(told.all == ["initial"])
    desk.work { realm in
      realm.refresh()
      #expect(told.all == ["initial", "-[] +[0] ~[]"], "REFRESH-16")
    }
    token.invalidate()
  }

  @Test func `NOTIFY-19: a local write is told after it, never inside`() throws {
    let desk = Desk(configuration)
    let told = Noted<String>()
    let token = desk.work { $0.objects(Person.self).observe { told.add($0.brief) } }
    desk.work { _ in }
    try desk.work { realm in
      try realm.write { realm.add(Person(name: "Ada")) }
      #expect(told.all == ["initial"])
    }
    desk.work { _ in }
    #expect(told.all == ["initial", "-[] +[0] ~[]"])
    token.invalidate()
  }

  @Test func `NOTIFY-20: what is taken back before it is told is not told`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let told = Noted<String>()
    let token = desk.work { $0.objects(Person.self).observe { told.add($0.brief) } }
    desk.work { _ in
      other.commit { $0.add(Person(name: "Ada")) }
      other.commit { $0.add(Person(name: "Eva")) }
      other.commit { $0.delete($0.objects(Person.self)[0]) }
    }
    desk.work { _ in }
    #expect(told.all.last != "-[0] +[] ~[]")
    desk.work { _ in
      other.commit { $0.add(Person(name: "short")) }
      other.commit { $0.delete($0.objects(Person.self)[1]) }
    }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[0].age = 1 }
    desk.work { _ in }
    #expect(told.all.last == "-[] +[] ~[0]")
    token.invalidate()
  }

  @Test func `NOTIFY-22: a listener on another queue is called there, with what belongs there`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { $0.add(Person(name: "Ada")) }
    let key = DispatchSpecificKey<String>()
    other.queue.setSpecific(key: key, value: "other")
    let told = Noted<String>()
    let tokens = desk.work { realm in
      [
        realm.objects(Person.self).observe(on: other.queue) { change in
          told.add("\(DispatchQueue.getSpecific(key: key) ?? "elsewhere") \(change.brief)")
          if case .update(let people, _, _, _) = change { told.add(people[0].name) }
        },
        realm.objects(Person.self)[0].observe(on: other.queue) { change in
          if case .change(let person, let properties) = change {
            told.add("\(person.name), was \(properties[0].oldValue ?? "nil")")
          }
        },
      ]
    }
    other.work { _ in }
    desk.commit { $0.objects(Person.self)[0].name = "Eva" }
    other.work { _ in }
    #expect(told.all == ["other initial", "other -[] +[] ~[0]", "Eva", "Eva, was Ada"])
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-23, NOTIFY-24: a token ends delivery, at once or after what was committed`() {
    let desk = Desk(configuration)
    let told = Noted<String>()
    let token = desk.work { $0.objects(Person.self).observe { told.add($0.brief) } }
    desk.work { _ in }
    desk.queue.suspend()
    let writer = Desk(configuration)
    writer.commit { $0.add(Person(name: "before")) }
    #expect(token.invalidate())
    #expect(!token.invalidate())
    writer.commit { $0.add(Person(name: "after")) }
    desk.queue.resume()
    desk.work { _ in }
    desk.work { _ in }
    #expect(told.all.count == 2)
    #expect(told.all.first == "initial")
    writer.commit { $0.add(Person(name: "later")) }
    desk.work { _ in }
    #expect(told.all.count == 2)
    let silent = desk.work { realm in
      let token = realm.objects(Person.self).observe { told.add($0.brief) }
      token.invalidate()
      return token
    }
    desk.work { _ in }
    #expect(told.all.count == 2)
    withExtendedLifetime(silent) {}
  }

  @Test func `NOTIFY-25: a token that ends before its registration prevents it`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let told = Noted<String>()
    other.queue.suspend()
    let token = desk.work {
      $0.objects(Person.self).observe(on: other.queue) { told.add($0.brief) }
    }
    #expect(token.invalidate())
    other.queue.resume()
    desk.commit { $0.add(Person(name: "Ada")) }
    other.work { _ in }
    #expect(told.all == [])
  }

  @Test func `NOTIFY-16: an object that goes before its listener has come is told to have gone`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { $0.add(Person(name: "Ada")) }
    let told = Noted<String>()
    // The next to come opens the realm anew, and finds nothing.
    other.leave()
    other.queue.suspend()
    let token = desk.work { realm in
      let token = realm.objects(Person.self)[0].observe(on: other.queue) { change in
        if case .deleted = change { told.add("deleted") } else { told.add("something else") }
      }
      try! realm.write { realm.deleteAll() }
      return Smuggled(token)
    }
    other.queue.resume()
    other.queue.sync {}
    other.queue.sync {}
    #expect(told.all == ["deleted"])
    token.value.invalidate()
  }

  @Test func `NOTIFY-26, NOTIFY-28, NOTIFY-29: where nobody can listen`() async {
    let unmanaged = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Person().observe { _ in } }
    expect(
      unmanaged, says: "Only objects which are managed by a Realm support change notifications")
    let list = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Person().dogs.observe { _ in } }
    expect(list, says: "Change notifications are only supported on managed collections.")
    let changed = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try Desk(freshConfiguration()).work { realm in
        try realm.write {
          realm.create(Person.self)
          _ = realm.objects(Person.self).observe { _ in }
        }
      }
    }
    expect(changed, says: "Cannot create asynchronous query after making changes")
    let loopless = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      onNewThread {
        _ = (try? Realm(configuration: freshConfiguration()))?.observe { _, _ in }
      }
    }
    expect(loopless, says: "Can only add notification blocks from within runloops.")
  }

  @Test func `NOTIFY-30: a write passes over the tokens it names, and only them`() throws {
    let desk = Desk(configuration)
    let (skipped, told) = (Noted<String>(), Noted<String>())
    let tokens = desk.work { realm in
      [
        realm.objects(Person.self).observe { skipped.add($0.brief) },
        realm.objects(Person.self).observe { told.add($0.brief) },
      ]
    }
    desk.work { _ in }
    try desk.work { realm in
      try realm.write { realm.add(Person(name: "told")) }
      try realm.write(withoutNotifying: [tokens[0]]) { realm.add(Person(name: "silent")) }
    }
    desk.work { _ in }
    desk.commit { $0.objects(Person.self)[1].age = 3 }
    desk.work { _ in }
    #expect(skipped.all == ["initial", "-[] +[0] ~[]", "-[] +[] ~[1]"])
    #expect(told.all == ["initial", "-[] +[0] ~[]", "-[] +[1] ~[]", "-[] +[] ~[1]"])
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-31: a token of another realm cannot be passed over`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (desk, other) = (Desk(freshConfiguration()), Desk(freshConfiguration()))
      let token = other.work { $0.observe { _, _ in } }
      try desk.work { try $0.write(withoutNotifying: [token]) {} }
    }
    expect(result, says: "Incorrect Realm: only notifications for the Realm being modified")
  }

  @Test func `NOTIFY-32: a listener may write, and others are told consistently`() {
    let desk = Desk(configuration)
    let (writes, told) = (Noted<String>(), Noted<String>())
    let tokens = desk.work { realm in
      [
        realm.objects(Person.self).observe { change in
          writes.add(change.brief)
          if realm.objects(Person.self).count < 3 {
            try? realm.write { realm.add(Person(name: "\(writes.all.count)")) }
          }
        },
        realm.objects(Person.self).observe { told.add($0.brief) },
      ]
    }
    for _ in 0..<6 { desk.work { _ in } }
    desk.work { #expect($0.objects(Person.self).count == 3) }
    #expect(writes.all.first == "initial")
    #expect(told.all.filter { $0 == "initial" }.count == 1)
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-33: a cancelled write tells nobody`() {
    let desk = Desk(configuration)
    let told = Noted<String>()
    let tokens = desk.work { realm in
      [
        realm.observe { _, _ in told.add("realm") },
        realm.objects(Person.self).observe { told.add($0.brief) },
      ]
    }
    desk.work { _ in }
    desk.work { realm in
      realm.beginWrite()
      realm.add(Person(name: "lost"))
      realm.cancelWrite()
    }
    desk.work { _ in }
    #expect(told.all == ["initial"])
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-36: a listener whose queue is blocked holds up nobody`() {
    let (blocked, desk, writer) = (Desk(configuration), Desk(configuration), Desk(configuration))
    let told = Noted<String>()
    let tokens = [blocked, desk].map { place in
      place.work { $0.objects(Person.self).observe { told.add($0.brief) } }
    }
    blocked.work { _ in }
    desk.work { _ in }
    blocked.queue.suspend()
    writer.commit { $0.add(Person(name: "Ada")) }
    desk.commit { $0.add(Person(name: "Eva")) }
    desk.work { _ in }
    #expect(told.all.count == 4)
    blocked.queue.resume()
    blocked.work { _ in }
    #expect(told.all.last == "-[] +[0, 1] ~[]")
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-38: listeners come and go in calls`() {
    let desk = Desk(configuration)
    let told = Noted<String>()
    let kept = Noted<NotificationToken>()
    desk.work { realm in
      kept.add(
        realm.objects(Person.self).observe { change in
          told.add("first \(change.brief)")
          if kept.all.count == 1 {
            kept.add(realm.objects(Person.self).observe { told.add("second \($0.brief)") })
          } else {
            kept.all[0].invalidate()
          }
        })
    }
    desk.work { _ in }
    desk.work { _ in }
    desk.commit { $0.add(Person(name: "Ada")) }
    desk.work { _ in }
    desk.commit { $0.add(Person(name: "Eva")) }
    desk.work { _ in }
    #expect(
      told.all == [
        "first initial", "second initial", "first -[] +[0] ~[]", "second -[] +[0] ~[]",
        "second -[] +[1] ~[]",
      ])
    for token in kept.all { token.invalidate() }
  }

  @Test func `NOTIFY-39: a list whose owner goes tells the end of all its members`() {
    let desk = Desk(configuration)
    desk.commit { realm in
      let ada = Person(name: "Ada")
      ada.dogs.append(objectsIn: [Dog(), Dog()])
      realm.add(ada)
      realm.add(Person(name: "without dogs"))
    }
    let told = Noted<String>()
    let tokens = desk.work { realm in
      realm.objects(Person.self).map { person in person.dogs.observe { told.add($0.brief) } }
    }
    desk.work { _ in }
    desk.commit { $0.delete($0.objects(Person.self)) }
    desk.work { _ in }
    #expect(told.all == ["initial", "initial", "-[0, 1] +[] ~[]", "-[] +[] ~[]"])
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-07: following what is told gives the collection, whatever happens`() {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      let owner = Person(name: "owner")
      realm.add(owner)
    }
    let mirrors = desk.work { realm in
      [
        Mirror(realm.objects(Dog.self)),
        Mirror(realm.objects(Dog.self).where { $0.age > 5 }),
        Mirror(realm.objects(Dog.self).sorted(byKeyPath: "age")),
        Mirror(
          realm.objects(Dog.self).where { $0.age < 8 }.sorted(byKeyPath: "name", ascending: false)),
      ]
    }
    let list = desk.work { Mirror($0.objects(Person.self)[0].dogs) }
    for _ in 0..<150 {
      let commits = dice.below(3)
      for _ in 0...commits {
        (dice.below(2) == 0 ? desk : other).commit { realm in
          for _ in 0...dice.below(4) { change(realm, &dice) }
        }
      }
      desk.work { _ in }
      desk.work { _ in
        for mirror in mirrors { mirror.check(seed) }
        list.check(seed)
      }
    }
    desk.work { _ in
      for mirror in mirrors { mirror.end() }
      list.end()
    }
  }

  private func change(_ realm: Realm, _ dice: inout Dice) {
    let dogs = realm.objects(Dog.self)
    let list = realm.objects(Person.self)[0].dogs
    switch dice.below(6) {
    case 0, 1:
      realm.create(Dog.self, value: ["name": "\(dice.below(50))", "age": dice.below(12)])
    case 2 where dogs.count > 0: realm.delete(dogs[dice.below(dogs.count)])
    case 3 where dogs.count > 0: dogs[dice.below(dogs.count)].age = dice.below(12)
    case 4 where dogs.count > 0:
      list.insert(dogs[dice.below(dogs.count)], at: dice.below(list.count + 1))
    case 5 where list.count > 0: list.remove(at: dice.below(list.count))
    default: break
    }
  }
}

/// Follows a collection of dogs by what its listener is told, knowing nothing else.
private final class Mirror: @unchecked Sendable {
  // Sendable because it is only touched where the collection is at home.
  private struct Known: Equatable {
    let name: String
    let age: Int
    init(_ dog: Dog) { (name, age) = (dog.name, dog.age) }
  }
  private var known: [Known] = []
  private var token: NotificationToken?
  private let now: () -> [Known]

  init<C: RealmCollection>(_ collection: C) where C.Element == Dog {
    now = { collection.map(Known.init) }
    token = collection.observe { [unowned self] change in
      switch change {
      case .initial(let dogs): known = dogs.map(Known.init)
      case .update(let dogs, let deletions, let insertions, let modifications):
        let marked = Set(modifications)
        var places = Array(known.indices).map { Optional($0) }
        for index in deletions.reversed() {
          known.remove(at: index)
          places.remove(at: index)
        }
        for index in insertions {
          known.insert(Known(dogs[index]), at: index)
          places.insert(nil, at: index)
        }
        for (index, old) in places.enumerated() where old.map(marked.contains) == true {
          known[index] = Known(dogs[index])
        }
      case .error: Issue.record("no error is ever told")
      }
    }
  }

  func check(_ seed: UInt64) { #expect(known == now(), "seed \(seed)") }

  func end() { token?.invalidate() }
}
