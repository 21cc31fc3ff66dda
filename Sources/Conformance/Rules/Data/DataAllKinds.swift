import EngineUnderTest
import Evidence
import Foundation

/// A property of a cupboard, whatever its kind: which values it is given, and whether it has them.
private struct Drawer {
  let name: String
  let count: Int
  /// Gives an object the value of a number.
  let put: (Cupboard, Int) -> Void
  /// Whether an object has the value of a number; what it has instead.
  let has: (Cupboard, Int) -> (Bool, String)

  init<Value: Equatable>(
    _ name: String, _ path: ReferenceWritableKeyPath<Cupboard, Value>, _ values: [Value]
  ) {
    let marks = values.map { Worths.mark($0) }
    self.name = name
    count = values.count
    put = { $0[keyPath: path] = values[$1 % values.count] }
    has = { cupboard, number in
      let value = cupboard[keyPath: path]
      return (Worths.mark(value) == marks[number % marks.count], "\(value)")
    }
  }

  static var all: [Drawer] {
    [
      Drawer("truth", \.truth, Worths.truths),
      Drawer("tiny", \.tiny, Worths.wholes(Int8.self)),
      Drawer("short", \.short, Worths.wholes(Int16.self)),
      Drawer("middle", \.middle, Worths.wholes(Int32.self)),
      Drawer("long", \.long, Worths.wholes(Int64.self)),
      Drawer("whole", \.whole, Worths.wholes(Int.self)),
      Drawer("single", \.single, Worths.singles),
      Drawer("fraction", \.fraction, Worths.fractions),
      Drawer("price", \.price, Worths.prices),
      Drawer("text", \.text, Worths.texts),
      Drawer("bytes", \.bytes, Worths.bytes),
      Drawer("day", \.day, Worths.days),
      Drawer("mark", \.mark, Worths.marks),
      Drawer("code", \.code, Worths.codes),
      Drawer("mixed", \.mixed, Worths.mixtures),
      Drawer("maybeTruth", \.maybeTruth, Worths.truths + [nil]),
      Drawer("maybeTiny", \.maybeTiny, Worths.wholes(Int8.self) + [nil]),
      Drawer("maybeShort", \.maybeShort, Worths.wholes(Int16.self) + [nil]),
      Drawer("maybeMiddle", \.maybeMiddle, Worths.wholes(Int32.self) + [nil]),
      Drawer("maybeLong", \.maybeLong, Worths.wholes(Int64.self) + [nil]),
      Drawer("maybeWhole", \.maybeWhole, Worths.wholes(Int.self) + [nil]),
      Drawer("maybeSingle", \.maybeSingle, Worths.singles + [nil]),
      Drawer("maybeFraction", \.maybeFraction, Worths.fractions + [nil]),
      Drawer("maybePrice", \.maybePrice, Worths.prices + [nil]),
      Drawer("maybeText", \.maybeText, Worths.texts + [nil]),
      Drawer("maybeBytes", \.maybeBytes, Worths.bytes + [nil]),
      Drawer("maybeDay", \.maybeDay, Worths.days + [nil]),
      Drawer("maybeMark", \.maybeMark, Worths.marks + [nil]),
      Drawer("maybeCode", \.maybeCode, Worths.codes + [nil]),
    ]
  }
}

/// A list, a set or a map of a cupboard, whatever is in it: changes it at random, and compares.
private struct Shelf {
  let name: String
  /// Begins anew, for a cupboard: what it returns makes a change, and compares.
  let begin:
    (Stage) -> (
      change: (Cupboard, inout SeededGenerator) -> Void, back: () -> () -> Void,
      look: (Cupboard, String) -> Void
    )

