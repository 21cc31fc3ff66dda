import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Questions that are put before there is anything, or a version, to answer them from.
  static let questionsBeforeAnswers = [false, true].map { isListed in
    Probe(
      "what was asked of a class without objects is asked anew after each refresh, the class "
        + (isListed ? "listed" : "met by the way")
    ) { stage in
      var configuration = stage.configuration()
      if !isListed { configuration.objectTypes = nil }
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      let dogs = realm.objects(Dog.self)
      let asked: [(String, Results<Dog>)] = [
        ("all", dogs), ("whole number", dogs.where { $0.age == 1 }),
        ("text", dogs.where { $0.name == "Rex" }), ("text by words", dogs.filter("name == 'Rex'")),
        ("both", dogs.where { $0.age == 1 && $0.name == "Rex" }),
        ("either", dogs.where { $0.age == 1 || $0.name == "Rex" }),
        ("among", dogs.filter("age IN {1, 7}")), ("between", dogs.filter("age BETWEEN {1, 2}")),
        ("sorted", dogs.where { $0.age == 1 }.sorted(byKeyPath: "name")),
        ("distinct", dogs.where { $0.age == 1 }.distinct(by: ["name"])),
      ]
      func counts() -> [Int] { asked.map(\.1.count) }
      func sums() -> [Int] { asked.map { $0.1.sum(ofProperty: "age") } }
      stage.equal(counts(), asked.map { _ in 0 }, "how many there are at first")
      stage.equal(sums(), asked.map { _ in 0 }, "their sums at first")
      for (_, results) in asked { stage.expect(results.first == nil, "there is no first") }
      try stage.foreign { realm in
        realm.add(Dog(name: "Rex", age: 1))
        realm.add(Dog(name: "Ida", age: 9))
      }
      stage.equal(counts(), asked.map { _ in 0 }, "how many there are before the refresh")
      realm.refresh()
      for (name, results) in asked {
        stage.equal(results.count, name == "all" ? 2 : 1, "how many there are of \(name)")
        stage.equal(results.first?.name, "Rex", "the first of \(name)")
        stage.equal(Array(results).count, name == "all" ? 2 : 1, "how many are walked of \(name)")
        stage.equal(results.sum(ofProperty: "age"), name == "all" ? 10 : 1, "the sum of \(name)")
      }
    }
  }

  /// What a realm without a version is asked first.
  static let firstQuestions = Probe(
    "whatever is asked first of a realm without a version is answered from the newest"
  ) { stage in
    let id = ObjectId.generate()
    try stage.elsewhere {
      let realm = try stage.stocked()
      try realm.write { realm.create(Todo.self, value: ["_id": id, "name": "0"]) }
    }
    let realm = try stage.open()
    realm.autorefresh = false
    let questions: [(String, (Realm) -> String?)] = [
      ("a whole number", { $0.object(ofType: Account.self, forPrimaryKey: 1)?.note }),
      ("an object id", { $0.object(ofType: Todo.self, forPrimaryKey: id)?.name }),
      (
        "a key of any type",
        { $0.dynamicObject(ofType: "Todo", forPrimaryKey: id)?["name"] as? String }
      ),
      ("all objects", { $0.objects(Todo.self).first?.name }),
      ("a query", { $0.objects(Todo.self).where { $0._id == id }.first?.name }),
      ("a member by its position", { $0.objects(Todo.self)[0].name }),
      ("a loop", { Array($0.objects(Todo.self).map(\.name)).first }),
      ("a frozen realm", { $0.freeze().object(ofType: Todo.self, forPrimaryKey: id)?.name }),
    ]
    for (round, (name, ask)) in questions.enumerated() {
      realm.invalidate()
      try stage.foreign { realm in
        realm.account(1).note = "\(round)"
        realm.object(ofType: Todo.self, forPrimaryKey: id)!.name = "\(round)"
      }
      stage.equal(ask(realm), "\(round)", "what \(name) gives first")
    }
  }

  /// Loops whose body takes members away.
  static let loopsThatDelete = Probe(
    "every member is visited once though the body deletes, at each size and place"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stage.open()
    for count in [1, 2, 300, 600] + (stage.isDeep ? [255, 256, 257, 512, 2_000] : []) {
      for (place, victim) in [("the next", 1), ("the last", count - 1), ("the first", 0)] {
        for kind in ["all", "filtered", "sorted", "list"] {
          realm.beginWrite()
          let keeper = realm.create(Person.self, value: ["name": "keeper"])
          for number in 0..<count { keeper.dogs.append(Dog(name: "dog", age: number)) }
          let all = realm.objects(Dog.self)
          let members =
            switch kind {
            case "all": AnyRealmCollection(all)
            case "filtered": AnyRealmCollection(all.where { $0.name == "dog" })
            case "sorted": AnyRealmCollection(all.sorted(byKeyPath: "age"))
            default: AnyRealmCollection(keeper.dogs)
            }
          let dogs = Array(keeper.dogs)
          var (visited, gone) = (0, 0)
          for dog in members {
            if visited == 0, victim < count { realm.delete(dogs[victim]) }
            visited += 1
            if dog.isInvalidated { gone += 1 }
          }
          stage.equal(visited, count, "visited of \(kind), \(count), without \(place)")
          stage.equal(
            gone, (1..<count).contains(victim) ? 1 : gone, "the gone ones of \(kind), \(count)")
          realm.cancelWrite()
        }
      }
    }
  }

  /// Loops whose body takes members away that come later, again and again.
  static let loopsThatDeleteAhead = Probe(
    "every member is visited once though the body deletes others ahead, again and again"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stage.open()
    /// Each kind is walked as what it is: what stands for any kind is walked in another way.
    func loop<Members: RealmCollection>(
      over members: Members, _ kind: String, _ dogs: [Dog], _ ahead: Int, isOrdered: Bool = true
    ) where Members.Element == Dog {
      var (visited, gone, taken) = (0, 0, 0)
      for dog in members {
        if dog.isInvalidated {
          gone += 1
        } else if isOrdered {
          stage.equal(dog.age, visited, "whom the loop over \(kind) comes to")
        }
        let victim = visited + ahead
        if visited % 5 < 2, victim < dogs.count, !dogs[victim].isInvalidated {
          realm.delete(dogs[victim])
          taken += 1
        }
        visited += 1
      }
      stage.equal(visited, dogs.count, "visited of \(kind), without those \(ahead) on")
      stage.equal(gone, taken, "the gone ones of \(kind), \(dogs.count), \(ahead) ahead")
    }
    for count in [20, 300] + (stage.isDeep ? [64, 257, 600, 2_000] : []) {
      for ahead in [1, 2, 5, 40] + (stage.isDeep ? [3, 250] : []) {
        for (kind, isOld) in ["all", "filtered", "sorted", "list"].flatMap({
          [($0, false), ($0, true)]
        }) {
          realm.beginWrite()
          let keeper = realm.create(Person.self, value: ["name": "keeper"])
          for number in 0..<count { keeper.dogs.append(Dog(name: "dog", age: number)) }
          if isOld {
            try realm.commitWrite()
            realm.beginWrite()
          }
          let (all, dogs) = (realm.objects(Dog.self), Array(keeper.dogs))
          switch kind {
          case "all": loop(over: all, kind, dogs, ahead, isOrdered: false)
          case "filtered":
            loop(over: all.where { $0.name == "dog" }, kind, dogs, ahead, isOrdered: false)
          case "sorted": loop(over: all.sorted(byKeyPath: "age"), kind, dogs, ahead)
          default: loop(over: keeper.dogs, kind, dogs, ahead)
          }
          realm.cancelWrite()
          if isOld { try realm.write { realm.deleteAll() } }
        }
      }
    }
  }
}
