import EngineUnderTest
import Foundation

/// Collections whose members may be null, and may no more in the next version of the class.
enum Required {
  /// What the migration makes of each kind.
  private static let numbers = [[7, 1], [1, 7, 2], [1, 7], [7], [1]]
  private static let texts = [["a"], ["none"], ["a", "none"], ["none", "b"], []]

  static let filled = Probe("members that were null get what a migration gives them") { stage in
    Backstage.hooks?.skipFlushes()
    for count in [1, 5, 300] {
      try stage.elsewhere {
        let realm = try Realm(
          configuration: stage.configuration(version: 0, of: [OptionalMembers.self]))
        try realm.write {
          for id in 0..<count {
            let one = realm.create(OptionalMembers.self, value: ["id": id])
            // Null at the beginning, in the middle, at the end, alone, and nowhere.
            one.numbers.append(objectsIn: [[nil, 1], [1, nil, 2], [1, nil], [nil], [1]][id % 5])
            one.texts.append(objectsIn: [["a"], [nil], ["a", nil], [nil, "b"], []][id % 5])
            one.days["a"] = .some(nil)
            one.days["b"] = Date(timeIntervalSinceReferenceDate: Double(id))
            one.marks.insert(objectsIn: [nil, 0.5])
          }
        }
      }
      try stage.elsewhere {
        let later = stage.configuration(version: 1, of: [RequiredMembers.self]) { migration, _ in
          migration.enumerateObjects(ofType: "MembersOfKinds") { old, new in
            let id = old?["id"] as? Int ?? 0
            new?["numbers"] = numbers[id % 5]
            new?["texts"] = texts[id % 5]
          }
        }
        let realm = try Realm(configuration: later)
        let all = realm.objects(RequiredMembers.self).sorted(byKeyPath: "id")
        stage.equal(all.count, count, "how many there are after the migration")
        stage.equal(
          all.map { Array($0.texts) }, (0..<count).map { texts[$0 % 5] },
          "the texts after the migration of \(count)")
        stage.equal(
          all.map { Array($0.numbers) }, (0..<count).map { numbers[$0 % 5] },
          "the numbers after the migration of \(count)")
        try realm.write { for one in all { one.numbers.append(9) } }
        stage.equal(
          all.filter("ANY numbers == 9").count, count, "who has what was appended later")
      }
      _ = try Realm.deleteFiles(for: stage.configuration())
    }
  }
}

final class OptionalMembers: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int?>
  @Persisted var texts: List<String?>
  @Persisted var days: Map<String, Date?>
  @Persisted var marks: MutableSet<Double?>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "MembersOfKinds" }
}

final class RequiredMembers: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var texts: List<String>
  @Persisted var days: Map<String, Date>
  @Persisted var marks: MutableSet<Double>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "MembersOfKinds" }
}