  private static func list<Value: RealmCollectionValue>(
    _ name: String, _ path: KeyPath<Cupboard, List<Value>>, _ values: [Value]
  ) -> Shelf {
    Shelf(name: name) { stage in
      var facts: [Value] = []
      func draw(_ chance: inout SeededGenerator) -> Value { values[chance.below(values.count)] }
      return (
        { cupboard, chance in
          let list = cupboard[keyPath: path]
          let place = chance.below(facts.count + 1)
          let some = (0..<(1 + chance.below(9))).map { _ in draw(&chance) }
          switch facts.isEmpty ? chance.below(4) : chance.below(14) {
          case 0:
            list.append(objectsIn: some)
            facts += some
          case 1, 2:
            list.insert(some[0], at: place)
            facts.insert(some[0], at: place)
          case 3:
            list.insert(contentsOf: some, at: place)
            facts.insert(contentsOf: some, at: place)
          case 4:
            list.remove(at: min(place, facts.count - 1)) as Void
            facts.remove(at: min(place, facts.count - 1))
          case 5, 6:
            list[min(place, facts.count - 1)] = some[0]
            facts[min(place, facts.count - 1)] = some[0]
          case 7:
            let (from, to) = (chance.below(facts.count), chance.below(facts.count))
            list.move(from: from, to: to)
            facts.insert(facts.remove(at: from), at: to)
          case 8:
            let (one, other) = (chance.below(facts.count), chance.below(facts.count))
            list.swapAt(one, other)
            facts.swapAt(one, other)
          case 9:
            let end = min(facts.count, place + chance.below(4))
            list.replaceSubrange(place..<end, with: some)
            facts.replaceSubrange(place..<end, with: some)
          case 10:
            let end = min(facts.count, place + chance.below(4))
            list.removeSubrange(place..<end)
            facts.removeSubrange(place..<end)
          case 11:
            list.removeLast(1)
            facts.removeLast(1)
          case 12:
            list.removeFirst(1)
            facts.removeFirst(1)
          default:
            if chance.below(6) > 0 { return }
            list.assign(some)
            facts = some
          }
        },
        {
          let before = facts
          return { facts = before }
        },
        { cupboard, moment in
          let list = cupboard[keyPath: path]
          let marks = facts.map { Worths.mark($0) }
          stage.expect(
            list.map { Worths.mark($0) } == marks && list.count == facts.count,
            "\(name) holds \(facts.count) values as they were put \(moment)",
            observed: "\(list.count): \(Array(list.prefix(9)))")
          guard let last = facts.last, let first = facts.first else { return }
          stage.expect(
            list.index(of: last) == marks.firstIndex(of: marks[marks.count - 1])
              && list.index(of: first) == 0 && list.contains(last),
            "\(name) says where its ends are first \(moment)",
            observed: "\(list.index(of: last).map(String.init) ?? "nowhere")")
          stage.expect(
            list.first.map { Worths.mark($0) } == marks.first
              && list.last.map { Worths.mark($0) } == marks.last,
            "\(name) has its ends \(moment)")
          if let absent = values.first(where: { !marks.contains(Worths.mark($0)) }) {
            stage.expect(
              list.index(of: absent) == nil && !list.contains(absent),
              "\(name) does not have \(absent) \(moment)")
          }
        }
      )
    }
  }

  private static func set<Value: RealmCollectionValue>(
    _ name: String, _ path: KeyPath<Cupboard, MutableSet<Value>>, _ values: [Value]
  ) -> Shelf {
    Shelf(name: name) { stage in
      /// By the numbers of the values.
      var facts: Set<Int> = []
      let marks = values.map { Worths.mark($0) }
      // An unmanaged set knows Swift's equality only, which takes some texts for one.
      let isPlain = values.map { value in values.count { $0 == value } == 1 }
      func free(_ some: [Int]) -> MutableSet<Value> {
        let set = MutableSet<Value>()
        set.insert(objectsIn: some.map { values[$0] })
        return set
      }
      return (
        { cupboard, chance in
          let set = cupboard[keyPath: path]
          var some = (0..<(1 + chance.below(9))).map { _ in chance.below(values.count) }
          some = Array(Set(some.filter { number in isPlain[number] }))
          switch chance.below(10) {
          case 0, 1:
            set.insert(objectsIn: some.map { values[$0] })
            facts.formUnion(some)
          case 2, 3, 4:
            let one = chance.below(values.count)
            set.insert(values[one])
            facts.insert(one)
          case 5, 6:
            let one = chance.below(values.count)
            set.remove(values[one])
            facts.remove(one)
          case 7:
            set.formUnion(free(some))
            facts.formUnion(some)
          case 8:
            set.subtract(free(some))
            facts.subtract(some)
          default:
            if chance.below(4) > 0 { return }
            let kept =
              some
              + facts.filter { $0 % 3 > 0 }.filter { number in
                isPlain[number]
              }
            set.formIntersection(free(kept))
            facts.formIntersection(kept)
          }
        },
        {
          let before = facts
          return { facts = before }
        },
        { cupboard, moment in
          let set = cupboard[keyPath: path]
          stage.expect(
            Set(set.map { Worths.mark($0) }) == Set(facts.map { marks[$0] })
              && set.count == facts.count,
            "\(name) holds \(facts.count) values \(moment)",
            observed: "\(set.count): \(Array(set.prefix(9)))")
          let wrong = values.indices.first { set.contains(values[$0]) != facts.contains($0) }
          stage.expect(
            wrong == nil, "\(name) knows which values it has \(moment)",
            observed: "not of \(values[wrong ?? 0])")
          let plain = facts.filter { number in isPlain[number] }
          // Sets that are compared one by one should be small.
          if plain.count == facts.count, facts.count < 20 {
            stage.expect(
              set.isSubset(of: free(Array(facts))) && set.isSubset(of: set)
                && set.intersects(free(Array(facts.prefix(1)))) == !facts.isEmpty,
              "\(name) is a subset of what it has \(moment)")
            let absent = values.indices.filter { number in
              !facts.contains(number) && isPlain[number]
            }.prefix(2)
            stage.expect(
              !set.intersects(free(Array(absent))) && set.isSubset(of: free(Array(facts) + absent)),
              "\(name) has nothing of what it has not \(moment)")
            if let one = facts.first {
              stage.expect(
                !set.isSubset(of: free(Array(facts.filter { $0 != one }) + absent)),
                "\(name) is none of a set that lacks one \(moment)")
            }
          }
        }
      )
    }
  }

