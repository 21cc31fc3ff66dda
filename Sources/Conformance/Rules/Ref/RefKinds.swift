import EngineUnderTest
import Foundation
import Harness

/// Everything that may be confined to a thread, and how it goes to another: what a rule about
/// references and variables says of one kind of thing it says of each.
enum RefKinds {
  /// A thing that is there, whatever its kind.
  struct Held {
    /// The thing itself.
    let value: Any
    /// What can be told of it in one line.
    let digest: () -> String
    let refer: () -> Ticket
    let wrap: () -> Variable
    let freeze: () -> Held
    /// What it thaws to; nil if that is gone.
    let thaw: () -> Held?
    let realm: () -> Realm?
    let isFrozen: () -> Bool
    let isInvalidated: () -> Bool
    /// The instance, of objects and collections of theirs; of what has none of its own, null.
    let instance: AnyObject?
  }

  /// A reference to it: what it tells where it is resolved, nil if it is gone, and the realm that
  /// the thing is of there.
  struct Ticket {
    let isInvalidated: () -> Bool
    let resolve: (Realm) -> Thing?
  }

  struct Variable {
    let read: () -> Thing?
    /// Makes it lead to a thing of the same kind, of whichever file, or to nothing.
    let take: (Held?) -> Void
  }

  struct Thing {
    let digest: String
    let realm: Realm?
    let isFrozen: Bool
  }

  struct Kind: Sendable {
    let name: String
    /// Of the vessel with an id.
    let hold: @Sendable (Realm, Int) -> Held
  }

