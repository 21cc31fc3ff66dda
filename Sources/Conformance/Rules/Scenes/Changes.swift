import EngineUnderTest
import Foundation

/// Every call that changes something of a managed object, in two steps: what it is done to is
/// fetched first, where that is allowed, and changed then.
struct Change: Sendable {
  enum Place: Sendable {
    /// A property of an object; a collection or what lies in it; what is embedded.
    case property, collection, part
  }

  let name: String
  let place: Place
  let prepare: @Sendable (Vessel) -> () -> Void

  private init(
    _ name: String, _ place: Place, _ prepare: @escaping @Sendable (Vessel) -> () -> Void
  ) { (self.name, self.place, self.prepare) = (name, place, prepare) }

  static let all = properties + collections + parts + mixtures

  private static let properties: [Change] = [
    property("a number") { $0.number = 7 },
    property("a number, to what it is") { $0.number = 0 },
    property("an optional number, to nil") { $0.maybe = nil },
    property("a text") { $0.text = "new" },
    property("an indexed text") { $0.name = "new" },
    property("an optional text, to nil") { $0.maybeText = nil },
    property("data") { $0.data = Data([7]) },
    property("optional data") { $0.maybeData = Data() },
    property("a fraction") { $0.ratio = .nan },
    property("a date") { $0.day = Date(timeIntervalSince1970: 7) },
    property("a UUID") { $0.mark = UUID() },
    property("a decimal number") { $0.price = 7 },
    property("a truth") { $0.truth = true },
    property("a mixed value") { $0.mixed = .int(7) },
    property("a mixed value, to none") { $0.mixed = .none },
    property("a link, to nil") { $0.link = nil },
    property("a link, to what it is") { vessel in
      let link = vessel.link
      vessel.link = link
    },
    property("a number, by setValue") { $0.setValue(7, forKey: "number") },
    property("a link, by setValue") { $0.setValue(nil, forKey: "link") },
    property("a text, by its name") { ByName.set("new", "text", of: $0) },
    property("a list, assigned") { $0.numbers = List([7]) },
    property("a list of objects, by setValue") { $0.setValue([], forKey: "links") },
    property("a map, assigned") { $0.titles = Map() },
    property("a set, assigned") { $0.labels = MutableSet() },
    property("an embedded object, to nil") { $0.part = nil },
    property("an embedded object, to another") { $0.part = Part(text: "new") },
  ]

  private static let collections: [Change] =
    list("a list of values", \.texts, "new") + list("a list of numbers", \.numbers, 7)
    + list("a list of data", \.blobs, Data([7]))
    + list("a list of mixed values", \.mixture, .int(7))
    + [
      of("a list of objects, appended to with one of its own", \.links) { $0.append($0[0]) },
      of("a list of objects, shortened", \.links) { $0.remove(at: 0) },
      of("a list of objects, emptied", \.links) { $0.removeAll() },
      of("a list of objects, moved in", \.links) { $0.move(from: 0, to: 1) },
      of("all members of a list, by name", \.links) { ByName.set(7, "number", in: $0) },
      of("a list of objects, appended to with a new one", \.links) { $0.append(Vessel(id: 9)) },
      of("a set of values, added to", \.labels) { $0.insert("new") },
      of("a set of values, added to with what it has", \.labels) { $0.insert("a") },
      of("a set of values, added to with several", \.labels) { $0.insert(objectsIn: ["x", "y"]) },
      of("a set of values, taken from", \.labels) { $0.remove("a") },
      of("a set of values, emptied", \.labels) { $0.removeAll() },
      of("a set of values, united", \.labels) { set in
        let other = MutableSet<String>()
        other.insert("new")
        set.formUnion(other)
      },
      of("a set of values, intersected", \.labels) { $0.formIntersection(MutableSet()) },
      of("a set of values, lessened", \.labels) { set in
        let other = MutableSet<String>()
        other.insert("a")
        set.subtract(other)
      },
      of("a set of objects, added to with a new one", \.group) { $0.insert(Vessel(id: 9)) },
      of("a set of objects, taken from", \.group) { $0.remove($0[0]) },
      of("a set of objects, emptied", \.group) { $0.removeAll() },
      of("a set of mixed values, added to", \.mixedSet) { $0.insert(.string("new")) },
      of("a map of values, set", \.titles) { $0["b"] = "new" },
      of("a map of values, set to what it has", \.titles) { $0["a"] = "title" },
      of("a map of values, updated", \.titles) { $0.updateValue("new", forKey: "a") },
      of("a map of values, set by name", \.titles) { ByName.set("new", "a", in: $0) },
      of("a map of values, a key set to nil", \.titles) { $0["a"] = nil },
      of("a map of values, a key removed", \.titles) { $0.removeObject(for: "a") },
      of("a map of values, emptied", \.titles) { $0.removeAll() },
      of("a map of values, merged", \.titles) { $0.merge([(key: "b", value: "new")]) { $1 } },
      of("a map of objects, set", \.named) { $0["b"] = .some(Vessel(id: 9)) },
      of("a map of objects, set to none", \.named) { $0["a"] = .some(nil) },
      of("a map of objects, a key removed", \.named) { $0.removeObject(for: "a") },
      of("a map of mixed values, set", \.mixedMap) { $0["b"] = .int(7) },
      of("all that link, by name", \.throughLink) { ByName.set(7, "number", in: $0) },
    ]

