import EngineUnderTest
import Foundation

/// What the objects of a file have in properties that their class is given later: nothing where
/// that may be, else what is usual.
enum NewProperties {
  static let empty: [Probe] = [1, 5, 300].flatMap { count in
    [0, 1].map { (version: UInt64) in
      Probe(
        "a new property is null, or what is usual, in each of \(count) objects, by "
          + (version == 0 ? "an opening" : "a migration")
      ) { stage in
        Backstage.hooks?.skipFlushes()
        try stage.elsewhere {
          let realm = try Realm(
            configuration: stage.configuration(version: 0, of: [OldMember.self]))
          try realm.write {
            for id in 1...count { realm.create(OldMember.self, value: ["id": id]) }
          }
        }
        let later = stage.configuration(version: version, of: [NewMember.self])
        func look(_ realm: Realm, _ moment: String) {
          let members = realm.objects(NewMember.self)
          stage.equal(members.count, count, "how many there are, \(moment)")
          for member in members {
            let wrong = member.unexpected
            stage.expect(
              wrong.isEmpty, "\(member.id) has nothing in what is new, \(moment)",
              observed: "\(wrong)")
            if !wrong.isEmpty { return }
          }
          for name in NewMember.optionals {
            stage.equal(
              members.filter("\(name) == nil").count, count, "who has no \(name), \(moment)")
            stage.equal(members.filter("\(name) != nil").count, 0, "who has a \(name), \(moment)")
          }
        }
        try stage.elsewhere {
          let realm = try Realm(configuration: later)
          look(realm, "when it is opened")
          look(realm.freeze(), "frozen")
          // One more beside them, and a value and back.
          try realm.write {
            realm.create(NewMember.self, value: ["id": count + 1])
            let first = realm.object(ofType: NewMember.self, forPrimaryKey: 1)!
            (first.maybeInt, first.maybeText, first.maybeTruth) = (4, "x", true)
            (first.maybeInt, first.maybeText, first.maybeTruth) = (nil, nil, nil)
            realm.delete(realm.object(ofType: NewMember.self, forPrimaryKey: count + 1)!)
            look(realm, "in a write")
          }
        }
        try stage.elsewhere { look(try Realm(configuration: later), "when it is opened again") }
      }
    }
  }
}

final class OldMember: Object {
  @Persisted(primaryKey: true) var id: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "ClubMember" }
}
final class NewMember: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var maybeInt: Int?
  @Persisted var maybeSmall: Int8?
  @Persisted(indexed: true) var maybeIndexed: Int?
  @Persisted var maybeTruth: Bool?
  @Persisted var maybeFloat: Float?
  @Persisted var maybeDouble: Double?
  @Persisted var maybeText: String?
  @Persisted(indexed: true) var maybeName: String?
  @Persisted var maybeData: Data?
  @Persisted var maybeDay: Date?
  @Persisted var maybeMark: UUID?
  @Persisted var maybeObjectId: ObjectId?
  @Persisted var maybePrice: Decimal128?
  @Persisted var mixed: AnyRealmValue
  @Persisted var friend: NewMember?
  @Persisted var number: Int
  @Persisted var truth: Bool
  @Persisted var ratio: Double
  @Persisted var text: String
  @Persisted var data: Data
  @Persisted var numbers: List<Int?>
  @Persisted var friends: List<NewMember>
  @Persisted var labels: MutableSet<String>
  @Persisted var scores: Map<String, Int?>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "ClubMember" }

  static let optionals = [
    "maybeInt", "maybeSmall", "maybeIndexed", "maybeTruth", "maybeFloat", "maybeDouble",
    "maybeText", "maybeName", "maybeData", "maybeDay", "maybeMark", "maybeObjectId", "maybePrice",
    "friend",
  ]

  /// What is there though nobody has put it there.
  var unexpected: [String] {
    var found: [String] = []
    func look<Value>(_ name: String, _ value: Value?) {
      if let value { found.append("\(name): \(value)") }
    }
    look("maybeInt", maybeInt)
    look("maybeSmall", maybeSmall)
    look("maybeIndexed", maybeIndexed)
    look("maybeTruth", maybeTruth)
    look("maybeFloat", maybeFloat)
    look("maybeDouble", maybeDouble)
    look("maybeText", maybeText)
    look("maybeName", maybeName)
    look("maybeData", maybeData)
    look("maybeDay", maybeDay)
    look("maybeMark", maybeMark)
    look("maybeObjectId", maybeObjectId)
    look("maybePrice", maybePrice)
    look("friend", friend)
    if mixed != .none { found.append("mixed: \(mixed)") }
    if number != 0 || truth || ratio != 0 || !text.isEmpty || !data.isEmpty {
      found.append("\(number) \(truth) \(ratio) \(text) \(data)")
    }
    if !numbers.isEmpty || !friends.isEmpty || !labels.isEmpty || !scores.isEmpty {
      found.append("\(numbers.count) \(friends.count) \(labels.count) \(scores.count)")
    }
    return found
  }
}
