import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Whatever can be asked of a collection goes with the reference.
  static let derivedReferences = Probe(
    "a query of each kind of collection is the same query elsewhere, however it was narrowed"
  ) { stage in
    let configuration = stage.specimens()
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let first = Specimen(id: 0)
      realm.add(first)
      for id in 1..<12 {
        let specimen = Specimen(id: id)
        specimen.amount = id % 5
        specimen.next = first
        realm.add(specimen)
        first.members.append(specimen)
        first.group.insert(specimen)
      }
    }
    let first = realm.specimen(0)!
    let origins: [(String, Results<Specimen>)] = [
      ("the class", realm.objects(Specimen.self).where { $0.id > 0 }),
      ("a list", first.members.where { $0.id > 0 }),
      ("a set", first.group.where { $0.id > 0 }),
      ("links backwards", first.throughNext.where { $0.id > 0 }),
    ]
    let ways: [(String, (Results<Specimen>) -> Results<Specimen>)] = [
      ("as it is", { $0 }), ("filtered", { $0.where { $0.amount > 2 } }),
      ("sorted", { $0.sorted(byKeyPath: "amount", ascending: false) }),
      ("distinct", { $0.distinct(by: ["amount"]) }),
      ("filtered and sorted", { $0.where { $0.amount < 3 }.sorted(byKeyPath: "amount") }),
      (
        "sorted and distinct",
        { $0.sorted(byKeyPath: "id", ascending: false).distinct(by: ["amount"]) }
      ),
    ]
    for (origin, results) in origins {
      for (name, narrow) in ways {
        let asked = narrow(results)
        let ids = Array(asked.map(\.id))
        stage.equal(Array(asked.freeze().map(\.id)), ids, "frozen: \(origin), \(name)")
        stage.equal(
          asked.freeze().thaw().map { Array($0.map(\.id)) }, ids, "thawed: \(origin), \(name)")
        let reference = ThreadSafeReference(to: asked)
        @ThreadSafe var wrapped: Results<Specimen>? = asked
        let wrapper = _wrapped
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          stage.equal(
            other.resolve(reference).map { Array($0.map(\.id)) }, ids,
            "resolved: \(origin), \(name)")
          stage.equal(
            wrapper.wrappedValue.map { Array($0.map(\.id)) }, ids, "wrapped: \(origin), \(name)")
        }
      }
    }
  }

  /// References to what a write made, in the place of what it deleted.
  static let replacedReferences = Bygones.shapes.map { shape in
    Probe("references to what a write put in the place of what it deleted: \(shape.name)") {
      stage in
      let realm = try stage.open()
      try Bygones.fill(realm)
      var references: [ThreadSafeReference<Account>] = []
      var plain: [ThreadSafeReference<Account>] = []
      try realm.write {
        plain = (0..<8).map { ThreadSafeReference(to: realm.account($0)) }
        shape.delete(realm)
        Bygones.giveKeysAgain(shape, realm)
        references = shape.gone.sorted().map { ThreadSafeReference(to: realm.account($0)) }
      }
      let (made, old) = (references, plain)
      try stage.elsewhere {
        let other = try stage.open()
        stage.equal(
          made.map { other.resolve($0)?.note }, made.map { _ in "new" as String? }, "the new ones")
        stage.equal(
          old.map { other.resolve($0)?.note },
          (0..<8).map { shape.gone.contains($0) ? nil : "old" }, "those there were before")
      }
    }
  }
}
