import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Null counts as a value here: it may be what was there, or what is there now.
  static let oldAndNewOfEachKind = Probe(
    "the old and the new value of a foreign change, of each kind, to and from null"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let configuration = stage.specimens()
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Specimen(id: 1)) }
    var told: [(name: String, old: AnyHashable?, new: AnyHashable?)] = []
    let token = realm.specimen(1)!.observe { (change: ObjectChange<Specimen>) in
      guard case .change(_, let properties) = change else { return }
      told += properties.map {
        ($0.name, $0.oldValue as? AnyHashable, $0.newValue as? AnyHashable)
      }
    }
    try stage.settle(of: realm)
    for field in Fields.all {
      // Twice the same value is no difference that could be seen here.
      let walk = field.isOptional ? [nil, 0, 1, nil, 1, nil, 0] : [0, 1, 0]
      let values = walk.map { $0.map { field.range[$0].map { AnyHashable($0) } } ?? nil }
      try realm.write { field.write(values[0], to: realm.specimen(1)!) }
      try stage.settle(of: realm)
      for (old, new) in zip(values, values.dropFirst()) {
        told = []
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { field.write(new, to: other.specimen(1)!) }
        }
        realm.refresh()
        try stage.spin(until: { !told.isEmpty }, "the call for \(field.name)")
        stage.equal(told.map(\.name), [field.name], "the properties told")
        stage.equal(told[0].old, old, "the old value of \(field.name)")
        stage.equal(told[0].new, new, "the new value of \(field.name)")
      }
    }
    token.invalidate()
  }
}
