import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Objects that come under the keys of those that went.
  static let newcomersHaveNothing = Bygones.shapes.map { shape in
    Probe("who comes under the key of one that went has none of its links: \(shape.name)") {
      stage in
      let realm = try Realm(configuration: stage.specimens())
      func link(_ id: Int) {
        let (specimen, next) = (realm.specimen(id)!, realm.specimen((id + 1) % 8)!)
        specimen.next = next
        specimen.other = next
        specimen.members.append(next)
        specimen.spares.append(next)
        specimen.group.insert(next)
        specimen.named["next"] = next
        specimen.tag = "tag \(id)"
      }
      try realm.write {
        for id in 0..<8 { realm.add(Specimen(id: id)) }
        for id in 0..<8 { link(id) }
      }
      try realm.write {
        switch shape.name {
        case "all there is": realm.deleteAll()
        case "all of the class": realm.delete(realm.objects(Specimen.self))
        default: for id in shape.gone.sorted() { realm.delete(realm.specimen(id)!) }
        }
        for id in shape.gone.sorted() { realm.add(Specimen(id: id)) }
      }
      for id in 0..<8 {
        let specimen = realm.specimen(id)!
        let linker = (id + 7) % 8
        let count = shape.gone.contains(id) || shape.gone.contains(linker) ? 0 : 1
        stage.equal(
          [
            specimen.throughNext.count, specimen.throughOther.count, specimen.throughMembers.count,
            specimen.throughSpares.count, specimen.throughGroup.count,
          ], Array(repeating: count, count: 5), "what links to \(id)")
        let isNew = shape.gone.contains(id)
        stage.equal(specimen.members.count, isNew ? 0 : links(from: id, shape), "members of \(id)")
        stage.equal(specimen.named.count, isNew ? 0 : 1, "the named of \(id)")
        stage.equal(
          Array(realm.objects(Specimen.self).where { $0.tag == "tag \(id)" }.map(\.id)),
          isNew ? [] : [id], "what is found by the tag of \(id)")
      }
    }
  }

  private static func links(from id: Int, _ shape: Bygones.Shape) -> Int {
    shape.gone.contains((id + 1) % 8) ? 0 : 1
  }

  /// The first of what is found, with keys on both sides of zero.
  static let firstAmongAllKeys = Probe(
    "the first of a query is the one at position 0, whatever the keys, asked first or last"
  ) { stage in
    let sets: [[Int]] = [
      [-2, -1, 1, 2], [0, 1], [-5], [Int.min, Int.max], [5, -5, 0], Array(-200..<200),
      [-1] + Array(0..<20),
    ]
    for (number, ids) in sets.enumerated() {
      let realm = try Realm(configuration: stage.specimens("\(number)"))
      try realm.write {
        for id in ids {
          let specimen = Specimen(id: id)
          specimen.tag = "x"
          specimen.number = 7
          specimen.name = "n"
          specimen.word = "w"
          realm.add(specimen)
        }
      }
      let all = realm.objects(Specimen.self)
      for (name, ask) in [
        ("all", { all }), ("an indexed text", { all.where { $0.tag == "x" } }),
        ("an indexed number", { all.where { $0.number == 7 } }),
        ("an index among others", { all.where { $0.name == "n" && $0.word == "w" } }),
        ("no index", { all.where { $0.word == "w" } }),
        ("one of some", { all.filter("tag IN {'x', 'y'}") }),
      ] {
        // Unsorted, they stand in an order of the engine's own, the same for whoever asks.
        let order = Array(ask().map(\.id))
        stage.equal(order.sorted(), ids.sorted(), "what is found by \(name) of set \(number)")
        stage.equal(ask().first?.id, order.first, "the first by \(name) of set \(number)")
        stage.equal(ask().last?.id, order.last, "the last by \(name) of set \(number)")
        stage.equal(ask()[0].id, order.first, "position 0 by \(name) of set \(number)")
        let asked = ask()
        use(asked.first)
        stage.equal(asked[0].id, order.first, "position 0 after the first by \(name)")
        stage.equal(asked.count, ids.count, "the count after the first by \(name)")
      }
    }
  }

  /// What an update does not name.
  static let partialUpdates = [Realm.UpdatePolicy.all, .modified].map { policy in
    Probe("create with the policy \(policy) leaves alone what it is not given") { stage in
      let realm = try Realm(configuration: stage.specimens())
      let given: [(String, Any, (Specimen) -> AnyHashable?)] = [
        ("whole", 1, { $0.whole }), ("text", "t", { $0.text }), ("tag", "g", { $0.tag }),
        ("amount", 3, { $0.amount }), ("word", "w", { $0.word }), ("ratio", 0.5, { $0.ratio }),
        ("numbers", [1, 2], { Array($0.numbers) }), ("words", ["a"], { Array($0.words) }),
        ("scores", ["a": 1], { $0.scores["a"] }), ("labels", ["l"], { Array($0.labels) }),
        ("next", ["id": 1000], { $0.next?.id }),
        ("members", [["id": 1001]], { Array($0.members.map(\.id)) }),
      ]
      for (number, (name, value, _)) in given.enumerated() {
        try realm.write {
          var whole: [String: Any] = ["id": number]
          for (name, value, _) in given { whole[name] = value }
          realm.create(Specimen.self, value: whole, update: policy)
        }
        let specimen = realm.specimen(number)!
        let before = given.map { $0.2(specimen) }
        try realm.write {
          realm.create(Specimen.self, value: ["id": number, name: value], update: policy)
        }
        stage.equal(given.map { $0.2(specimen) }, before, "all but \(name), given again")
        try realm.write { realm.create(Specimen.self, value: ["id": number], update: policy) }
        stage.equal(given.map { $0.2(specimen) }, before, "all, of which nothing was given")
      }
    }
  }

  /// Letters with a capital beyond ASCII.
  static let lettersBeyondASCII = Probe(
    "with [c] letters beyond ASCII are taken for their capitals in each comparison"
  ) { stage in
    let realm = try Realm(configuration: stage.specimens())
    let pairs = [("é", "É"), ("ä", "Ä"), ("ø", "Ø"), ("ж", "Ж"), ("λ", "Λ"), ("z", "Z")]
    try realm.write {
      for (number, pair) in pairs.enumerated() {
        for (place, letter) in [pair.0, pair.1].enumerated() {
          let specimen = Specimen(id: 10 * number + place)
          specimen.word = "\(letter)x\(letter)"
          specimen.text = "\(letter)x\(letter)"
          realm.add(specimen)
        }
      }
    }
    for (number, pair) in pairs.enumerated() {
      let both = [10 * number, 10 * number + 1]
      for letter in [pair.0, pair.1] {
        for property in ["word", "text"] {
          for (operation, needle) in [
            ("BEGINSWITH", letter), ("ENDSWITH", letter), ("CONTAINS", letter + "x"),
            ("==", "\(letter)x\(letter)"), ("LIKE", "\(letter)?*"),
          ] {
            let asked = realm.objects(Specimen.self)
            stage.equal(
              Array(asked.filter("\(property) \(operation)[c] %@", needle).map(\.id)), both,
              "\(property) \(operation)[c] \(needle)")
            stage.equal(
              Array(asked.filter("\(property) \(operation) %@", needle).map(\.id)),
              [letter == pair.0 ? both[0] : both[1]], "\(property) \(operation) \(needle)")
          }
        }
      }
    }
  }
}
