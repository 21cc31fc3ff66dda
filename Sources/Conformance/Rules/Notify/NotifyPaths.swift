import EngineUnderTest
import Foundation
import Harness

/// A way from one specimen to another that a key path can take.
private struct Step: Sendable {
  let name: String
  let path: String
  /// Links the first to the second.
  let link: @Sendable (Specimen, Specimen) -> Void
  /// Takes the link away.
  let unlink: @Sendable (Specimen, Specimen) -> Void

  static let all = [
    Step(name: "a link", path: "next") {
      $0.next = $1
    } unlink: { one, _ in
      one.next = nil
    },
    Step(name: "a list", path: "members") {
      $0.members.append($1)
    } unlink: { one, _ in
      one.members.removeAll()
    },
    Step(name: "a set", path: "group") {
      $0.group.insert($1)
    } unlink: {
      $0.group.remove($1)
    },
    Step(name: "a map", path: "named") {
      $0.named["key"] = .some($1)
    } unlink: { one, _ in
      one.named.removeObject(for: "key")
    },
  ]
}

extension Probe {
  /// Each step of a key path, of each kind: what is at its end, and what leads there.
  static let stepsOfPaths: [Probe] = Step.all.flatMap { step in
    ["an object", "a collection"].map { what in
      Probe("a key path over \(step.name) is told of the link and of its end: \(what)") { stage in
        let realm = try Realm(configuration: stage.specimens())
        try realm.write { for id in 0..<5 { realm.add(Specimen(id: id)) } }
        var calls = 0
        let path = "\(step.path).word"
        let first = realm.specimen(0)!
        let token =
          what == "an object"
          ? first.observe(keyPaths: [path]) { _ in calls += 1 }
          : realm.objects(Specimen.self).where { $0.id == 0 }.observe(keyPaths: [path]) {
            if case .update = $0 { calls += 1 }
          }
        try stage.settle(of: realm)
        func told(
          _ moment: String, _ wanted: Bool, after before: (Realm) -> Void = { _ in },
          _ change: @escaping (Realm) -> Void
        ) throws {
          for isForeign in [false, true] {
            try realm.write { before(realm) }
            try stage.settle(of: realm)
            calls = 0
            if isForeign {
              try stage.elsewhere {
                let other = try Realm(configuration: stage.specimens())
                try other.write { change(other) }
              }
              realm.refresh()
            } else {
              try realm.write { change(realm) }
            }
            try stage.settle(of: realm)
            stage.equal(
              calls > 0, wanted, "a call for \(moment)\(isForeign ? ", made elsewhere" : "")")
          }
        }
        try told("its own other property", false) { $0.specimen(0)!.amount += 1 }
        try told("an object that nothing leads to", false) { $0.specimen(1)!.word += "x" }
        // A member that a set has already is no change: the link is new each time.
        func unlink(_ other: Int) -> (Realm) -> Void {
          { step.unlink($0.specimen(0)!, $0.specimen(other)!) }
        }
        try told("a new link", true, after: unlink(1)) {
          step.link($0.specimen(0)!, $0.specimen(1)!)
        }
        try told("the far end", true) { $0.specimen(1)!.word += "x" }
        try told("another property of the far end", false) { $0.specimen(1)!.amount += 1 }
        try told("another link", true, after: unlink(2)) {
          step.link($0.specimen(0)!, $0.specimen(2)!)
        }
        try told("the new far end", true) { $0.specimen(2)!.word += "x" }
        try told("somebody else's link", false) { step.link($0.specimen(3)!, $0.specimen(4)!) }
        calls = 0
        try realm.write { step.unlink(realm.specimen(0)!, realm.specimen(2)!) }
        try stage.settle(of: realm)
        stage.equal(calls > 0, true, "a call for the link that is taken away")
        token.invalidate()
      }
    }
  }

  /// Orders that narrow key paths say nothing of.
  static let ordersBesidePaths = [
    "sorted", "sorted over a link", "distinct", "distinct over a link", "filtered",
    "filtered over a link",
  ].map { order in
    Probe("who comes, goes or moves is told beside a key path to something else: \(order)") {
      stage in
      let realm = try stage.open()
      try realm.write {
        for number in 0..<3 {
          let person = Person(name: "\(number)", age: number)
          realm.add(person)
          person.best = Dog(name: "\(number)", age: number)
        }
      }
      let people = realm.objects(Person.self)
      let results: Results<Person> =
        switch order {
        case "sorted": people.sorted(byKeyPath: "age")
        case "sorted over a link": people.sorted(byKeyPath: "best.age")
        case "distinct": people.distinct(by: ["age"])
        case "distinct over a link": people.distinct(by: ["best.age"])
        case "filtered": people.where { $0.age > 0 }
        default: people.filter("best.age > 0")
        }
      var mirror: [String] = []
      for paths in [["name"], []] as [[String]] {
        let token = results.observe(keyPaths: paths) {
          (news: RealmCollectionChange<Results<Person>>) in
          let now = Array(results.map(\.name))
          guard case .update(_, let gone, let come, _) = news else {
            mirror = now
            return
          }
          for place in gone.reversed() where place < mirror.count { mirror.remove(at: place) }
          for place in come where place <= mirror.count && place < now.count {
            mirror.insert(now[place], at: place)
          }
        }
        try stage.settle(realm)
        for round in 0..<8 {
          let (place, age) = (round % 3, (round * 5 + paths.count) % 4)
          func change(_ realm: Realm) {
            let person = realm.person("\(place)")
            if order.contains("link") { person.best!.age = age } else { person.age = age }
          }
          if round % 2 == 0 {
            try realm.write { change(realm) }
          } else {
            try stage.foreign { change($0) }
            realm.refresh()
          }
          try stage.settle(realm)
          stage.equal(mirror, Array(results.map(\.name)), "the mirror after change \(round)")
        }
        token.invalidate()
      }
    }
  }

  /// Setting each kind of property to what it is.
  static let selfAssignments = Probe("a property of each kind that is set to what it is is told") {
    stage in
    let realm = try Realm(configuration: stage.specimens())
    let specimen = try realm.write {
      let specimen = Specimen(id: 0)
      realm.add(specimen)
      return specimen
    }
    var told: Set<String> = []
    var modified = 0
    let tokens = [
      specimen.observe {
        if case .change(_, let properties) = $0 { told.formUnion(properties.map(\.name)) }
      },
      realm.objects(Specimen.self).observe {
        if case .update(_, _, _, let places) = $0 { modified += places.count }
      },
    ]
    try stage.settle(of: realm)
    for field in Fields.all {
      for value in field.values.map({ AnyHashable($0) }).prefix(3) {
        try realm.write { field.write(value, to: specimen) }
        try stage.settle(of: realm)
        (told, modified) = ([], 0)
        try realm.write { field.write(field.read(from: specimen), to: specimen) }
        try stage.settle(of: realm)
        stage.equal(told, [field.name], "what is told of \(field.name), set to itself")
        stage.equal(modified, 1, "the modifications for \(field.name), set to itself")
      }
    }
    for token in tokens { token.invalidate() }
  }
}

extension Stage {
  /// As `settle`, in a realm of specimens.
  func settle(of realm: Realm) throws {
    for _ in 0..<2 {
      var arrived = false
      let fence = realm.objects(Specimen.self).where { $0.id == -1 }.observe { _ in arrived = true }
      try spin(until: { arrived }, "the fence")
      fence.invalidate()
      var turned = false
      later(on: .main) { turned = true }
      try spin(until: { turned }, "another turn of the main thread")
    }
  }
}
