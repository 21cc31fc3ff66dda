import EngineUnderTest
import Foundation

/// Every call that reads something of a managed object, in two steps: what it is read from is
/// fetched first, and read then.
struct Look: Sendable {
  let name: String
  /// Whether it is a question to the object itself.
  let isOfObject: Bool
  let prepare: @Sendable (Vessel) -> () -> Void

  private init(
    _ name: String, isOfObject: Bool, _ prepare: @escaping @Sendable (Vessel) -> () -> Void
  ) { (self.name, self.isOfObject, self.prepare) = (name, isOfObject, prepare) }

  static let all =
    properties
    + collection("results") { $0.realm!.objects(Vessel.self) }
    + collection("a filter") { $0.realm!.objects(Vessel.self).where { $0.id > 0 } }
    + collection("sorted results") {
      $0.realm!.objects(Vessel.self).sorted(byKeyPath: "name", ascending: false)
    }
    + collection("distinct results") { $0.realm!.objects(Vessel.self).distinct(by: ["name"]) }
    + collection("a list of objects") { $0.links } + collection("a set of objects") { $0.group }
    + collection("links backwards") { $0.throughLink }
    + collection("any collection") { AnyRealmCollection($0.links) }
    + collection("a query of a list") { $0.links.where { $0.id > 0 } }
    + values("a list of texts") { $0.texts } + values("a set of texts") { $0.labels }
    + values("results of numbers") { $0.numbers.sorted() }
    + values("a list of mixed values") { $0.mixture } + maps + sections + projections

  private static let properties: [Look] = [
    object("a number") { use($0.number) }, object("an optional number") { use($0.maybe) },
    object("a text") { use($0.text) }, object("an indexed text") { use($0.name) },
    object("an optional text") { use($0.maybeText) }, object("data") { use($0.data) },
    object("optional data") { use($0.maybeData) }, object("a fraction") { use($0.ratio) },
    object("a date") { use($0.day) }, object("a UUID") { use($0.mark) },
    object("a decimal number") { use($0.price) }, object("a truth") { use($0.truth) },
    object("a mixed value") { use($0.mixed) }, object("a primary key") { use($0.id) },
    object("a link") { use($0.link) }, object("an embedded object") { use($0.part) },
    object("a list's count") { use($0.texts.count) },
    object("a property, by value(forKey:)") { use($0.value(forKey: "text")) },
    object("a property, by its name") { use(ByName.value("number", of: $0)) },
    object("a link, by value(forKey:)") { use($0.value(forKey: "link")) },
    object("freeze()") { use($0.freeze()) },
    object("observe()") { use($0.observe { _ in }) },
    object("a reference to it") { use(ThreadSafeReference(to: $0)) },
    of("a property of an embedded object", { $0.part! }, { use($0.text) }),
    of("a link of an embedded object", { $0.part! }, { use($0.link) }),
    of("a property of an embedded object in a list", { $0.parts[0] }, { use($0.text) }),
    of("a list of an embedded object", { $0.part!.texts }, { use($0.count) }),
  ]

  private static func object(_ name: String, _ read: @escaping @Sendable (Vessel) -> Void)
    -> Look
  { Look(name, isOfObject: true) { vessel in { read(vessel) } } }

  private static func of<Owner: SendableMetatype>(
    _ name: String, _ owner: @escaping @Sendable (Vessel) -> Owner,
    _ read: @escaping @Sendable (Owner) -> Void
  ) -> Look {
    Look(name, isOfObject: false) { vessel in
      let owner = owner(vessel)
      // Read at home first: what is known of that must not help elsewhere.
      read(owner)
      return { read(owner) }
    }
  }

