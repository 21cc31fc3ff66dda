import Foundation
import Testing

@testable import ReferenceEngine

/// A collection of each kind for each type of value.
private final class Tables: Object {
  @Persisted var boolList: List<Bool>
  @Persisted var boolSet: MutableSet<Bool>
  @Persisted var boolMap: Map<String, Bool>
  @Persisted var boolOptionalList: List<Bool?>
  @Persisted var boolOptionalSet: MutableSet<Bool?>
  @Persisted var boolOptionalMap: Map<String, Bool?>
  @Persisted var intList: List<Int>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var intMap: Map<String, Int>
  @Persisted var intOptionalList: List<Int?>
  @Persisted var intOptionalSet: MutableSet<Int?>
  @Persisted var intOptionalMap: Map<String, Int?>
  @Persisted var int8List: List<Int8>
  @Persisted var int8Set: MutableSet<Int8>
  @Persisted var int8Map: Map<String, Int8>
  @Persisted var int8OptionalList: List<Int8?>
  @Persisted var int8OptionalSet: MutableSet<Int8?>
  @Persisted var int8OptionalMap: Map<String, Int8?>
  @Persisted var int16List: List<Int16>
  @Persisted var int16Set: MutableSet<Int16>
  @Persisted var int16Map: Map<String, Int16>
  @Persisted var int16OptionalList: List<Int16?>
  @Persisted var int16OptionalSet: MutableSet<Int16?>
  @Persisted var int16OptionalMap: Map<String, Int16?>
  @Persisted var int32List: List<Int32>
  @Persisted var int32Set: MutableSet<Int32>
  @Persisted var int32Map: Map<String, Int32>
  @Persisted var int32OptionalList: List<Int32?>
  @Persisted var int32OptionalSet: MutableSet<Int32?>
  @Persisted var int32OptionalMap: Map<String, Int32?>
  @Persisted var int64List: List<Int64>
  @Persisted var int64Set: MutableSet<Int64>
  @Persisted var int64Map: Map<String, Int64>
  @Persisted var int64OptionalList: List<Int64?>
  @Persisted var int64OptionalSet: MutableSet<Int64?>
  @Persisted var int64OptionalMap: Map<String, Int64?>
  @Persisted var floatList: List<Float>
  @Persisted var floatSet: MutableSet<Float>
  @Persisted var floatMap: Map<String, Float>
  @Persisted var floatOptionalList: List<Float?>
  @Persisted var floatOptionalSet: MutableSet<Float?>
  @Persisted var floatOptionalMap: Map<String, Float?>
  @Persisted var doubleList: List<Double>
  @Persisted var doubleSet: MutableSet<Double>
  @Persisted var doubleMap: Map<String, Double>
  @Persisted var doubleOptionalList: List<Double?>
  @Persisted var doubleOptionalSet: MutableSet<Double?>
  @Persisted var doubleOptionalMap: Map<String, Double?>
  @Persisted var stringList: List<String>
  @Persisted var stringSet: MutableSet<String>
  @Persisted var stringMap: Map<String, String>
  @Persisted var stringOptionalList: List<String?>
  @Persisted var stringOptionalSet: MutableSet<String?>
  @Persisted var stringOptionalMap: Map<String, String?>
  @Persisted var dataList: List<Data>
  @Persisted var dataSet: MutableSet<Data>
  @Persisted var dataMap: Map<String, Data>
  @Persisted var dataOptionalList: List<Data?>
  @Persisted var dataOptionalSet: MutableSet<Data?>
  @Persisted var dataOptionalMap: Map<String, Data?>
  @Persisted var dateList: List<Date>
  @Persisted var dateSet: MutableSet<Date>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var dateOptionalList: List<Date?>
  @Persisted var dateOptionalSet: MutableSet<Date?>
  @Persisted var dateOptionalMap: Map<String, Date?>
  @Persisted var objectIdList: List<ObjectId>
  @Persisted var objectIdSet: MutableSet<ObjectId>
  @Persisted var objectIdMap: Map<String, ObjectId>
  @Persisted var objectIdOptionalList: List<ObjectId?>
  @Persisted var objectIdOptionalSet: MutableSet<ObjectId?>
  @Persisted var objectIdOptionalMap: Map<String, ObjectId?>
  @Persisted var uuidList: List<UUID>
  @Persisted var uuidSet: MutableSet<UUID>
  @Persisted var uuidMap: Map<String, UUID>
  @Persisted var uuidOptionalList: List<UUID?>
  @Persisted var uuidOptionalSet: MutableSet<UUID?>
  @Persisted var uuidOptionalMap: Map<String, UUID?>
  @Persisted var decimalList: List<Decimal128>
  @Persisted var decimalSet: MutableSet<Decimal128>
  @Persisted var decimalMap: Map<String, Decimal128>
  @Persisted var decimalOptionalList: List<Decimal128?>
  @Persisted var decimalOptionalSet: MutableSet<Decimal128?>
  @Persisted var decimalOptionalMap: Map<String, Decimal128?>
  @Persisted var moodList: List<Mood>
  @Persisted var moodSet: MutableSet<Mood>
  @Persisted var moodMap: Map<String, Mood>
  @Persisted var moodOptionalList: List<Mood?>
  @Persisted var moodOptionalSet: MutableSet<Mood?>
  @Persisted var moodOptionalMap: Map<String, Mood?>
  @Persisted var anyList: List<AnyRealmValue>
  @Persisted var anySet: MutableSet<AnyRealmValue>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var ownList: List<Cents>
  @Persisted var ownSet: MutableSet<Cents>
  @Persisted var ownMap: Map<String, Cents>
  @Persisted var ownOptionalList: List<Cents?>
  @Persisted var ownOptionalSet: MutableSet<Cents?>
  @Persisted var ownOptionalMap: Map<String, Cents?>
  @Persisted var dogList: List<Dog>
  @Persisted var dogSet: MutableSet<Dog>
  @Persisted var dogMap: Map<String, Dog?>
  @Persisted var addressList: List<Address>
  @Persisted var addressMap: Map<String, Address?>
}

