import Testing

@testable import ReferenceEngine

private final class PersonView: Projection<Person> {
  @Projected(\Person.name) var firstName
  @Projected(\Person.name.count) var letters
  @Projected(\Person.email) var mail
  @Projected(\Person.best?.name) var bestDog
  @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
}

private final class OwnerView: Projection<Dog> {
  @Projected(\Dog.owners.projectTo.age) var ages: ProjectedCollection<Int>
}

/// A projection of a projection's subject, with a property more.
private class NameView: Projection<Person> {
  @Projected(\Person.name) var name
}

private final class NameAndAge: NameView {
  @Projected(\Person.age) var age
}

@Suite struct ProjectionTests {
  private let configuration = freshConfiguration()

  private static func ada(in realm: Realm) -> Person {
    realm.create(
      Person.self,
      value: [
        "name": "Ada", "age": 36, "best": ["name": "Rex"],
        "dogs": [["name": "Ben"], ["name": "Bo"]],
      ])
  }

  private func told(_ change: ObjectChange<PersonView>) -> String {
    switch change {
    case .change(let view, let changes):
      "\(view.firstName): "
        + changes.map { "\($0.name) \($0.oldValue ?? "-") > \($0.newValue ?? "-")" }
        .joined(separator: ", ")
    case .deleted: "deleted"
    case .error: "error"
    }
  }

  @Test func `a projection shows its object as it is now`() throws {
    let realm = try Realm(configuration: configuration)
    let view = try realm.write { PersonView(projecting: Self.ada(in: realm)) }
    #expect(view.firstName == "Ada" && view.letters == 3 && view.mail == nil)
    #expect(view.bestDog == "Rex" && Array(view.dogNames) == ["Ben", "Bo"])
    try realm.write {
      view.rootObject.name = "Grace"
      #expect(view.firstName == "Grace" && view.letters == 5)
      view.firstName = "Joan"
      view.rootObject.dogs.append(Dog(value: ["name": "Cleo"]))
    }
    #expect(view.rootObject.name == "Joan" && view.dogNames.last == "Cleo")
    #expect(OwnerView(projecting: view.rootObject.dogs[0]).ages.first == 36)
    #expect("\(view)".hasPrefix("PersonView<Person> <0x"))
    #expect("\(view)".contains("> {\n\t\tfirstName(\\.name) = Joan;\n"))
  }

