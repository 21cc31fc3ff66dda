import EngineUnderTest
import Foundation

/// Each property set to what it is, and each change of a collection that would leave it as it is:
/// it needs a write like any other.
enum SameAgain {
  static let properties: [Probe] = [
    property("an optional number") { $0.maybe = $0.maybe },
    property("an optional number, nil to nil") { vessel in
      vessel.link!.maybe = vessel.link!.maybe
    },
    property("a text") { $0.text = $0.text },
    property("an indexed text") { $0.name = $0.name },
    property("an optional text") { $0.maybeText = $0.maybeText },
    property("an optional text, nil to nil") { $0.link!.maybeText = nil },
    property("data") { $0.data = $0.data },
    property("optional data, nil to nil") { $0.maybeData = nil },
    property("a fraction") { $0.ratio = $0.ratio },
    property("a date") { $0.day = $0.day },
    property("a UUID") { $0.mark = $0.mark },
    property("a decimal number") { $0.price = $0.price },
    property("a truth") { $0.truth = $0.truth },
    property("a mixed value, none to none") { $0.link!.mixed = .none },
    property("a link, nil to nil") { $0.part!.link!.links[0].parts[0].link = nil },
    property("an embedded object, nil to nil") { $0.link!.part = nil },
    property("an embedded object's text") { $0.part!.text = $0.part!.text },
    named("a text", "text"), named("an optional number", "maybe"), named("a date", "day"),
    named("a UUID", "mark"), named("a decimal number", "price"), named("a truth", "truth"),
    named("data", "data"), named("a link", "link"),
  ]

  static let collections: [Probe] = [
    property("a list's text") { $0.texts[0] = $0.texts[0] },
    property("a list's number") { $0.numbers.replace(index: 1, object: $0.numbers[1]) },
    property("a list's object") { $0.links[0] = $0.links[0] },
    property("a list's mixed value") { $0.mixture[0] = $0.mixture[0] },
    property("a map's object") { $0.named["a"] = .some($0.link) },
    property("a map's mixed value") { $0.mixedMap["a"] = .int(1) },
    property("a map's key that is not there, to nil") { $0.titles["z"] = nil },
    property("a map's key that is not there, removed") { $0.titles.removeObject(for: "z") },
    property("a set's object, which it has") { vessel in vessel.group.insert(vessel.group[0]) },
    property("a set's text, which it has not, removed") { $0.labels.remove("z") },
    property("a set's mixed value, which it has") { $0.mixedSet.insert(.int(1)) },
    property("a set, united with itself") { vessel in vessel.labels.formUnion(vessel.labels) },
    property("a number of all members of a list") { ByName.set(0, "number", in: $0.links) },
  ]

  private static func named(_ name: String, _ key: String) -> Probe {
    property("\(name), by its name") { $0.setValue($0.value(forKey: key), forKey: key) }
  }

  private static func property(_ name: String, _ act: @escaping @Sendable (Vessel) -> Void)
    -> Probe
  {
    Probe(
      "\(name), as it is, outside of a write",
      refusing: [Words.outsideWrite, "Attempting to modify object outside", "Cannot modify"]
    ) { stage in
      let realm = try Vessel.stocked(stage)
      let vessel = realm.vessel(1)!
      // In a write it is fine, and what is known of it then must not help later.
      let before = realm.dump
      try realm.write { act(vessel) }
      stage.equal(realm.dump, before, "what is there when it was done in a write")
      stage.act { act(vessel) }
    }
  }
}
