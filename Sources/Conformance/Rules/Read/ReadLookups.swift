import EngineUnderTest
import Foundation
import Harness

extension Rules.Read {
  static let lookups: [Rule] = [read16]

  static let read16 = Rule(
    "READ-16", .implementation,
    "Lookups by each kind of key and each index MUST follow every refresh, and none but that.",
    source: "RS/Realm.swift:782, :991.",
    broken: "an index or a path to a key that is kept over a refresh",
    probes: [Programs.lookingUp.probe] + Keyed.foreignProbes + [
      Probe("values of each index that another thread sets are found after each refresh") { stage in
        let configuration = stage.specimens()
        let realm = try Realm(configuration: configuration)
        try realm.write { for id in 0..<5 { realm.add(Specimen(id: id)) } }
        for field in Fields.indexed {
          try stage.follows(field, realm, configuration)
        }
      }
    ])
}

extension Fields {
  static var indexed: [any AnyField] {
    all.filter { ["number", "tag", "mark", "name"].contains($0.name) }
  }
}

extension Stage {
  /// Asks for one value of one index again and again, while another thread sets and takes it away.
  fileprivate func follows<F: AnyField>(
    _ field: F, _ realm: Realm, _ configuration: Realm.Configuration
  ) throws {
    let all = realm.objects(Specimen.self)
    for value in field.values {
      let others = field.values.filter { $0 != value }
      func found() -> [Int] { all.where { field.equal($0, value) }.map(\.id) }
      func set(_ new: F.Value, _ id: Int) throws {
        try elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { field.write(other.specimen(id)!, new) }
        }
      }
      try realm.write { for specimen in all { field.write(specimen, others[0]) } }
      equal(found(), [], "what has \(field.name) \(value)")
      for id in 0..<5 {
        try set(value, id)
        equal(found(), [], "what has \(field.name) \(value) before the refresh")
        realm.refresh()
        equal(found(), [id], "what has \(field.name) \(value) after the refresh")
        try set(others[0], id)
        equal(found(), [id], "what had \(field.name) \(value) before the refresh")
        realm.refresh()
        equal(found(), [], "what has \(field.name) \(value) after the second refresh")
      }
    }
  }
}