  @Test func `a projection of a free object reads and writes it`() {
    let view = PersonView(projecting: Person(name: "Ada"))
    view.mail = "ada@example.org"
    #expect(
      view.rootObject.email == "ada@example.org" && view.realm == nil && view.dogNames.isEmpty)
  }

  @Test func `projections inherit what they show`() throws {
    let view = NameAndAge(projecting: Person(value: ["name": "Ada", "age": 36]))
    #expect(view.name == "Ada" && view.age == 36)
    #expect(ProjectionSchema.of(NameAndAge.self).properties.map(\.label) == ["name", "age"])
  }

  @Test func `a realm is asked for projections as for objects`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for (name, age) in [("Ada", 36), ("Bo", 3), ("Cleo", 36)] {
        realm.create(Person.self, value: ["name": name, "age": age])
      }
    }
    let views = realm.objects(PersonView.self)
    #expect(views.map(\.firstName) == ["Ada", "Bo", "Cleo"] && views[1].firstName == "Bo")
    #expect(
      views.filter("age == 36").sorted(byKeyPath: "name", ascending: false).first?.letters == 4)
    #expect(views.where { $0.firstName == "Bo" }.count == 1)
    #expect(views.index(of: views[2]) == 2)
    let first = views[0]
    #expect(first == PersonView(projecting: first.rootObject) && first != views[1])
    #expect(Set(views).count == 3)
  }

  /// Asked for a property behind a link the process ended: 'best.name' was taken for the name of
  /// one property.
  @Test func `projections are asked for what they show behind links`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      _ = Self.ada(in: realm)
      realm.create(Person.self, value: ["name": "Bo"])
    }
    let views = realm.objects(PersonView.self)
    #expect(views.where { $0.bestDog == "Rex" }.map(\.firstName) == ["Ada"])
    #expect(views.where { $0.bestDog == nil && $0.firstName != "" }.map(\.firstName) == ["Bo"])
    #expect(views.freeze().where { $0.bestDog.starts(with: "R") }.count == 1)
  }

  @Test func `FREEZE-01, FREEZE-25: projections freeze and thaw with their object`() throws {
    let realm = try Realm(configuration: configuration)
    let view = try realm.write { PersonView(projecting: Self.ada(in: realm)) }
    let (frozen, names) = (view.freeze(), view.dogNames.freeze())
    try realm.write {
      view.firstName = "Grace"
      view.rootObject.dogs.removeAll()
    }
    #expect(
      frozen.isFrozen && frozen.firstName == "Ada" && Array(frozen.dogNames) == ["Ben", "Bo"])
    #expect(names.isFrozen && Array(names) == ["Ben", "Bo"] && names.thaw()?.isEmpty == true)
    #expect(frozen.thaw()?.firstName == "Grace")
    try realm.write { realm.delete(view.rootObject) }
    #expect(view.isInvalidated && frozen.thaw() == nil && "\(view)" == "[invalid object]")
  }

  @Test func `REF-01: projections and what they show travel by reference`() throws {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { _ = Self.ada(in: $0) }
    let (view, names) = desk.work { realm in
      let view = realm.objects(PersonView.self)[0]
      return (ThreadSafeReference(to: view), ThreadSafeReference(to: view.dogNames))
    }
    other.work { realm in
      #expect(realm.resolve(view)?.firstName == "Ada")
      #expect(realm.resolve(names).map { Array($0) } == ["Ben", "Bo"])
    }
  }

  @Test func `listeners of a projection hear of what it shows, under its names`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { _ = Self.ada(in: $0) }
    let (all, some) = (Noted<String>(), Noted<String>())
    let tokens = desk.work { realm in
      let view = realm.objects(PersonView.self)[0]
      return [
        view.observe { all.add(told($0)) },
        view.observe(keyPaths: [\PersonView.bestDog]) { some.add(told($0)) },
      ]
    }
    for change: (Person) -> Void in [
      { $0.age = 37 }, { $0.name = "Grace" }, { $0.best?.name = "Max" }, { $0.best?.age = 3 },
      { $0.dogs[0].name = "Ben" },
    ] {
      other.commit { change($0.objects(Person.self)[0]) }
      desk.work { _ in }
    }
    other.commit { $0.delete($0.objects(Person.self)[0]) }
    desk.work { _ in }
    #expect(
      all.all == [
        "Grace: firstName Ada > Grace, letters 3 > 5", "Grace: bestDog Rex > Max",
        "Grace: dogNames - > -", "deleted",
      ])
    #expect(some.all == ["Grace: bestDog Rex > Max", "deleted"])
    for token in tokens { token.invalidate() }
  }

  @Test func `listeners of a projected collection hear of members and of what is shown of them`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { _ = Self.ada(in: $0) }
    let heard = Noted<String>()
    let token = desk.work { realm in
      realm.objects(PersonView.self)[0].dogNames.observe { change in
        switch change {
        case .initial(let names): heard.add("\(Array(names))")
        case .update(let names, let deletions, let insertions, let modifications):
          heard.add("\(Array(names)) -\(deletions) +\(insertions) ~\(modifications)")
        case .error: heard.add("error")
        }
      }
    }
    desk.work { _ in }
    for change: (Person) -> Void in [
      { $0.dogs[1].age = 2 }, { $0.dogs[1].name = "Max" }, { $0.dogs.remove(at: 0) },
    ] {
      other.commit { change($0.objects(Person.self)[0]) }
      desk.work { _ in }
    }
    #expect(
      heard.all == [
        #"["Ben", "Bo"]"#, #"["Ben", "Max"] -[] +[] ~[1]"#, #"["Max"] -[0] +[] ~[]"#,
      ])
    token.invalidate()
  }

  @Test func `a projection of a deleted object dies with Realm's words`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: freshConfiguration())
      let view = try realm.write { PersonView(projecting: ProjectionTests.ada(in: realm)) }
      try realm.write { realm.delete(view.rootObject) }
      print(view.firstName)
    }
    expect(result, says: "Object has been deleted or invalidated.")
  }

  @Test func `what is computed cannot be set through a projection`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      PersonView(projecting: Person()).letters = 3
    }
    expect(
      result, says: "Cannot set a projected property of PersonView whose key path is read-only.")
  }

  @Test func `projections of one row are equal, with a primary key or without`() throws {
    let realm = try Realm(configuration: configuration)
    let ada = try realm.write { Self.ada(in: realm) }
    let (one, other) = (
      NameView(projecting: ada), NameView(projecting: realm.objects(Person.self)[0])
    )
    #expect(one == other && one.hashValue == other.hashValue)
    #expect(one != NameView(projecting: Person(name: "Ada")))
    let bob = try realm.write { realm.create(Person.self, value: ["name": "Bob"]) }
    #expect(one != NameView(projecting: bob))
  }

  @Test func `string key paths of a listener are those of the object`() throws {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { _ = Self.ada(in: $0) }
    let heard = Noted<String>()
    let token = desk.work { realm in
      realm.objects(PersonView.self)[0].observe(keyPaths: ["name", "best.name"]) {
        heard.add(told($0))
      }
    }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[0].email = "x" }
    desk.work { _ in }
    #expect(heard.all == [])
    other.commit { $0.objects(Person.self)[0].best?.name = "Bo" }
    desk.work { _ in }
    #expect(heard.all == ["Ada: bestDog Rex > Bo"])
    other.commit { $0.objects(Person.self)[0].name = "Eva" }
    desk.work { _ in }
    #expect(heard.all.last == "Eva: firstName Ada > Eva, letters 3 > 3")
    token.invalidate()
  }
}
