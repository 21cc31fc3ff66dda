import EngineUnderTest
import Evidence
import Foundation

/// Values of one kind, each of one object, most of which differ from another in one place only: who
/// looks at the beginning of a value, at its length, at some of its bits or at how it looks to
/// people takes some of them for one.
private struct Likeness {
  let name: String
  let count: Int
  let make: (Realm, [Int]) -> Void
  /// Asks for what has the value of a number, in each way; says what is found.
  let equal: (Realm, Int) -> [(String, [Int])]
  /// Asks for what has another value.
  let unequal: (Realm, Int) -> Int
  let among: (Realm, [Int]) -> [Int]
  let distinct: (Realm) -> Int
  /// What is found in the order of the values, up or down; nil where a sort knows none.
  let sorted: ((Realm, Bool) -> [Int])?

  init<Class: Object & WithID, Value: Equatable>(
    _ type: Class.Type, _ name: String, _ path: ReferenceWritableKeyPath<Class, Value>,
    _ values: [Value], sorts: Bool
  ) {
    func any(_ number: Int) -> Any {
      if let mixed = values[number] as? AnyRealmValue, mixed == .none { return NSNull() }
      return values[number]
    }
    self.name = "\(type).\(name)"
    count = values.count
    make = { realm, order in
      for id in order {
        let object = type.init()
        (object.id, object[keyPath: path]) = (id, values[id])
        realm.add(object)
      }
    }
    equal = { realm, number in
      let all = realm.objects(type)
      return [
        ("==", all.filter("\(name) == %@", any(number)).map(\.id)),
        ("NOT !=", all.filter("NOT \(name) != %@", any(number)).map(\.id)),
        (
          "IN one that is there and itself",
          all.filter("\(name) IN {%@, %@} AND id >= 0", any(number), any(number)).map(\.id)
        ),
        ("== and a filter", all.filter("id >= 0").filter("\(name) == %@", any(number)).map(\.id)),
        (
          "== or another", all.filter("\(name) == %@ OR id == -1", any(number)).map(\.id)
        ),
      ]
    }
    unequal = { $0.objects(type).filter("\(name) != %@", any($1)).count }
    among = { realm, numbers in
      // As one argument, and not as so many.
      let some: Any = numbers.map { any($0) }
      return realm.objects(type).filter("\(name) IN %@", some).map(\.id)
    }
    distinct = { $0.objects(type).distinct(by: [name]).count }
    sorted =
      sorts
      ? { realm, up in realm.objects(type).sorted(byKeyPath: name, ascending: up).map(\.id) } : nil
  }

  static var all: [Likeness] {
    [
      Likeness(Cupboard.self, "truth", \.truth, Worths.truths, sorts: true),
      Likeness(Cupboard.self, "tiny", \.tiny, Worths.wholes(Int8.self), sorts: true),
      Likeness(Cupboard.self, "short", \.short, Worths.wholes(Int16.self), sorts: true),
      Likeness(Cupboard.self, "middle", \.middle, Worths.wholes(Int32.self), sorts: true),
      Likeness(Cupboard.self, "long", \.long, Worths.wholes(Int64.self), sorts: true),
      Likeness(Cupboard.self, "whole", \.whole, Worths.wholes(Int.self), sorts: true),
      Likeness(Cupboard.self, "single", \.single, Worths.singles, sorts: true),
      Likeness(Cupboard.self, "fraction", \.fraction, Worths.fractions, sorts: true),
      Likeness(Cupboard.self, "price", \.price, Worths.prices, sorts: true),
      Likeness(Cupboard.self, "text", \.text, Worths.texts, sorts: true),
      Likeness(Cupboard.self, "bytes", \.bytes, Worths.bytes, sorts: true),
      Likeness(Cupboard.self, "day", \.day, Worths.days, sorts: true),
      Likeness(Cupboard.self, "mark", \.mark, Worths.marks, sorts: true),
      Likeness(Cupboard.self, "code", \.code, Worths.codes, sorts: true),
      Likeness(Pigeonhole.self, "truth", \.truth, [nil] + Worths.truths, sorts: true),
      Likeness(Pigeonhole.self, "tiny", \.tiny, [nil] + Worths.wholes(Int8.self), sorts: true),
      Likeness(Pigeonhole.self, "short", \.short, [nil] + Worths.wholes(Int16.self), sorts: true),
      Likeness(Pigeonhole.self, "middle", \.middle, [nil] + Worths.wholes(Int32.self), sorts: true),
      Likeness(Pigeonhole.self, "long", \.long, [nil] + Worths.wholes(Int64.self), sorts: true),
      Likeness(Pigeonhole.self, "whole", \.whole, [nil] + Worths.wholes(Int.self), sorts: true),
      Likeness(Pigeonhole.self, "text", \.text, [nil] + Worths.texts, sorts: true),
      Likeness(Pigeonhole.self, "day", \.day, [nil] + Worths.days, sorts: true),
      Likeness(Pigeonhole.self, "mark", \.mark, [nil] + Worths.marks, sorts: true),
      Likeness(Pigeonhole.self, "code", \.code, [nil] + Worths.codes, sorts: true),
      Likeness(Cupboard.self, "mixed", \.mixed, Worths.mixtures, sorts: false),
      Likeness(Pigeonhole.self, "mixed", \.mixed, Worths.mixtures, sorts: false),
    ]
  }
}