  static func kind<Value: ThreadConfined & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm, Int) -> Value,
    _ digest: @escaping @Sendable (Value) -> String
  ) -> Kind {
    Kind(name: name) { realm, id in
      func thing(_ value: Value) -> Thing {
        Thing(digest: digest(value), realm: value.realm, isFrozen: value.isFrozen)
      }
      func held(_ value: Value) -> Held {
        Held(
          value: value,
          digest: { digest(value) },
          refer: {
            let reference = ThreadSafeReference(to: value)
            return Ticket(
              isInvalidated: { reference.isInvalidated },
              resolve: { $0.resolve(reference).map(thing) })
          },
          wrap: {
            let variable = ThreadSafe(wrappedValue: value)
            return Variable(
              read: { variable.wrappedValue.map(thing) },
              take: { held in variable.wrappedValue = held?.value as? Value })
          },
          freeze: { held(value.freeze()) }, thaw: { value.thaw().map(held) },
          realm: { value.realm }, isFrozen: { value.isFrozen },
          isInvalidated: { value.isInvalidated },
          instance: Value.self is AnyClass && !(value is VesselView) ? value as AnyObject : nil)
      }
      return held(find(realm, id))
    }
  }

  private static func ids(_ members: some Sequence<Vessel>) -> String {
    "\(members.map { "\($0.id) with \($0.number)" })"
  }

  static let all: [Kind] = [
    kind("an object", { $0.vessel($1) }, { "\($0.id) with \($0.number) and \($0.text)" }),
    kind(
      "an object without a key",
      { realm, id in realm.objects(Person.self).where { $0.age == id }[0] },
      { "\($0.name), \($0.age)" }),
    kind("an embedded object", { $0.vessel($1).part! }, { "\($0.text), \($0.link?.id ?? 0)" }),
    kind("an embedded object of a list", { $0.vessel($1).parts[1] }, { $0.text }),
    kind("an embedded object of a map", { $0.vessel($1).partMap["a"]!! }, { $0.text }),
    kind("a list of objects", { $0.vessel($1).links }, { ids($0) }),
    kind("a list of texts", { $0.vessel($1).texts }, { "\(Array($0))" }),
    kind("a list of numbers", { $0.vessel($1).numbers }, { "\(Array($0))" }),
    kind("a list of data", { $0.vessel($1).blobs }, { "\($0.map { [UInt8]($0) })" }),
    kind("a list of mixed values", { $0.vessel($1).mixture }, { "\($0.count)" }),
    kind("a list of embedded objects", { $0.vessel($1).parts }, { "\($0.map(\.text))" }),
    kind("a list of an embedded object", { $0.vessel($1).part!.texts }, { "\(Array($0))" }),
    kind("a set of texts", { $0.vessel($1).labels }, { "\(Array($0).sorted())" }),
    kind("a set of objects", { $0.vessel($1).group }, { ids($0.sorted { $0.id < $1.id }) }),
    kind("a set of mixed values", { $0.vessel($1).mixedSet }, { "\($0.count)" }),
    kind(
      "a map of texts", { $0.vessel($1).titles },
      { map in "\(map.keys.sorted().map { "\($0): \(map[$0] ?? "none")" })" }),
    kind(
      "a map of objects", { $0.vessel($1).named },
      { map in "\(map.keys.sorted().map { "\($0): \((map[$0] ?? nil)?.id ?? 0)" })" }),
    kind("a map of mixed values", { $0.vessel($1).mixedMap }, { "\($0.keys.sorted())" }),
    kind(
      "a map of embedded objects", { $0.vessel($1).partMap },
      { map in "\(map.keys.sorted().map { "\($0): \((map[$0] ?? nil)?.text ?? "none")" })" }),
    kind("links backwards", { $0.vessel($1).throughLink }, { ids($0) }),
    kind("links backwards through a list", { $0.vessel($1).throughLinks }, { ids($0) }),
    kind("all objects", { realm, _ in realm.objects(Vessel.self) }, { ids($0) }),
    kind(
      "a query", { realm, id in realm.objects(Vessel.self).where { $0.id >= id } }, { ids($0) }),
    kind(
      "a sorted query",
      { realm, id in
        realm.objects(Vessel.self).where { $0.id >= id }.sorted(byKeyPath: "id", ascending: false)
      }, { ids($0) }),
    kind(
      "a query of a list", { realm, id in realm.vessel(id).links.where { $0.id > 0 } },
      { ids($0) }),
    kind(
      "a sorted set", { realm, id in realm.vessel(id).group.sorted(byKeyPath: "id") }, { ids($0) }),
    kind(
      "a sorted list of texts", { realm, id in realm.vessel(id).texts.sorted(ascending: false) },
      { "\(Array($0))" }),
    kind(
      "an erased list", { realm, id in AnyRealmCollection(realm.vessel(id).links) }, { ids($0) }),
    kind(
      "an erased query",
      { realm, id in AnyRealmCollection(realm.objects(Vessel.self).where { $0.id >= id }) },
      { ids($0) }),
    kind(
      "erased links backwards", { realm, id in AnyRealmCollection(realm.vessel(id).throughLink) },
      { ids($0) }),
    kind(
      "a projection", { VesselView(projecting: $0.vessel($1)) },
      { "\($0.number), \($0.text), \($0.partText ?? "none"), \(Array($0.names))" }),
    kind(
      "projections of all", { realm, _ in realm.objects(VesselView.self) },
      { "\($0.map { "\($0.number) \($0.text)" })" }),
    kind(
      "distinct objects",
      { realm, id in
        realm.objects(Vessel.self).where { $0.id >= id }.distinct(by: ["text", "id"])
      }, { ids($0) }),
  ]

  static func configuration(_ stage: Stage, _ name: String = "vessels") -> Realm.Configuration {
    var configuration = Vessel.configuration(stage, name)
    configuration.objectTypes = [Vessel.self, Part.self] + Models.all
    return configuration
  }

  /// A file with vessels 1 and 2, each of which has something in each place.
  static func stocked(_ stage: Stage, _ name: String = "vessels") throws -> Realm {
    let realm = try Realm(configuration: configuration(stage, name))
    if realm.isEmpty { try realm.write { stock(realm) } }
    return realm
  }

  static func stock(_ realm: Realm) {
    Vessel.stock(realm)
    let (first, second) = (realm.vessel(1)!, realm.vessel(2)!)
    second.group.insert(first)
    second.named["b"] = .some(first)
    second.numbers.append(3)
    second.texts.append(objectsIn: ["c", "d"])
    second.labels.insert("b")
    second.titles["b"] = "another"
    second.blobs.append(Data([3]))
    second.mixture.append(.int(2))
    second.mixedSet.insert(objectsIn: [.int(2), .int(3)])
    second.mixedMap["b"] = .int(1)
    second.part = Part(text: "second", link: first)
    second.part!.texts.append("b")
    second.parts.append(objectsIn: [Part(text: "three"), Part(text: "four"), Part(text: "five")])
    second.partMap["a"] = .some(Part(text: "in another map"))
    for age in 1...2 { realm.add(Person(name: "\(age)", age: age)) }
  }

  /// Changes something of each kind, of both vessels.
  static func change(_ realm: Realm, _ number: Int) {
    for id in 1...2 {
      let vessel = realm.vessel(id)!
      (vessel.number, vessel.text) = (number, "text \(number)")
      vessel.texts.append("\(number)")
      vessel.numbers.append(number)
      vessel.blobs.append(Data([UInt8(number)]))
      vessel.mixture.append(.int(number))
      vessel.labels.insert("\(number)")
      vessel.mixedSet.insert(.int(100 + number))
      vessel.titles["\(number)"] = "new"
      vessel.mixedMap["\(number)"] = .int(number)
      vessel.named["\(number)"] = .some(vessel)
      vessel.partMap["a"]!!.text = "\(number)"
      vessel.part!.text = "part \(number)"
      vessel.part!.texts.append("\(number)")
      vessel.parts[1].text = "\(number)"
      vessel.links.append(vessel)
      realm.objects(Person.self).where { $0.age == id }[0].name = "name \(number)"
    }
  }

  // MARK: Probes

  /// Where a reference is resolved.
  private enum Target: String, CaseIterable {
    case fresh = "a realm that was just opened"
    case older = "a realm on an older version"
    case newer = "a realm that is newer"
    case writing = "a realm in a write"
    case changed = "a realm in a write that has changed something"
    case invalidated = "a realm without a version"
    case queue = "a queue's realm"
    case itself = "the realm that it is from"
  }

  static let everywhere: [Probe] = Target.allCases.map { target in
    Probe("each kind of thing is referred to and resolved in \(target.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      let configuration = configuration(stage)
      try stage.elsewhere { _ = try stocked(stage) }
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      for (number, kind) in all.enumerated() {
        for id in 1...2 {
          let round = 2 * number + id
          let what = "\(kind.name) of \(id), in \(target.rawValue)"
          func check(_ ticket: Ticket, _ other: Realm, _ digest: String) {
            stage.equal(ticket.isInvalidated(), false, "whether it was used before, \(what)")
            let thing = ticket.resolve(other)
            stage.equal(thing?.digest, digest, what)
            stage.equal(thing?.realm, other, "the realm of \(what)")
            stage.equal(thing?.isFrozen, false, "whether it is frozen, \(what)")
            stage.equal(ticket.isInvalidated(), true, "whether it was used after, \(what)")
          }
          /// The thing as another realm finds it by itself.
          func own(_ other: Realm) -> String { kind.hold(other, id).digest() }
          func renew() throws { try realm.write { change(realm, round) } }
          switch target {
          case .itself:
            try renew()
            let held = kind.hold(realm, id)
            check(held.refer(), realm, held.digest())
            realm.beginWrite()
            realm.cancelWrite()
            stage.equal(held.digest(), own(realm), "the one that was referred to, \(what)")
          case .older:
            let queue = DispatchQueue(label: "older")
            let other = try queue.sync {
              let other = try Realm(configuration: configuration, queue: queue)
              other.autorefresh = false
              use(other.vessel(1)!.number)
              return other
            }
            try renew()
            let held = kind.hold(realm, id)
            let (ticket, digest) = (held.refer(), held.digest())
            queue.sync { check(ticket, other, digest) }
          case .queue:
            try renew()
            let held = kind.hold(realm, id)
            let (ticket, digest) = (held.refer(), held.digest())
            let queue = DispatchQueue(label: "home")
            try queue.sync {
              check(ticket, try Realm(configuration: configuration, queue: queue), digest)
            }
          default:
            let held = kind.hold(realm, id)
            let ticket = held.refer()
            let before = held.digest()
            if target != .fresh {
              try stage.elsewhere {
                let other = try Realm(configuration: configuration)
                try other.write { change(other, round) }
              }
            }
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              switch target {
              case .fresh: check(ticket, other, before)
              case .newer:
                other.refresh()
                let newest = own(other)
                check(ticket, other, newest)
              case .writing, .changed:
                other.beginWrite()
                if target == .changed { change(other, round + 100) }
                check(ticket, other, own(other))
                other.cancelWrite()
              default:
                other.invalidate()
                let thing = ticket.resolve(other)
                let after = own(other)
                // It may begin at the reference's version, or at a later one.
                stage.equal(thing?.digest, after, what)
              }
            }
            stage.equal(held.digest(), before, "the source, which nobody moved, \(what)")
            realm.refresh()
            stage.equal(held.digest(), own(realm), "the source after a refresh, \(what)")
          }
        }
      }
    }
  }

  static let readOnly = Probe("each kind of thing of a read-only realm is referred to") { stage in
    try stage.elsewhere { _ = try stocked(stage) }
    var configuration = configuration(stage)
    configuration.readOnly = true
    let readOnly = configuration
    let realm = try Realm(configuration: readOnly)
    for kind in all {
      let held = kind.hold(realm, 2)
      let (ticket, digest) = (held.refer(), held.digest())
      try stage.elsewhere {
        stage.equal(
          ticket.resolve(try Realm(configuration: readOnly))?.digest, digest, kind.name)
      }
      stage.equal(held.digest(), digest, "\(kind.name), where it was referred to")
    }
  }

  static let variables = Probe(
    "a variable of each kind is read on threads, in writes and after an assignment"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let configuration = configuration(stage)
    let realm = try stocked(stage)
    realm.autorefresh = false
    for (number, kind) in all.enumerated() {
      let (held, other) = (kind.hold(realm, 1), kind.hold(realm, 2))
      let variable = held.wrap()
      let first = held.digest()
      for round in 0..<2 {
        try stage.elsewhere {
          let realm = try Realm(configuration: configuration)
          for _ in 0..<2 {
            let thing = variable.read()
            stage.equal(thing?.digest, first, "\(kind.name), elsewhere, round \(round)")
            stage.equal(thing?.realm, realm, "its realm, \(kind.name)")
          }
        }
        stage.equal(variable.read()?.digest, first, "\(kind.name), here, round \(round)")
      }
      try stage.elsewhere {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          change(realm, number + 1)
          stage.equal(
            variable.read()?.digest, kind.hold(realm, 1).digest(), "\(kind.name), in a write")
        }
      }
      // Who read something newer elsewhere has it here, too.
      stage.equal(
        variable.read()?.digest, kind.hold(realm, 1).digest(), "\(kind.name), here, after it")
      variable.take(other)
      try stage.elsewhere {
        let realm = try Realm(configuration: configuration)
        stage.equal(
          variable.read()?.digest, kind.hold(realm, 2).digest(), "\(kind.name), assigned another")
      }
      variable.take(nil)
      stage.expect(variable.read() == nil, "\(kind.name), assigned nothing, is nothing here")
      try stage.elsewhere {
        stage.expect(variable.read() == nil, "\(kind.name), assigned nothing, is nothing there")
      }
      variable.take(other)
      stage.equal(
        variable.read()?.digest, other.digest(), "\(kind.name), assigned after nothing")
      realm.refresh()
    }
  }

  /// Kinds that differ in how they are referred to.
  private static let few = [0, 2, 5, 12, 15, 19, 23, 27].map { all[$0] }

  static let twice: [Probe] = few.map { kind in
    .dies(
      "a second resolve of \(kind.name)", saying: "Can only resolve a thread safe reference once"
    ) { stage in
      let realm = try stocked(stage)
      let ticket = kind.hold(realm, 1).refer()
      try stage.elsewhere { use(ticket.resolve(try Realm(configuration: configuration(stage)))) }
      try stage.elsewhere {
        let other = try Realm(configuration: configuration(stage))
        stage.act { use(ticket.resolve(other)) }
      }
    }
  }

  static let offHome: [Probe] = few.map { kind in
    .dies("\(kind.name) resolved where its target is not at home", saying: Words.wrongThread) {
      stage in
      let realm = try stocked(stage)
      let ticket = kind.hold(realm, 1).refer()
      try stage.elsewhere {
        use(try Realm(configuration: configuration(stage)))
        stage.act { use(ticket.resolve(realm)) }
      }
    }
  }
}