  /// All that changes a list of two members or more, or of one.
  private static func list<Value: RealmCollectionValue & SendableMetatype>(
    _ name: String, _ path: KeyPath<Vessel, List<Value>> & Sendable, _ value: Value
  ) -> [Change] {
    nonisolated(unsafe) let value = value
    return [
      of("\(name), appended to", path) { $0.append(value) },
      of("\(name), appended to with several", path) { $0.append(objectsIn: [value, value]) },
      of("\(name), inserted into", path) { $0.insert(value, at: 0) },
      of("\(name), inserted into with several", path) {
        $0.insert(contentsOf: [value, value], at: 0)
      },
      of("\(name), set at a position", path) { $0[0] = value },
      of("\(name), replaced at a position", path) { $0.replace(index: 0, object: value) },
      of("\(name), a range replaced", path) { $0.replaceSubrange(0..<1, with: [value]) },
      of("\(name), an empty range replaced", path) { $0.replaceSubrange(0..<0, with: [value]) },
      of("\(name), one removed", path) { $0.remove(at: 0) as Void },
      of("\(name), the first removed", path) { $0.removeFirst(1) },
      of("\(name), the last removed", path) { $0.removeLast(1) },
      of("\(name), a range removed", path) { $0.removeSubrange(0..<1) },
      of("\(name), positions removed", path) { $0.remove(atOffsets: [0]) },
      of("\(name), some removed", path) { $0.removeAll { _ in true } },
      of("\(name), emptied", path) { $0.removeAll() },
      of("\(name), moved to where it is", path) { $0.move(from: 0, to: 0) },
      of("\(name), swapped with itself", path) { $0.swapAt(0, 0) },
      of("\(name), filled anew", path) { $0.assign([value]) },
    ]
  }

  private static let parts: [Change] = [
    of("a property of an embedded object", .part, { $0.part! }, { $0.text = "new" }),
    of("a link of an embedded object", .part, { $0.part! }, { $0.link = nil }),
    of("a mixed value of an embedded object", .part, { $0.part! }, { $0.mixed = .int(7) }),
    of("a list of an embedded object", { $0.part!.texts }, { $0.append("new") }),
    of("a property of an embedded object in a list", .part, { $0.parts[0] }, { $0.text = "new" }),
    of(
      "a property of an embedded object in a map", .part, { $0.partMap["a"]!! },
      {
        $0.text = "new"
      }),
    of("a list of embedded objects, appended to", \.parts) { $0.append(Part(text: "new")) },
    of("a list of embedded objects, set at a position", \.parts) { $0[0] = Part(text: "new") },
    of("a list of embedded objects, shortened", \.parts) { $0.removeLast(1) },
    of("a list of embedded objects, swapped", \.parts) { $0.swapAt(0, 1) },
    of("a map of embedded objects, set", \.partMap) { $0["b"] = .some(Part(text: "new")) },
    of("a map of embedded objects, set to none", \.partMap) { $0["a"] = .some(nil) },
  ]