protocol WithID: AnyObject { var id: Int { get set } }
extension Cupboard: WithID {}
extension Pigeonhole: WithID {}

extension Probe {
  /// Values that are nearly alike, told apart by each question.
  static func nearlyAlike(_ asks: String) -> Probe {
    Probe("values that differ in one place, of each kind: \(asks)") { stage in
      Backstage.hooks?.skipFlushes()
      for likeness in Likeness.all {
        let realm = try Realm(configuration: stage.cupboards(likeness.name))
        var chance = SeededGenerator(seed: derivedSeed(stage.seed, likeness.name))
        let order = Array(0..<likeness.count).shuffled(using: &chance)
        try realm.write { likeness.make(realm, order) }
        switch asks {
        case "sorted":
          guard let sorted = likeness.sorted else { continue }
          let all = Array(0..<likeness.count)
          let (up, down) = (sorted(realm, true), sorted(realm, false))
          stage.expect(
            up == all && down == all.reversed(), "\(likeness.name) sorts up and down",
            observed: "\(zip(up, all).first { $0 != $1 }.map { "\($0)" } ?? "wrong down")")
        case "distinct":
          stage.equal(likeness.distinct(realm), likeness.count, "distinct ones of \(likeness.name)")
        default:
          // Some forty of each kind; others with another seed.
          let step = stage.isDeep ? 1 : max(1, likeness.count / 40)
          for number in 0..<likeness.count where number % step == Int(stage.seed % UInt64(step)) {
            for (way, found) in likeness.equal(realm, number) {
              stage.equal(found, [number], "what has \(likeness.name) number \(number) by \(way)")
            }
            stage.equal(
              likeness.unequal(realm, number), likeness.count - 1,
              "how many have another \(likeness.name) than number \(number)")
          }
          for size in [2, 5, 9, 17, 40] {
            let some = (0..<size).map { _ in chance.below(likeness.count) }
            stage.equal(
              likeness.among(realm, some).sorted(), Set(some).sorted(),
              "what has one of \(size) of \(likeness.name)")
          }
        }
      }
    }
  }

  /// Keys that are nearly alike.
  static let nearlyAlikeKeys = Probe("keys that differ in one place each have their own object") {
    stage in
    Backstage.hooks?.skipFlushes()
    let configuration = Keyed.configuration(stage)
    let realm = try Realm(configuration: configuration)
    func look<Class: KeyedClass>(_ type: Class.Type, _ keys: [Class.Key]) throws {
      var chance = SeededGenerator(seed: derivedSeed(stage.seed, "\(type)"))
      var notes: [Int: String] = [:]
      func check(_ realm: Realm, _ moment: String) {
        let wrong = keys.indices.first {
          realm.object(ofType: type, forPrimaryKey: keys[$0])?.note != notes[$0]
        }
        stage.expect(
          wrong == nil && realm.objects(type).count == notes.count,
          "each key of \(type) finds its own object \(moment)",
          observed: wrong.map { "not \(keys[$0])" } ?? "\(realm.objects(type).count)")
      }
      // One after the other is added, each while those like it are there or not.
      for (place, number) in keys.indices.shuffled(using: &chance).enumerated() {
        try realm.write {
          realm.add(Keyed.made(type, keys[number], "\(number)"))
          notes[number] = "\(number)"
          if place % 16 == 3 { check(realm, "in the write that adds number \(number)") }
        }
      }
      check(realm, "when all are there")
      let kept = notes
      let frozen = realm.freeze()
      for number in keys.indices where number % 2 == chance.below(2) {
        try realm.write {
          if number % 3 == 0 {
            realm.delete(realm.object(ofType: type, forPrimaryKey: keys[number])!)
            notes[number] = nil
          } else {
            realm.create(
              type, value: ["key": keys[number] as Any, "note": "new \(number)"],
              update: .modified)
            notes[number] = "new \(number)"
          }
        }
      }
      check(realm, "when some were deleted and some updated")
      notes = kept
      check(frozen, "in the frozen realm")
    }
    try look(IntKeyed.self, Worths.wholes(Int.self))
    try look(IntOrNoneKeyed.self, Worths.wholes(Int.self) + [nil])
    let texts = Worths.texts.filter { $0.utf8.count <= 300 }
    try look(StringKeyed.self, texts)
    try look(StringOrNoneKeyed.self, texts + [nil])
    try look(UUIDKeyed.self, Worths.marks)
    try look(UUIDOrNoneKeyed.self, Worths.marks + [nil])
    try look(ObjectIdKeyed.self, Worths.codes)
    try look(ObjectIdOrNoneKeyed.self, Worths.codes + [nil])
  }
}
