import EngineUnderTest
import Foundation

/// What Swift takes for equal and the file for two, among mixed values and as a key; and NaN, which
/// Swift takes for unequal to itself.
enum LikeTexts {
  private static let (short, long) = ("\u{e9}", "e\u{301}")

  static let inside = Probe("two spellings of one text are two keys of a dictionary, and two texts")
  { stage in
    let realm = try Realm(configuration: stage.cupboards("inside"))
    let cupboard = Cupboard(id: 0)
    try realm.write {
      realm.add(cupboard)
      cupboard.mixed = .fromDictionary([short: .int(1)])
      cupboard.mixedList.append(objectsIn: [.int(7), .string(short), .double(.nan)])
    }
    func keys() -> [[UInt8]: Int] {
      let map = cupboard.mixed.dictionaryValue
      return Dictionary(
        uniqueKeysWithValues: (map.map { Array($0) } ?? []).map {
          (Array($0.key.utf8), $0.value.intValue ?? 0)
        })
    }
    stage.equal(
      cupboard.mixed.dictionaryValue?[long] == nil, true, "if the other spelling has no value")
    try realm.write { cupboard.mixed.dictionaryValue?[long] = .int(2) }
    stage.equal(keys(), [Array(short.utf8): 1, Array(long.utf8): 2], "the two keys")
    try realm.write { cupboard.mixed.dictionaryValue?[short] = .int(3) }
    stage.equal(keys(), [Array(short.utf8): 3, Array(long.utf8): 2], "the two keys, one changed")
    let list = cupboard.mixedList
    stage.equal(list.index(of: .string(short)), 1, "the position of a text")
    stage.equal(list.index(of: .string(long)), nil, "the position of its other spelling")
    stage.equal(list.index(of: .double(.nan)), 2, "the position of NaN")
  }

  /// Members in an order and those of sets are compared as they are stored.
  static let places = Probe("NaN has a position among members in an order, and in a set") { stage in
    let realm = try Realm(configuration: stage.cupboards("places"))
    let cupboard = Cupboard(id: 0)
    try realm.write {
      realm.add(cupboard)
      cupboard.fractionList.append(objectsIn: [2, .nan, 1])
      cupboard.singleList.append(objectsIn: [2, .nan, 1])
      cupboard.fractionSet.insert(objectsIn: [2, .nan, 1])
    }
    for cupboard in [cupboard, cupboard.freeze()] {
      let (list, singles) = (cupboard.fractionList, cupboard.singleList)
      let what = "frozen: \(cupboard.isFrozen)"
      stage.equal(list.sorted().index(of: .nan), 0, "the first of all in order, \(what)")
      stage.equal(list.sorted(ascending: false).index(of: .nan), 2, "the last turned, \(what)")
      stage.equal(list.distinct().index(of: .nan), 1, "its place among distinct ones, \(what)")
      stage.equal(singles.sorted().index(of: .nan), 0, "the first of floats in order, \(what)")
      stage.equal(cupboard.fractionSet.contains(.nan), true, "if the set has it, \(what)")
      stage.equal(list.sorted().index(of: 1), 1, "a number's place in order, \(what)")
      stage.equal(list.sorted().index(of: 5), nil, "the place of what is not there, \(what)")
    }
  }

  /// A migration takes what texts it finds for keys.
  static let keys = Probe("a migration makes primary keys of two spellings of one text") { stage in
    func configuration(_ type: ObjectBase.Type, _ version: UInt64) -> Realm.Configuration {
      Realm.Configuration(
        fileURL: stage.directory.appendingPathComponent("keys.realm"), schemaVersion: version,
        objectTypes: [type])
    }
    let (before, after) = (configuration(NamedBefore.self, 0), configuration(NamedAfter.self, 1))
    try stage.elsewhere {
      let realm = try Realm(configuration: before)
      try realm.write { for name in [short, long] { realm.add(NamedBefore(value: [name])) } }
    }
    try stage.elsewhere {
      let realm = try Realm(configuration: after)
      for name in [short, long] {
        stage.equal(
          realm.object(ofType: NamedAfter.self, forPrimaryKey: name).map { Array($0.name.utf8) },
          Array(name.utf8), "the key that finds \(name.utf8.count) bytes")
      }
    }
  }
}

final class NamedBefore: Object {
  @Persisted var name: String
  override class func _realmObjectName() -> String? { "Named" }
}

final class NamedAfter: Object {
  @Persisted(primaryKey: true) var name: String
  override class func _realmObjectName() -> String? { "Named" }
}
