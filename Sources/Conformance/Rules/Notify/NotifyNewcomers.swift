import EngineUnderTest
import Foundation

/// A class whose properties have other names in the file.
final class Renamed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var next: Renamed?
  @Persisted var tags: List<String>

  override class func propertiesMapping() -> [String: String] {
    ["title": "title_in_file", "next": "next_in_file", "tags": "tags_in_file"]
  }
}

extension Probe {
  /// Who comes while others are called is not among those who are called.
  static let newcomersOfEachKind = Probe(
    "who is added in a call is told of later commits alone, of each kind"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    var number = 0
    for listener in EachListener.all {
      var calls = 0
      var added: [NotificationToken] = []
      let token = listener.listen(realm) {
        if added.count < 2 { added.append(listener.listen(realm) { calls += 1 }) }
      }
      try stage.settle(realm)
      // One comes in the first call, another in the second, in which the first one is told.
      for wanted in [0, 1, 3] {
        number += 1
        try realm.write { RefKinds.change(realm, number) }
        try stage.settle(realm)
        stage.equal(calls, wanted, "the calls of newcomers beside \(listener.name)")
      }
      for one in added + [token] { one.invalidate() }
    }
  }

  /// A property is told by the name that it has in Swift.
  static let renamedProperties = Probe("changed properties are told by their names in Swift") {
    stage in
    var configuration = stage.configuration("renamed")
    // The others are what `settle` waits by.
    configuration.objectTypes = [Renamed.self] + (stage.specimens().objectTypes ?? [])
    let realm = try Realm(configuration: configuration)
    try realm.write { for id in 1...2 { realm.create(Renamed.self, value: ["id": id]) } }
    let one = realm.objects(Renamed.self).where { $0.id == 1 }[0]
    let changes: [(String, @Sendable (Realm) -> Void)] = [
      ("title", { $0.objects(Renamed.self).where { $0.id == 1 }[0].title = "x" }),
      (
        "next",
        { realm in
          let all = realm.objects(Renamed.self)
          all.where { $0.id == 1 }[0].next = all.where { $0.id == 2 }[0]
        }
      ),
      ("tags", { $0.objects(Renamed.self).where { $0.id == 1 }[0].tags.append("x") }),
    ]
    for keyPaths in [nil, ["title", "next", "tags"]] {
      var told: [String] = []
      let token = one.observe(keyPaths: keyPaths) { (change: ObjectChange<Renamed>) in
        if case .change(_, let properties) = change { told += properties.map(\.name) }
      }
      try stage.settle(of: realm)
      for (name, change) in changes {
        for isForeign in [false, true] {
          told = []
          if isForeign {
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { change(other) }
            }
          } else {
            try realm.write { change(realm) }
          }
          realm.refresh()
          try stage.spin(until: { !told.isEmpty }, "the call for \(name)")
          stage.equal(told, [name], "the properties told")
        }
      }
      token.invalidate()
    }
  }
}
