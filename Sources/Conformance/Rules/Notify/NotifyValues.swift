import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Objects that members lead to by mixed values, and what they own.
  static let deepThroughMixed: [Probe] = [
    "a mixed value", "a list of mixed values", "a set of mixed values", "a map of mixed values",
    "an embedded object", "a list of embedded objects", "a map of embedded objects",
  ].flatMap { way in
    [1, 3].map { place in
      Probe("a collection tells of what \(way) leads to, among \(place)") { stage in
        var configuration = stage.specimens()
        configuration.objectTypes = [Specimen.self, Hamper.self, Address.self]
        let realm = try Realm(configuration: configuration)
        let file = configuration
        try realm.write {
          for id in 0..<4 { realm.add(Specimen(id: id)) }
          for key in 0..<3 {
            realm.add(Hamper(key: key))
            let parcel = realm.object(ofType: Hamper.self, forPrimaryKey: key)!
            for other in 1...place {
              // The last is the one that is changed.
              let value = AnyRealmValue.object(realm.specimen((key + place - other) % 4)!)
              switch way {
              case "a mixed value": parcel.any = value
              case "a list of mixed values": parcel.anys.append(value)
              case "a set of mixed values": parcel.some.insert(value)
              case "a map of mixed values": parcel.byName["\(other)"] = value
              case "an embedded object":
                parcel.address = Address()
              case "a list of embedded objects": parcel.addresses.append(Address())
              default: parcel.places["\(other)"] = .some(Address())
              }
            }
          }
        }
        let isOwned = way.contains("embedded")
        func change(_ realm: Realm, _ key: Int, _ round: Int) {
          let parcel = realm.object(ofType: Hamper.self, forPrimaryKey: key)!
          switch way {
          case "an embedded object": parcel.address!.street = "\(round)"
          case "a list of embedded objects": parcel.addresses.last!.street = "\(round)"
          case "a map of embedded objects": (parcel.places["\(place)"]!)!.street = "\(round)"
          default: realm.specimen(key)!.word = "\(round)"
          }
        }
        func leads(_ parcel: Hamper, to id: Int) -> Bool {
          if isOwned { return parcel.key == id }
          let values =
            [parcel.any] + Array(parcel.anys) + Array(parcel.some) + Array(parcel.byName.values)
          return values.contains { $0.object(Specimen.self)?.id == id }
        }
        var told: [Int] = []
        let parcels = realm.objects(Hamper.self).sorted(byKeyPath: "key")
        let token = parcels.observe {
          if case .update(_, _, _, let modified) = $0 { told += modified }
        }
        try stage.settle(of: realm)
        for round in 0..<6 {
          let key = round % 3
          let due = parcels.filter { leads($0, to: key) }.map(\.key)
          told = []
          if round % 2 == 0 {
            try realm.write { change(realm, key, round) }
          } else {
            try stage.elsewhere {
              let other = try Realm(configuration: file)
              try other.write { change(other, key, round) }
            }
            realm.refresh()
          }
          try stage.settle(of: realm)
          stage.equal(told, Array(due), "whose change is told in round \(round)")
          stage.expect(!due.isEmpty, "somebody leads to \(key)")
        }
        token.invalidate()
      }
    }
  }

  /// What others set before and after a listener is in force, where it is called.
  static let oldValues = ["where the realm is", "on a queue", "on a busy queue"].flatMap { place in
    [1, 2, 5].map { count in
      Probe("each change by others is told with the value before: \(place), \(count) changes") {
        stage in
        let configuration = stage.specimens()
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Specimen(id: 1)) }
        // Those with more values than are set, of types that are told as they are.
        let names: Set = [
          "whole", "number", "fraction", "day", "text", "tag", "amount", "ratio", "mark",
        ]
        let fields = Fields.all.filter { $0.values.count > count + 1 && names.contains($0.name) }
        /// What each field holds, one value after the other.
        func value(_ field: any AnyField, _ step: Int) -> AnyHashable? {
          func typed<F: AnyField>(_ field: F) -> AnyHashable? {
            AnyHashable(field.values[step % field.values.count])
          }
          return typed(field)
        }
        func set(_ step: Int) throws {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write {
              for field in fields { field.write(value(field, step), to: other.specimen(1)!) }
            }
          }
        }
        try set(0)
        realm.refresh()
        let queue = place == "where the realm is" ? nil : DispatchQueue(label: "listener")
        let release = Latch("the queue's other work")
        if place == "on a busy queue" {
          stage.later(on: queue!) { _ = release.wait(stage.patience) }
        }
        // What is told of each property, in turn.
        let log = Telling()
        let token = realm.specimen(1)!.observe(on: queue) { (change: ObjectChange<Specimen>) in
          guard case .change(_, let properties) = change else { return }
          for property in properties {
            log.add(
              property.name, property.oldValue as? AnyHashable, property.newValue as? AnyHashable)
          }
        }
        if place != "on a busy queue" {
          // In force: what is before it is not told.
          if let queue { queue.sync {} }
          try stage.settle(of: realm)
        }
        for step in 1...count { try set(step) }
        release.open()
        // An engine may take what came before the queue's turn as what was there at first; what
        // comes later it tells.
        if let queue { queue.sync {} }
        try stage.settle(of: realm)
        try set(count + 1)
        try stage.spin(
          until: {
            queue?.sync {}
            return log.has(value(fields[0], count + 1), of: fields[0].name)
          }, "the call for the last change")
        queue?.sync {}
        for field in fields {
          let values = (0...(count + 1)).map { value(field, $0) }
          let told = log.of(field.name)
          stage.expect(!told.isEmpty, "\(field.name) is told")
          // From one call to the next, nothing is left out: each begins where the last one ended.
          for (number, (old, new)) in told.enumerated() {
            stage.expect(
              old != nil && values.contains(old), "an old value of \(field.name)",
              observed: "nil, in call \(number) of \(told.count)")
            if number > 0 {
              stage.equal(old, told[number - 1].new, "the old value of \(field.name)")
            }
            stage.expect(new != nil, "a new value of \(field.name)")
          }
          if place != "on a busy queue" {
            stage.equal(told.first?.old, values[0], "the first old value of \(field.name)")
          }
          stage.equal(told.last?.new, values.last!, "the last new value of \(field.name)")
        }
        token.invalidate()
      }
    }
  }
}

/// What a listener was told of each property; read by the thread that waits for it.
private final class Telling: @unchecked Sendable {
  // Unchecked, because the lock beside it guards what it holds.
  private let lock = NSLock()
  private var told: [String: [(old: AnyHashable?, new: AnyHashable?)]] = [:]

  func add(_ name: String, _ old: AnyHashable?, _ new: AnyHashable?) {
    lock.withLock { told[name, default: []].append((old, new)) }
  }

  func of(_ name: String) -> [(old: AnyHashable?, new: AnyHashable?)] {
    lock.withLock { told[name] ?? [] }
  }

  func has(_ value: AnyHashable?, of name: String) -> Bool {
    of(name).contains { $0.new == value }
  }
}