  /// Keys of maps, none of which Swift takes for another: what a merge gets is told apart by it.
  private static let keys = Worths.texts.filter { text in
    !text.contains(".") && !text.hasPrefix("$") && text.utf8.count < 300
      && Worths.texts.count { $0 == text } == 1
  }

  private static func map<Value: RealmCollectionValue>(
    _ name: String, _ path: KeyPath<Cupboard, Map<String, Value>>, _ values: [Value]
  ) -> Shelf {
    Shelf(name: name) { stage in
      let keys = Shelf.keys
      var facts: [Int: AnyHashable] = [:]
      return (
        { cupboard, chance in
          let map = cupboard[keyPath: path]
          let key = chance.below(keys.count)
          let value = values[chance.below(values.count)]
          switch chance.below(9) {
          case 0, 1, 2:
            map[keys[key]] = value
            facts[key] = Worths.mark(value)
          case 3:
            map.updateValue(value, forKey: keys[key])
            facts[key] = Worths.mark(value)
          case 4:
            let others = (0..<5).map { _ in chance.below(keys.count) }
            map.merge(Set(others).map { (key: keys[$0], value: value) }) { old, _ in old }
            for other in others where facts[other] == nil { facts[other] = Worths.mark(value) }
          case 5:
            map.merge([(key: keys[key], value: value)]) { $1 }
            facts[key] = Worths.mark(value)
          case 6:
            let some = facts.keys.sorted()
            guard !some.isEmpty else { return }
            let key = some[chance.below(some.count)]
            map[keys[key]] = nil
            facts[key] = nil
          case 7:
            map.removeObject(for: keys[key])
            facts[key] = nil
          default:
            if chance.below(20) > 0 { return }
            map.removeAll()
            facts = [:]
          }
        },
        {
          let before = facts
          return { facts = before }
        },
        { cupboard, moment in
          let map = cupboard[keyPath: path]
          let wrong = keys.indices.first {
            map[keys[$0]].map { Worths.mark($0) } != facts[$0]
          }
          stage.expect(
            wrong == nil && map.count == facts.count && map.isEmpty == facts.isEmpty,
            "\(name) has \(facts.count) values under their keys \(moment)",
            observed: "\(map.count); not under '\(keys[wrong ?? 0].prefix(20))'")
          stage.expect(
            Set(map.keys.map { Worths.mark($0) })
              == Set(facts.keys.map { Worths.mark(keys[$0]) }),
            "\(name) tells its keys \(moment)", observed: "\(map.keys.count)")
          let pairs = zip(map.keys, map.values).map { [Worths.mark($0), Worths.mark($1)] }
          stage.expect(
            Set(pairs) == Set(map.map { [Worths.mark($0.key), Worths.mark($0.value)] })
              && Set(pairs) == Set(facts.map { [Worths.mark(keys[$0.key]), $0.value] }),
            "\(name) tells its values in the order of its keys, and its entries \(moment)")
        }
      )
    }
  }