private struct Cents: CustomPersistable, Hashable {
  let count: Int
  init(_ count: Int) { self.count = count }
  init(persistedValue: Int) { count = persistedValue }
  var persistableValue: Int { count }
}

/// What collections of every kind do with values of every type, free, managed and frozen: as
/// arrays, sets and dictionaries do.
struct CollectionTableTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))

  /// A column of the tables: the collections of one type, and distinct values of it in ascending
  /// order.
  private func check<Value: RealmCollectionValue>(
    _ values: [Value], _ list: KeyPath<Tables, List<Value>>,
    _ set: KeyPath<Tables, MutableSet<Value>>,
    _ map: KeyPath<Tables, Map<String, Value>>
  ) throws {
    let free = Tables()
    try changeList(free[keyPath: list], values)
    changeSet(free[keyPath: set], values)
    changeMap(free[keyPath: map], values)
    fill(free, values, list, set, map)
    read(free, values, list, set, map)
    try realm.write {
      let managed = realm.create(Tables.self)
      try changeList(managed[keyPath: list], values)
      changeSet(managed[keyPath: set], values)
      changeMap(managed[keyPath: map], values)
      realm.delete(managed)
      realm.add(free)
    }
    // What was free is the realm's now, and has what it had.
    read(free, values, list, set, map)
    query(free, values, list, set)
    let copy = try realm.write { realm.create(Tables.self, value: free) }
    read(copy, values, list, set, map)
    let (frozen, held) = (free.freeze(), free[keyPath: list])
    try realm.write {
      free[keyPath: list].removeAll()
      free[keyPath: set].removeAll()
      free[keyPath: map].removeAll()
    }
    #expect(free[keyPath: list].isEmpty && free[keyPath: set].isEmpty && free[keyPath: map].isEmpty)
    read(frozen, values, list, set, map)
    query(frozen, values, list, set)
    #expect(frozen[keyPath: list].isFrozen && frozen[keyPath: list].thaw()?.isEmpty == true)
    try realm.write {
      let byName: [String: Any] = [
        name(of: list): values, name(of: set): values, name(of: map): keyed(values),
      ]
      read(realm.create(Tables.self, value: byName), values, list, set, map)
      read(Tables(value: byName), values, list, set, map)
      realm.deleteAll()
    }
    #expect(held.isInvalidated && free.isInvalidated && !frozen[keyPath: list].isInvalidated)
  }

  private func name(of keyPath: AnyKeyPath) -> String { propertyName(of: keyPath, in: Tables.self) }

  private func keyed<Value>(_ values: [Value]) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: values.enumerated().map { ("key \($0.offset)", $0.element) })
  }

  private func fill<Value: RealmCollectionValue>(
    _ tables: Tables, _ values: [Value], _ list: KeyPath<Tables, List<Value>>,
    _ set: KeyPath<Tables, MutableSet<Value>>, _ map: KeyPath<Tables, Map<String, Value>>
  ) {
    tables[keyPath: list].assign(values)
    tables[keyPath: set].removeAll()
    tables[keyPath: set].insert(objectsIn: values)
    tables[keyPath: map].removeAll()
    for (key, value) in keyed(values) { tables[keyPath: map][key] = value }
  }

  private func read<Value: RealmCollectionValue>(
    _ tables: Tables, _ values: [Value], _ list: KeyPath<Tables, List<Value>>,
    _ set: KeyPath<Tables, MutableSet<Value>>, _ map: KeyPath<Tables, Map<String, Value>>
  ) {
    let (list, set, map) = (tables[keyPath: list], tables[keyPath: set], tables[keyPath: map])
    #expect(Array(list) == values && list.count == values.count && list.last == values.last)
    #expect(Set(set) == Set(values) && set.count == values.count)
    #expect(map.count == values.count && Set(map.values) == Set(values))
    for (position, value) in values.enumerated() {
      #expect(list.index(of: value) == position && list.contains(value) && set.contains(value))
      #expect(map["key \(position)"] == value)
      #expect(list.index(matching: "SELF == %@", value) == position)
      #expect(set.index(matching: "SELF == %@", value) == set.index(of: value))
    }
    #expect(map["no key"] == nil && map.keys.sorted() == keyed(values).keys.sorted())
    #expect((list.value(forKey: "self") as? [Any])?.count == values.count)
    #expect((set.value(forKey: "self") as? [Any])?.count == values.count)
    #expect(list.map { $0 } == values && list == list && set == set && map == map)
  }

  private func query<Value: RealmCollectionValue>(
    _ tables: Tables, _ values: [Value], _ list: KeyPath<Tables, List<Value>>,
    _ set: KeyPath<Tables, MutableSet<Value>>
  ) {
    let (list, set) = (tables[keyPath: list], tables[keyPath: set])
    for value in values {
      #expect(Array(list.filter("SELF == %@", value)) == [value])
      #expect(
        Array(list.where { $0 == value }) == [value] && set.filter("SELF == %@", value).count == 1)
      #expect(list.filter("SELF != %@", value).count == values.count - 1)
      #expect(list.where { $0.in([value]) }.count == 1)
    }
    #expect(list.distinct().count == values.count)
    #expect(Array(list.sorted(by: ["self"])) == values)
    #expect(
      Array(list.sorted(byKeyPath: "self", ascending: false)) == Array(values.reversed()))
    #expect(Array(set.sorted(byKeyPath: "self")) == values)
  }

  private func changeList<Value: RealmCollectionValue>(_ list: List<Value>, _ values: [Value])
    throws
  {
    var model: [Value] = []
    for value in values {
      list.append(value)
      list.insert(value, at: 0)
      model.append(value)
      model.insert(value, at: 0)
    }
    #expect(Array(list) == model)
    list[1] = values[0]
    model[1] = values[0]
    list.swapAt(0, model.count - 1)
    model.swapAt(0, model.count - 1)
    list.move(from: 0, to: 2)
    model.insert(model.remove(at: 0), at: 2)
    #expect(Array(list) == model)
    list.remove(at: 1)
    model.remove(at: 1)
    list.removeFirst()
    model.removeFirst()
    list.replaceSubrange(0..<1, with: values)
    model.replaceSubrange(0..<1, with: values)
    list.removeAll { $0 == values[0] }
    model.removeAll { $0 == values[0] }
    #expect(Array(list) == model)
    list.assign(list)
    #expect(Array(list) == model)
    list.setValue(values[0], forKey: "self")
    #expect(list.allSatisfy { $0 == values[0] } && list.count == model.count)
  }

  private func changeSet<Value: RealmCollectionValue>(_ set: MutableSet<Value>, _ values: [Value]) {
    set.insert(objectsIn: values + values)
    #expect(set.count == values.count)
    set.remove(values[0])
    set.remove(values[0])
    #expect(!set.contains(values[0]) && set.count == values.count - 1)
    let other = MutableSet<Value>()
    other.insert(values[0])
    #expect(!set.intersects(other) && !other.isSubset(of: set))
    set.formUnion(other)
    #expect(set.intersects(other) && other.isSubset(of: set) && set.count == values.count)
    set.subtract(other)
    set.formIntersection(other)
    #expect(set.isEmpty)
  }

  private func changeMap<Value: RealmCollectionValue>(_ map: Map<String, Value>, _ values: [Value])
  {
    for (position, value) in values.enumerated() { map["\(position)"] = value }
    map["0"] = values[1]
    #expect(map["0"] == values[1] && map.count == values.count)
    map.removeObject(for: "0")
    #expect(map["0"] == nil && map.count == values.count - 1)
    map.merge([("0", values[0]), ("1", values[0])].map { (key: $0.0, value: $0.1) }) { old, _ in old
    }
    #expect(map["0"] == values[0] && map["1"] == values[1])
    map.setValue(values[0], forKey: "1")
    #expect(map["1"] == values[0])
    map.removeAll()
    #expect(map.isEmpty && map.keys.isEmpty)
  }

  @Test func `collections of required values`() throws {
    try check([false, true] as [Bool], \.boolList, \.boolSet, \.boolMap)
    try check([-7, 0, 7_000_000_000] as [Int], \.intList, \.intSet, \.intMap)
    try check([-8, 0, 8] as [Int8], \.int8List, \.int8Set, \.int8Map)
    try check([-300, 0, 300] as [Int16], \.int16List, \.int16Set, \.int16Map)
    try check([-70_000, 0, 70_000] as [Int32], \.int32List, \.int32Set, \.int32Map)
    try check([.min, 0, .max] as [Int64], \.int64List, \.int64Set, \.int64Map)
    try check([-1.5, 0, 2.25] as [Float], \.floatList, \.floatSet, \.floatMap)
    try check([-1.5, 0, 2.25] as [Double], \.doubleList, \.doubleSet, \.doubleMap)
    try check(
      ["", "a", "ä and more than fifteen bytes"] as [String], \.stringList, \.stringSet, \.stringMap
    )
    try check([Data(), Data([1]), Data([1, 2])] as [Data], \.dataList, \.dataSet, \.dataMap)
    try check(
      ([-5, 0, 5].map(Date.init(timeIntervalSince1970:))) as [Date], \.dateList, \.dateSet,
      \.dateMap)
    try check(
      (["0", "1", "2"].map { try! ObjectId(string: String(repeating: $0, count: 24)) })
        as [ObjectId], \.objectIdList, \.objectIdSet, \.objectIdMap)
    try check(
      (["0", "1", "2"].map { UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0)")! })
        as [UUID], \.uuidList, \.uuidSet, \.uuidMap)
    try check(["-1.5", "0", "2.25"] as [Decimal128], \.decimalList, \.decimalSet, \.decimalMap)
    try check([.fine, .sad] as [Mood], \.moodList, \.moodSet, \.moodMap)
  }

  @Test func `collections of optional values`() throws {
    try check(
      [nil] + ([false, true] as [Bool]), \.boolOptionalList, \.boolOptionalSet, \.boolOptionalMap)
    try check(
      [nil] + ([-7, 0, 7_000_000_000] as [Int]), \.intOptionalList, \.intOptionalSet,
      \.intOptionalMap)
    try check(
      [nil] + ([-8, 0, 8] as [Int8]), \.int8OptionalList, \.int8OptionalSet, \.int8OptionalMap)
    try check(
      [nil] + ([-300, 0, 300] as [Int16]), \.int16OptionalList, \.int16OptionalSet,
      \.int16OptionalMap)
    try check(
      [nil] + ([-70_000, 0, 70_000] as [Int32]), \.int32OptionalList, \.int32OptionalSet,
      \.int32OptionalMap)
    try check(
      [nil] + ([.min, 0, .max] as [Int64]), \.int64OptionalList, \.int64OptionalSet,
      \.int64OptionalMap)
    try check(
      [nil] + ([-1.5, 0, 2.25] as [Float]), \.floatOptionalList, \.floatOptionalSet,
      \.floatOptionalMap)
    try check(
      [nil] + ([-1.5, 0, 2.25] as [Double]), \.doubleOptionalList, \.doubleOptionalSet,
      \.doubleOptionalMap)
    try check(
      [nil] + (["", "a", "ä and more than fifteen bytes"] as [String]), \.stringOptionalList,
      \.stringOptionalSet, \.stringOptionalMap)
    try check(
      [nil] + ([Data(), Data([1]), Data([1, 2])] as [Data]), \.dataOptionalList, \.dataOptionalSet,
      \.dataOptionalMap)
    try check(
      [nil] + ([-5, 0, 5].map(Date.init(timeIntervalSince1970:)) as [Date]), \.dateOptionalList,
      \.dateOptionalSet, \.dateOptionalMap)
    try check(
      [nil]
        + (["0", "1", "2"].map { try! ObjectId(string: String(repeating: $0, count: 24)) }
          as [ObjectId]),
      \.objectIdOptionalList, \.objectIdOptionalSet, \.objectIdOptionalMap)
    try check(
      [nil]
        + (["0", "1", "2"].map { UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0)")! }
          as [UUID]),
      \.uuidOptionalList, \.uuidOptionalSet, \.uuidOptionalMap)
    try check(
      [nil] + (["-1.5", "0", "2.25"] as [Decimal128]), \.decimalOptionalList, \.decimalOptionalSet,
      \.decimalOptionalMap)
    try check(
      [nil] + ([.fine, .sad] as [Mood]), \.moodOptionalList, \.moodOptionalSet, \.moodOptionalMap)
  }

  @Test func `collections of mixed values`() throws {
    let values: [AnyRealmValue] = [
      .none, .bool(true), .int(5), .float(6.5), .decimal128("7"), .double(7.5), .string("text"),
      .data(Data([1])),
      .date(Date(timeIntervalSince1970: 5)),
      .objectId(try ObjectId(string: String(repeating: "1", count: 24))),
      .uuid(UUID()),
    ]
    try check(values, \.anyList, \.anySet, \.anyMap)
  }

  @Test func `collections of types of one's own`() throws {
    let values = [-7, 0, 9].map { Cents($0) }
    try check(values, \.ownList, \.ownSet, \.ownMap)
    try check([nil] + values, \.ownOptionalList, \.ownOptionalSet, \.ownOptionalMap)
  }

  @Test func `collections of objects, free, managed and frozen`() throws {
    func fill(_ tables: Tables, _ names: [String]) {
      tables.dogList.removeAll()
      tables.dogSet.removeAll()
      tables.addressList.removeAll()
      for name in names {
        let dog = Dog(value: ["name": name, "age": name.count])
        tables.dogList.append(dog)
        tables.dogSet.insert(dog)
        tables.dogMap[name] = dog
        tables.addressList.append(Address(value: ["street": name]))
        tables.addressMap[name] = Address(value: ["street": name])
      }
      tables.dogMap["none"] = .some(nil)
      tables.addressMap["none"] = .some(nil)
    }
    func read(_ tables: Tables, _ names: [String], _ line: Int = #line) {
      let here = SourceLocation(
        fileID: #fileID, filePath: #filePath, line: line, column: 1)
      #expect(tables.dogList.map(\.name) == names, sourceLocation: here)
      #expect(Set(tables.dogSet.map(\.name)) == Set(names), sourceLocation: here)
      #expect(tables.dogSet.count == names.count, sourceLocation: here)
      #expect(tables.dogMap.count == names.count + 1, sourceLocation: here)
      #expect(tables.addressList.map(\.street) == names, sourceLocation: here)
      #expect(tables.addressMap.count == names.count + 1, sourceLocation: here)
      for (position, name) in names.enumerated() {
        #expect(tables.dogMap[name]??.name == name, sourceLocation: here)
        #expect(tables.addressMap[name]??.street == name, sourceLocation: here)
        #expect(tables.dogList.index(matching: "name == %@", name) == position)
        #expect(tables.addressList.index(matching: "street == %@", name) == position)
        #expect(tables.dogList.index(of: tables.dogList[position]) == position)
        #expect(tables.dogSet.contains(tables.dogList[position]), sourceLocation: here)
      }
      #expect(tables.dogMap["none"] == .some(nil) && tables.dogMap["no"] == nil)
      #expect(tables.addressMap["none"] == .some(nil) && tables.addressMap["no"] == nil)
      #expect(tables.dogList.sum(of: \.age) == names.map(\.count).reduce(0, +))
      #expect(tables.dogSet.max(of: \.age) == names.map(\.count).max(), sourceLocation: here)
      #expect(tables.dogMap.min(of: \.age) == names.map(\.count).min(), sourceLocation: here)
      #expect(tables.dogList.value(forKey: "name") as? [String] == names, sourceLocation: here)
      #expect(tables.addressList.value(forKey: "street") as? [String] == names)
    }
    let names = ["Bo", "Rex", "Cleo"]
    let free = Tables()
    fill(free, names)
    read(free, names)
    let copy = try realm.write {
      realm.add(free)
      return realm.create(Tables.self, value: free)
    }
    let frozen = free.freeze()
    for tables in [free, copy, frozen, copy.freeze()] { read(tables, names) }
    // Links are to the same objects, what is embedded belongs to the copy.
    #expect(realm.objects(Dog.self).count == 3 && realm.dynamicObjects("Address").count == 12)
    #expect(copy.dogList[1].isSameObject(as: free.dogList[1]))
    #expect(!copy.addressList[1].isSameObject(as: free.addressList[1]))
    try realm.write {
      copy.dogMap.removeAll()
      copy.addressMap.removeAll()
      fill(copy, ["Max"])
    }
    read(copy, ["Max"])
    read(free, names)
    #expect(realm.dynamicObjects("Address").count == 8)
    let gone = free.dogList[0]
    try realm.write { realm.delete(gone) }
    #expect(free.dogList.count == 2 && free.dogSet.count == 2 && free.dogMap.count == 4)
    #expect(free.dogMap["Bo"] == .some(nil) && gone.isInvalidated)
    read(frozen, names)
    let address = free.addressList[0]
    try realm.write { free.addressList.removeAll() }
    #expect(address.isInvalidated && free.addressMap["Bo"]??.street == "Bo")
    try realm.write { realm.deleteAll() }
    read(frozen, names)
  }

  @Test func `numbers of collections of every kind, free, managed and frozen`() throws {
    let free = Tables()
    free.intList.append(objectsIn: [1, 2, 6])
    free.doubleSet.insert(objectsIn: [0.5, 2.5])
    free.decimalOptionalMap["a"] = .some("1.5")
    free.decimalOptionalMap["b"] = .some(nil)
    free.dateOptionalList.append(objectsIn: [nil, Date(timeIntervalSince1970: 1)])
    let check = { (tables: Tables) in
      #expect(tables.intList.min() == 1 && tables.intList.max() == 6 && tables.intList.sum() == 9)
      #expect((tables.intList.average() as Double?) == 3)
      #expect(tables.doubleSet.min() == 0.5 && tables.doubleSet.sum() == 3)
      #expect(tables.decimalOptionalMap.max() == "1.5" && tables.decimalOptionalMap.sum() == "1.5")
      #expect(tables.dateOptionalList.min() == Date(timeIntervalSince1970: 1))
      #expect(tables.int8List.min() == nil && tables.floatOptionalSet.max() == nil)
      #expect(tables.int8List.sum() == 0 && (tables.floatOptionalSet.average() as Double?) == nil)
    }
    check(free)
    try realm.write { realm.add(free) }
    check(free)
    check(free.freeze())
  }
}
