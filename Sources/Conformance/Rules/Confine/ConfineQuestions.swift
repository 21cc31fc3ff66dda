import EngineUnderTest
import Foundation

/// Questions about contents that are seldom asked, put on another thread to what was fetched, and
/// asked, at home.
enum FarQuestions {
  static let collections: [Probe] = [
    asked("a list of numbers, its sum", { $0.numbers }, { use($0.sum() as Int) }),
    asked("a list of numbers, its greatest", { $0.numbers }, { use($0.max()) }),
    asked("a list of numbers, its mean", { $0.numbers }, { use($0.average() as Double?) }),
    asked("a list of texts, the place of one", { $0.texts }, { use($0.index(of: "b")) }),
    asked("a list of texts, whether it has one", { $0.texts }, { use($0.contains("b")) }),
    asked("a list of texts, sorted", { $0.texts }, { use($0.sorted(ascending: false).first) }),
    asked("a list of texts, without doubles", { $0.texts }, { use($0.distinct().count) }),
    asked("a list of embedded objects, its count", { $0.parts }, { use($0.count) }),
    asked(
      "a list of embedded objects, a query", { $0.parts }, { use($0.filter("text != ''").count) }),
    asked("a set of texts, whether it has one", { $0.labels }, { use($0.contains("a")) }),
    asked(
      "a set of texts, whether it is within itself", { $0.labels }, { use($0.isSubset(of: $0)) }),
    asked("a set of texts, whether it meets itself", { $0.labels }, { use($0.intersects($0)) }),
    asked("a set of mixed values, its count", { $0.mixedSet }, { use($0.count) }),
    asked("a map of texts, a value", { $0.titles }, { use($0["a"]) }),
    asked("a map of texts, a value or another", { $0.titles }, { use($0["z", default: ""]) }),
    asked("a map of texts, its values", { $0.titles }, { use($0.values) }),
    asked("a map of texts, whether it is empty", { $0.titles }, { use($0.isEmpty) }),
    asked("links backwards, sorted", { $0.throughLink }, { use($0.sorted(byKeyPath: "id").last) }),
    asked(
      "links backwards, a question in Swift", { $0.throughLinks },
      { use($0.index(matching: { $0.id == 1 })) }),
    asked(
      "results, a question in Swift", { $0.realm!.objects(Vessel.self) },
      { use($0.index(matching: { $0.id == 1 })) }),
    asked(
      "results, put in sections", { $0.realm!.objects(Vessel.self) },
      { use($0.sectioned(by: \.number).count) }),
    asked("results of a projection", { $0.realm!.objects(VesselView.self) }, { use($0.count) }),
    asked(
      "results by the name of their class", { $0.realm!.dynamicObjects("Vessel") },
      { use($0.count) }),
    asked(
      "one by the name of its class",
      { $0.realm!.dynamicObject(ofType: "Vessel", forPrimaryKey: 1)! },
      { use(ByName.value("number", of: $0)) }),
    asked("a list, by its name", { $0 }, { use($0.dynamicList("links").count) }),
    asked("a set, by its name", { $0 }, { use($0.dynamicMutableSet("group").count) }),
  ]

  private static func asked<Thing: SendableMetatype>(
    _ name: String, _ fetch: @escaping @Sendable (Vessel) -> Thing,
    _ ask: @escaping @Sendable (Thing) -> Void
  ) -> Probe {
    .dies("\(name), asked on another thread, and asked at home before", saying: Words.wrongThread) {
      stage in
      let realm = try Vessel.stocked(stage)
      let thing = fetch(realm.vessel(1))
      ask(thing)
      try stage.elsewhere { stage.act { ask(thing) } }
      use(realm)
    }
  }
}