  static var all: [Shelf] {
    [
      list("truthList", \.truthList, Worths.truths),
      list("maybeTruthList", \.maybeTruthList, Worths.truths + [nil, nil]),
      list("tinyList", \.tinyList, Worths.wholes(Int8.self)),
      list("maybeTinyList", \.maybeTinyList, Worths.wholes(Int8.self) + [nil, nil]),
      list("shortList", \.shortList, Worths.wholes(Int16.self)),
      list("maybeShortList", \.maybeShortList, Worths.wholes(Int16.self) + [nil, nil]),
      list("middleList", \.middleList, Worths.wholes(Int32.self)),
      list("maybeMiddleList", \.maybeMiddleList, Worths.wholes(Int32.self) + [nil, nil]),
      list("longList", \.longList, Worths.wholes(Int64.self)),
      list("maybeLongList", \.maybeLongList, Worths.wholes(Int64.self) + [nil, nil]),
      list("wholeList", \.wholeList, Worths.wholes(Int.self)),
      list("maybeWholeList", \.maybeWholeList, Worths.wholes(Int.self) + [nil, nil]),
      list("singleList", \.singleList, Worths.singles),
      list("maybeSingleList", \.maybeSingleList, Worths.singles + [nil, nil]),
      list("fractionList", \.fractionList, Worths.fractions),
      list("maybeFractionList", \.maybeFractionList, Worths.fractions + [nil, nil]),
      list("priceList", \.priceList, Worths.prices),
      list("maybePriceList", \.maybePriceList, Worths.prices + [nil, nil]),
      list("textList", \.textList, Worths.texts),
      list("maybeTextList", \.maybeTextList, Worths.texts + [nil, nil]),
      list("bytesList", \.bytesList, Worths.bytes),
      list("maybeBytesList", \.maybeBytesList, Worths.bytes + [nil, nil]),
      list("dayList", \.dayList, Worths.days),
      list("maybeDayList", \.maybeDayList, Worths.days + [nil, nil]),
      list("markList", \.markList, Worths.marks),
      list("maybeMarkList", \.maybeMarkList, Worths.marks + [nil, nil]),
      list("codeList", \.codeList, Worths.codes),
      list("maybeCodeList", \.maybeCodeList, Worths.codes + [nil, nil]),
      list("mixedList", \.mixedList, Worths.mixtures),
      set("truthSet", \.truthSet, Worths.truths),
      set("maybeTruthSet", \.maybeTruthSet, Worths.truths + [nil]),
      set("tinySet", \.tinySet, Worths.wholes(Int8.self)),
      set("maybeTinySet", \.maybeTinySet, Worths.wholes(Int8.self) + [nil]),
      set("shortSet", \.shortSet, Worths.wholes(Int16.self)),
      set("maybeShortSet", \.maybeShortSet, Worths.wholes(Int16.self) + [nil]),
      set("middleSet", \.middleSet, Worths.wholes(Int32.self)),
      set("maybeMiddleSet", \.maybeMiddleSet, Worths.wholes(Int32.self) + [nil]),
      set("longSet", \.longSet, Worths.wholes(Int64.self)),
      set("maybeLongSet", \.maybeLongSet, Worths.wholes(Int64.self) + [nil]),
      set("wholeSet", \.wholeSet, Worths.wholes(Int.self)),
      set("maybeWholeSet", \.maybeWholeSet, Worths.wholes(Int.self) + [nil]),
      set("singleSet", \.singleSet, Worths.singles),
      set("maybeSingleSet", \.maybeSingleSet, Worths.singles + [nil]),
      set("fractionSet", \.fractionSet, Worths.fractions),
      set("maybeFractionSet", \.maybeFractionSet, Worths.fractions + [nil]),
      set("priceSet", \.priceSet, Worths.prices),
      set("maybePriceSet", \.maybePriceSet, Worths.prices + [nil]),
      set("textSet", \.textSet, Worths.texts),
      set("maybeTextSet", \.maybeTextSet, Worths.texts + [nil]),
      set("bytesSet", \.bytesSet, Worths.bytes),
      set("maybeBytesSet", \.maybeBytesSet, Worths.bytes + [nil]),
      set("daySet", \.daySet, Worths.days),
      set("maybeDaySet", \.maybeDaySet, Worths.days + [nil]),
      set("markSet", \.markSet, Worths.marks),
      set("maybeMarkSet", \.maybeMarkSet, Worths.marks + [nil]),
      set("codeSet", \.codeSet, Worths.codes),
      set("maybeCodeSet", \.maybeCodeSet, Worths.codes + [nil]),
      set("mixedSet", \.mixedSet, Worths.mixtures),
      map("truthMap", \.truthMap, Worths.truths),
      map("maybeTruthMap", \.maybeTruthMap, Worths.truths + [nil, nil]),
      map("tinyMap", \.tinyMap, Worths.wholes(Int8.self)),
      map("maybeTinyMap", \.maybeTinyMap, Worths.wholes(Int8.self) + [nil, nil]),
      map("shortMap", \.shortMap, Worths.wholes(Int16.self)),
      map("maybeShortMap", \.maybeShortMap, Worths.wholes(Int16.self) + [nil, nil]),
      map("middleMap", \.middleMap, Worths.wholes(Int32.self)),
      map("maybeMiddleMap", \.maybeMiddleMap, Worths.wholes(Int32.self) + [nil, nil]),
      map("longMap", \.longMap, Worths.wholes(Int64.self)),
      map("maybeLongMap", \.maybeLongMap, Worths.wholes(Int64.self) + [nil, nil]),
      map("wholeMap", \.wholeMap, Worths.wholes(Int.self)),
      map("maybeWholeMap", \.maybeWholeMap, Worths.wholes(Int.self) + [nil, nil]),
      map("singleMap", \.singleMap, Worths.singles),
      map("maybeSingleMap", \.maybeSingleMap, Worths.singles + [nil, nil]),
      map("fractionMap", \.fractionMap, Worths.fractions),
      map("maybeFractionMap", \.maybeFractionMap, Worths.fractions + [nil, nil]),
      map("priceMap", \.priceMap, Worths.prices),
      map("maybePriceMap", \.maybePriceMap, Worths.prices + [nil, nil]),
      map("textMap", \.textMap, Worths.texts),
      map("maybeTextMap", \.maybeTextMap, Worths.texts + [nil, nil]),
      map("bytesMap", \.bytesMap, Worths.bytes),
      map("maybeBytesMap", \.maybeBytesMap, Worths.bytes + [nil, nil]),
      map("dayMap", \.dayMap, Worths.days),
      map("maybeDayMap", \.maybeDayMap, Worths.days + [nil, nil]),
      map("markMap", \.markMap, Worths.marks),
      map("maybeMarkMap", \.maybeMarkMap, Worths.marks + [nil, nil]),
      map("codeMap", \.codeMap, Worths.codes),
      map("maybeCodeMap", \.maybeCodeMap, Worths.codes + [nil, nil]),
      map("mixedMap", \.mixedMap, Worths.mixtures),
    ]
  }
}