  private static let mixtures: [Change] =
    Engine.offersReins
    ? [
      of("a list in a mixed value, appended to", nest) { $0.append(.int(7)) },
      of("a list in a mixed value, set at a position", nest) { $0[0] = .int(7) },
      of("a list in a mixed value, shortened", nest) { $0.removeLast(1) },
      of("a list in a mixed value, emptied", nest) { $0.removeAll() },
      of(
        "a dictionary in a mixed value, set", { $0.mixed.dictionaryValue! }, { $0["b"] = .int(7) }),
      of(
        "a dictionary in a mixed value, a key removed", { $0.mixed.dictionaryValue! },
        {
          $0["a"] = nil
        }),
      of(
        "a dictionary in a mixed value, emptied", { $0.mixed.dictionaryValue! },
        {
          $0.removeAll()
        }),
    ] : []

  private static let nest: @Sendable (Vessel) -> List<AnyRealmValue> = {
    $0.mixed.dictionaryValue!["list"]!.listValue!
  }

  private static func property(
    _ name: String, _ body: @escaping @Sendable (Vessel) -> Void
  ) -> Change { Change(name, .property) { vessel in { body(vessel) } } }

  private static func of<Owner: SendableMetatype>(
    _ name: String, _ path: KeyPath<Vessel, Owner> & Sendable,
    _ body: @escaping @Sendable (Owner) -> Void
  ) -> Change { of(name, .collection, { $0[keyPath: path] }, body) }

  private static func of<Owner: SendableMetatype>(
    _ name: String, _ owner: @escaping @Sendable (Vessel) -> Owner,
    _ body: @escaping @Sendable (Owner) -> Void
  ) -> Change { of(name, .collection, owner, body) }

  private static func of<Owner: SendableMetatype>(
    _ name: String, _ place: Place, _ owner: @escaping @Sendable (Vessel) -> Owner,
    _ body: @escaping @Sendable (Owner) -> Void
  ) -> Change {
    Change(name, place) { vessel in
      let owner = owner(vessel)
      return { body(owner) }
    }
  }
}

extension Probe {
  private static let refusalsOfChanges = [
    Words.outsideWrite, "Attempting to modify object outside", Words.onlyInWrite, "Cannot modify",
    Words.frozenObject, "frozen",
  ]

  /// Each change, outside of a write: of objects' properties, or of collections.
  static func changesOutside(_ places: [Change.Place]) -> [Probe] {
    Change.all.filter { places.contains($0.place) }.map { change in
      Probe("\(change.name), outside of a write", refusing: refusalsOfChanges) { stage in
        let realm = try Vessel.stocked(stage)
        // Changed in a write first, which is taken back: nothing of that must help afterwards.
        realm.beginWrite()
        change.prepare(realm.vessel(1))()
        realm.cancelWrite()
        let call = change.prepare(realm.vessel(1))
        stage.act { call() }
      }
    }
  }

  /// Each change on another thread, which is in a write of its own or not.
  static let changesElsewhere: [Probe] = Change.all.map { change in
    .dies("\(change.name), elsewhere", saying: Words.wrongThread) { stage in
      let realm = try Vessel.stocked(stage)
      let call = change.prepare(realm.vessel(1))
      try stage.elsewhere {
        let own = try Vessel.stocked(stage)
        own.beginWrite()
        stage.act { call() }
      }
    }
  }

  /// Each change of what is frozen, in a write of the live realm.
  static func changesOfFrozen(_ places: [Change.Place]) -> [Probe] {
    Change.all.filter { places.contains($0.place) }.map { change in
      Probe("\(change.name), frozen", refusing: refusalsOfChanges) { stage in
        let realm = try Vessel.stocked(stage)
        let call = change.prepare(realm.vessel(1).freeze())
        realm.beginWrite()
        stage.act { call() }
      }
    }
  }

  /// Each change off the queue of its realm.
  static let changesOffTheQueue: [Probe] = Change.all.map { change in
    .dies("\(change.name), off its queue", saying: Words.wrongThread) { stage in
      let queue = DispatchQueue(label: "home")
      var kept: Realm?
      let call = try queue.sync {
        let realm = try Realm(configuration: Vessel.configuration(stage), queue: queue)
        try realm.write { Vessel.stock(realm) }
        realm.beginWrite()
        kept = realm
        return change.prepare(realm.vessel(1))
      }
      stage.act { call() }
      use(kept)
    }
  }
}