  /// What any collection can be asked.
  private static func values<C: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Vessel) -> C
  ) -> [Look] where C.Element: SendableMetatype, C.Iterator: SendableMetatype {
    [
      of("\(name), count", find) { use($0.count) },
      of("\(name), isEmpty", find) { use($0.isEmpty) },
      of("\(name), first", find) { use($0.first) }, of("\(name), last", find) { use($0.last) },
      of("\(name), a member", find) { use($0[0]) },
      of("\(name), a loop", find) { for member in $0 { use(member) } },
      of("\(name), an iterator", find) { use($0.makeIterator()) },
      of("\(name), map", find) { use($0.map { $0 }) },
      of("\(name), reversed", find) { for member in $0.reversed() { use(member) } },
      of("\(name), enumerated", find) { for (_, member) in $0.enumerated() { use(member) } },
      of("\(name), members by positions", find) { use($0.objects(at: [0])) },
      of("\(name), freeze()", find) { use($0.freeze()) },
      of("\(name), a reference to it", find) { use(ThreadSafeReference(to: $0)) },
    ]
  }

  /// And one of objects.
  private static func collection<C: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Vessel) -> C
  ) -> [Look] where C.Element == Vessel, C.Iterator: SendableMetatype {
    values(name, find) + [
      of("\(name), sum", find) {
        let sum: Int = $0.sum(ofProperty: "number")
        use(sum)
      },
      of("\(name), sum of a key path", find) { use($0.sum(of: \.number)) },
      of("\(name), least", find) {
        let least: Int? = $0.min(ofProperty: "number")
        use(least)
      },
      of("\(name), greatest", find) { use($0.max(of: \.number)) },
      of("\(name), mean", find) {
        let mean: Double? = $0.average(ofProperty: "number")
        use(mean)
      },
      of("\(name), index(matching:)", find) { use($0.index(matching: "id == 1")) },
      of("\(name), filtered", find) { use($0.filter("id > 0").count) },
      of("\(name), narrowed", find) { use($0.where { $0.id > 0 }.first) },
      of("\(name), sorted", find) { use($0.sorted(byKeyPath: "number").last) },
      of("\(name), distinct", find) { use($0.distinct(by: ["number"]).count) },
    ]
  }

  private static let maps: [Look] =
    map("a map of objects") { $0.named } + map("a map of texts") { $0.titles }
    + map("a map of mixed values") { $0.mixedMap }
    + map("a map of embedded objects") { $0.partMap }

  private static let sections: [Look] = {
    let find: @Sendable (Vessel) -> SectionedResults<Int, Vessel> = {
      $0.realm!.objects(Vessel.self).sectioned(by: \.number)
    }
    let section: @Sendable (Vessel) -> ResultsSection<Int, Vessel> = { find($0)[0] }
    return [
      of("sections, count", find) { use($0.count) },
      of("sections, keys", find) { use($0.allKeys) },
      of("sections, one of them", find) { use($0[0]) },
      of("sections, first", find) { use($0.first) },
      of("sections, a loop", find) { for section in $0 { use(section.key) } },
      of("sections, freeze()", find) { use($0.freeze()) },
      of("a section, count", section) { use($0.count) },
      of("a section, a member", section) { use($0[0]) },
      of("a section, first", section) { use($0.first) },
      of("a section, a loop", section) { for vessel in $0 { use(vessel) } },
      of("a section, freeze()", section) { use($0.freeze()) },
    ]
  }()

  private static let projections: [Look] = {
    let find: @Sendable (Vessel) -> VesselView = { VesselView(projecting: $0) }
    return [
      of("a projection, a number", find) { use($0.number) },
      of("a projection, a text", find) { use($0.text) },
      of("a projection, what is embedded", find) { use($0.partText) },
      of("a projection, what members have", find) { use($0.names.count) },
      of("a projection, what one of them has", find) { use($0.names[0]) },
      of("a projection, freeze()", find) { use($0.freeze()) },
    ]
  }()

  private static func map<Value: RealmCollectionValue & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Vessel) -> Map<String, Value>
  ) -> [Look] {
    [
      of("\(name), count", find) { use($0.count) },
      of("\(name), isEmpty", find) { use($0.isEmpty) },
      of("\(name), a value", find) { use($0["a"]) },
      of("\(name), a value that is not there", find) { use($0["z"]) },
      of("\(name), a value or another", find) { map in
        let other = map.values[0]
        use(map["z", default: other])
      },
      of("\(name), keys", find) { use($0.keys) }, of("\(name), values", find) { use($0.values) },
      of("\(name), a loop", find) { for entry in $0 { use(entry.key) } },
      of("\(name), pairs", find) { for pair in $0.asKeyValueSequence() { use(pair.key) } },
      of("\(name), freeze()", find) { use($0.freeze()) },
      of("\(name), a reference to it", find) { use(ThreadSafeReference(to: $0)) },
    ]
  }
}

extension Probe {
  private static let usual = Look.all.filter { !$0.isOfObject }

  /// Each read of an object, elsewhere.
  static let readsElsewhere: [Probe] = Look.all.filter(\.isOfObject).map { elsewhere($0) }

  /// Each read of a collection or of what is embedded, elsewhere.
  static let readsOfMembersElsewhere: [Probe] = usual.map { elsewhere($0) }

  private static func elsewhere(_ look: Look) -> Probe {
    .dies("\(look.name), elsewhere", saying: Words.wrongThread) { stage in
      let realm = try Vessel.stocked(stage)
      let call = look.prepare(realm.vessel(1))
      try stage.elsewhere { stage.act { call() } }
      use(realm)
    }
  }

  /// Each read off the queue of its realm.
  static let readsOffTheQueue: [Probe] = Look.all.enumerated().filter { $0.offset % 3 == 0 }.map {
    _, look in
    .dies("\(look.name), read off its queue", saying: Words.wrongThread) { stage in
      let queue = DispatchQueue(label: "home")
      var kept: Realm?
      let call = try queue.sync {
        let realm = try Realm(configuration: Vessel.configuration(stage), queue: queue)
        try realm.write { Vessel.stock(realm) }
        kept = realm
        return look.prepare(realm.vessel(1))
      }
      stage.act { call() }
      use(kept)
    }
  }
}