extension Probe {
  /// Every kind of property there is, with every value that is special to its kind.
  static let allKindsKept = [5, 70, 300].map { size in
    Probe("each kind of property keeps each of its values, among \(size) objects") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: stage.cupboards())
      let drawers = Drawer.all
      /// Which value an object has in each drawer: all the same number, until some are changed.
      var numbers: [Int: [Int]] = [:]
      var last = 0
      func look(_ realm: Realm, _ numbers: [Int: [Int]], _ moment: String) {
        stage.equal(realm.objects(Cupboard.self).count, numbers.count, "the objects \(moment)")
        var wrong: String?
        for (id, own) in numbers where wrong == nil {
          let cupboard = realm.cupboard(id)
          for (drawer, number) in zip(drawers, own) {
            let (isRight, value) = drawer.has(cupboard, number)
            if !isRight { wrong = "\(drawer.name) of \(id) is \(value.prefix(60))" }
          }
        }
        stage.expect(
          wrong == nil, "each property has its value \(moment)", observed: wrong ?? "")
      }
      func add() {
        let id = last
        last += 1
        let cupboard = Cupboard(id: id)
        for drawer in drawers { drawer.put(cupboard, id) }
        realm.add(cupboard)
        numbers[id] = Array(repeating: id, count: drawers.count)
      }
      try realm.write { for _ in 0..<size { add() } }
      look(realm, numbers, "when they were added")
      let frozen = realm.freeze()
      let kept = numbers
      for round in 1...3 {
        realm.beginWrite()
        let before = numbers
        for id in numbers.keys.sorted() where id % 3 == round % 3 {
          let cupboard = realm.cupboard(id)
          for (place, drawer) in drawers.enumerated() where (place + id) % 2 == 0 {
            numbers[id]![place] += 1 + round * 3
            drawer.put(cupboard, numbers[id]![place])
          }
        }
        for id in numbers.keys.sorted() where id % 11 == round {
          realm.delete(realm.cupboard(id))
          numbers[id] = nil
        }
        add()
        look(realm, numbers, "in write \(round)")
        if round == 2 {
          realm.cancelWrite()
          numbers = before
          look(realm, numbers, "after the cancel")
        } else {
          try realm.commitWrite()
          look(realm, numbers, "after write \(round)")
        }
      }
      look(frozen, kept, "in the frozen realm")
      let now = numbers
      try stage.elsewhere {
        look(try Realm(configuration: stage.cupboards()), now, "for another thread")
      }
    }
  }

  /// One number after the other that needs more room than those beside it.
  static let numbersThatGrow = Probe(
    "numbers beside one that needs another width stay what they are, of each width"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for (count, begin) in [(3, 0), (64, 1), (70, -1), (200, 0)] {
      let realm = try Realm(configuration: stage.cupboards("\(count)"))
      try realm.write {
        for id in 0..<count {
          let cupboard = Cupboard(id: id)
          (cupboard.whole, cupboard.maybeWhole) = (begin, id % 3 == 0 ? nil : begin)
          realm.add(cupboard)
          realm.cupboard(0).wholeList.append(begin)
          realm.cupboard(0).maybeWholeList.append(id % 3 == 0 ? nil : begin)
        }
      }
      var facts = Array(repeating: begin, count: count)
      var maybes = (0..<count).map { $0 % 3 == 0 ? nil : Int?.some(begin) }
      var place = 0
      for bits in 0..<64 {
        for value in [1 << bits, 0 &- (1 << bits), (1 << bits) &- 1] {
          place = (place + 7) % count
          realm.beginWrite()
          let cupboard = realm.cupboard(place)
          (cupboard.whole, cupboard.maybeWhole) = (value, value)
          realm.cupboard(0).wholeList[place] = value
          realm.cupboard(0).maybeWholeList[place] = value
          let isKept = bits % 5 != 2
          if isKept { (facts[place], maybes[place]) = (value, value) }
          if isKept { try realm.commitWrite() } else { realm.cancelWrite() }
          let all = realm.objects(Cupboard.self).sorted(byKeyPath: "id")
          let asked = stage.expect(
            all.map(\.whole) == facts && all.map(\.maybeWhole) == maybes
              && Array(realm.cupboard(0).wholeList) == facts
              && Array(realm.cupboard(0).maybeWholeList) == maybes,
            "\(count) numbers are what they were beside \(value) at \(place)",
            observed: "\(all.map(\.whole).prefix(9))")
          if !asked { return }
        }
      }
    }
  }

  /// Lists, sets and maps of every kind of value.
  static let allKindsOfMembers = ["list", "set", "map"].map { shape in
    Probe("each kind of value in a \(shape), put, moved, taken out and taken back") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: stage.cupboards())
      try realm.write { realm.add(Cupboard(id: 0)) }
      for shelf in Shelf.all where shelf.name.lowercased().hasSuffix(shape) {
        var chance = SeededGenerator(seed: derivedSeed(stage.seed, shelf.name))
        let (change, back, look) = shelf.begin(stage)
        for round in 0..<8 {
          realm.beginWrite()
          let undo = back()
          // Some rounds make them large.
          for _ in 0..<(round % 5 == 2 ? 30 : 5) { change(realm.cupboard(0), &chance) }
          look(realm.cupboard(0), "in write \(round)")
          if round % 4 == 3 {
            realm.cancelWrite()
            undo()
          } else {
            try realm.commitWrite()
          }
          look(realm.cupboard(0), "after write \(round)")
        }
        look(realm.cupboard(0).freeze(), "frozen")
        try stage.elsewhere {
          look(try Realm(configuration: stage.cupboards()).cupboard(0), "for another thread")
        }
      }
    }
  }
}
