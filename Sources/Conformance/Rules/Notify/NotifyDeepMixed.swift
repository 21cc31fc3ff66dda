import EngineUnderTest
import Foundation
import Harness

/// Links that lie in mixed values, however deep in lists and dictionaries, are links: what they
/// lead to changes, and whoever looks through links is told.
enum DeepMixed {
  /// How deep the link lies.
  private static let nests: [(name: String, wrap: @Sendable (Vessel) -> AnyRealmValue)] = [
    ("alone", { .object($0) }),
    ("in a list", { .fromArray([.int(0), .object($0)]) }),
    ("in a dictionary", { .fromDictionary(["a": .object($0)]) }),
    ("in a list in a list", { .fromArray([.fromArray([.object($0)]), .int(0)]) }),
    ("in a dictionary in a list", { .fromArray([.fromDictionary(["a": .object($0)])]) }),
    (
      "in a list in a dictionary",
      { .fromDictionary(["a": .int(0), "b": .fromArray([.object($0)])]) }
    ),
    (
      "in a dictionary in a dictionary",
      { .fromDictionary(["a": .fromDictionary(["b": .object($0)])]) }
    ),
    (
      "in a list in a list in a list",
      { .fromArray([.fromArray([.fromArray([.int(0), .object($0)])])]) }
    ),
    (
      "in a list in a dictionary in a list",
      { .fromArray([.fromDictionary(["a": .fromArray([.object($0)])])]) }
    ),
  ]

  private enum Place: String, CaseIterable {
    case property = "a mixed property"
    case list = "a list of mixed values"
    case map = "a map of mixed values"

    func put(_ value: AnyRealmValue, into vessel: Vessel) {
      switch self {
      case .property: vessel.mixed = value
      case .list: vessel.mixture.append(objectsIn: [.int(1), value])
      case .map: vessel.mixedMap["key"] = value
      }
    }
  }

  /// What has been told, by who was asked.
  private final class Diary {
    var lines: [String: [String]] = [:]
    func note(_ name: String, _ line: String) { lines[name, default: []].append(line) }
  }

  static let heard = Place.allCases.map { place in
    Probe("a change behind a link in \(place.rawValue) is told, however deep the link lies") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Vessel.settling(stage)
      realm.autorefresh = false
      let configuration = realm.configuration
      try realm.write {
        for (number, nest) in nests.enumerated() {
          let vessel = Vessel(id: 10 + number)
          vessel.number = 77
          realm.add(vessel)
          place.put(nest.wrap(realm.vessel(2)!), into: vessel)
        }
      }
      let diary = Diary()
      let holders = realm.objects(Vessel.self).where { $0.number == 77 }.sorted(byKeyPath: "id")
      var wanted = ["all": ["\(Array(nests.indices))"]]
      var tokens = [
        holders.observe {
          if case .update(_, [], [], let modified) = $0 { diary.note("all", "\(modified)") }
        }
      ]
      for (number, nest) in nests.enumerated() {
        let vessel = realm.vessel(10 + number)!
        let list = place == .list ? vessel.mixture : vessel.mixed.listValue
        if let list, place != .map {
          let name = "the list with it \(nest.name)"
          let position = list.indices.first { list[$0].intValue == nil } ?? -1
          wanted[name] = ["[\(position)]"]
          tokens.append(
            list.observe {
              if case .update(_, [], [], let modified) = $0 { diary.note(name, "\(modified)") }
            })
        }
        let map = place == .map ? vessel.mixedMap : vessel.mixed.dictionaryValue
        if let map, place != .list {
          let name = "the map with it \(nest.name)"
          let key = map.first { $0.value.intValue == nil }?.key ?? "none"
          wanted[name] = ["[\"\(key)\"]"]
          tokens.append(
            map.observe {
              if case .update(_, [], [], let modified) = $0 { diary.note(name, "\(modified)") }
            })
        }
        tokens.append(vessel.observe { _ in diary.note("an object itself", nest.name) })
      }
      try stage.settle(realm)
      for turn in 1...4 {
        diary.lines = [:]
        func change(_ realm: Realm) { realm.vessel(2)!.text = "turn \(turn)" }
        try stage.commit(in: realm, byOthers: turn % 2 == 0, change)
        try stage.settle(realm)
        for (name, lines) in wanted {
          stage.equal(diary.lines[name] ?? [], lines, "what \(name) was told, turn \(turn)")
        }
        stage.equal(
          diary.lines["an object itself"] ?? [], [], "what objects were told, turn \(turn)")
      }
      for token in tokens { token.invalidate() }
    }
  }
}
