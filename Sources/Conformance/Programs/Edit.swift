import EngineUnderTest

/// What is done to a list, a set or a map.
enum Edit {
  case append(Worth)
  case appendAll([Worth])
  case insert(Worth, at: Int)
  case remove(at: Int)
  case removeFirst(Int)
  case removeLast(Int)
  case removeAll
  case removeEvery(Worth)
  case move(Int, Int)
  case swap(Int, Int)
  case replace(Int, Worth)
  case replaceRange(Range<Int>, [Worth])
  case assign([Worth])
  /// Of sets.
  case add(Worth)
  case takeOut(Worth)
  case addAll([Worth])
  /// Of maps.
  case put(String, Worth)
  case drop(String)

  static let keys = ["a", "b", "", "c"]

  /// One that can be done to what is there.
  init(of content: Content, by number: Int, worths: [Worth]) {
    let worth = worths[0]
    switch content {
    case .single: self = .assign(worths)
    case .set(let all):
      switch number % 8 {
      case 0, 1, 2: self = .add(worth)
      case 3: self = .addAll(worths)
      case 4: self = .removeAll
      case 5: self = .takeOut(worth)
      default:
        // By what is there, which some number chooses.
        let some = all.sorted { $0.words < $1.words }
        self = some.isEmpty ? .add(worth) : .takeOut(some[number % some.count])
      }
    case .map:
      let key = Edit.keys[number / 7 % Edit.keys.count]
      self = number % 7 == 0 ? .removeAll : number % 7 < 3 ? .drop(key) : .put(key, worth)
    case .list(let all): self = Edit.ofList(all, number, worths)
    }
  }

  private static func ofList(_ all: [Worth], _ number: Int, _ worths: [Worth]) -> Edit {
    let count = all.count
    let (one, two) = count > 0 ? (number / 42 % count, number / 59 % count) : (0, 0)
    if count == 0 {
      return number % 2 == 0 ? .append(worths[0]) : .appendAll(worths + [worths[0]])
    }
    // Those of one or two tell little.
    if count < 3, number % 3 != 0 { return .appendAll(worths + [worths[0]]) }
    switch number / 3 % 14 {
    case 0: return .append(worths[0])
    case 1: return .appendAll(worths)
    case 2: return .insert(worths[0], at: one)
    // Beside one that is alike.
    case 3: return .insert(all[one], at: one + 1)
    case 4: return .append(all[one])
    case 5, 6: return .remove(at: one)
    case 7: return number % 4 == 0 ? .removeAll : .removeFirst(1)
    case 8:
      return number % 4 == 0 && !all[one].isNested
        ? .removeEvery(all[one]) : .removeLast(min(count, 1 + number / 42 % 2))
    case 9: return .move(one, two)
    case 10: return .move(0, count - 1)
    case 11: return .swap(one, two)
    case 12: return .replace(one, worths[0])
    default:
      return number % 4 == 0
        ? .assign(worths) : .replaceRange(min(one, two)..<max(one, two), worths)
    }
  }

  /// Does it to plain values.
  func apply(to content: inout Content) {
    switch content {
    case .single: break
    case .list(var all):
      apply(to: &all)
      content = .list(all)
    case .set(var all):
      switch self {
      case .add(let worth): all.insert(worth)
      case .takeOut(let worth): all.remove(worth)
      case .addAll(let worths): all.formUnion(worths)
      case .removeAll: all = []
      default: break
      }
      content = .set(all)
    case .map(var all):
      switch self {
      case .put(let key, let worth): all[key] = worth
      case .drop(let key): all[key] = nil
      case .removeAll: all = [:]
      default: break
      }
      content = .map(all)
    }
  }

  private func apply(to all: inout [Worth]) {
    switch self {
    case .append(let worth): all.append(worth)
    case .appendAll(let worths): all += worths
    case .insert(let worth, let place): all.insert(worth, at: place)
    case .remove(let place): all.remove(at: place)
    case .removeFirst(let number): all.removeFirst(number)
    case .removeLast(let number): all.removeLast(number)
    case .removeAll: all = []
    case .removeEvery(let worth): all.removeAll { $0 == worth }
    case .move(let from, let to): all.insert(all.remove(at: from), at: to)
    case .swap(let one, let two): all.swapAt(one, two)
    case .replace(let place, let worth): all[place] = worth
    case .replaceRange(let range, let worths): all.replaceSubrange(range, with: worths)
    case .assign(let worths): all = worths
    default: break
    }
  }

  /// By one of the calls that do it, which the finder's lot chooses.
  func apply<V: Worthy & RealmCollectionValue>(to list: List<V>, _ finder: Finder) {
    func made(_ worth: Worth) -> V { V.made(of: worth, finder) }
    let (way, count) = (finder.lot, list.count)
    switch self {
    case .append(let worth): Edit.insert([made(worth)], at: count, of: list, way)
    case .appendAll(let worths): Edit.insert(worths.map(made), at: count, of: list, way)
    case .insert(let worth, let place): Edit.insert([made(worth)], at: place, of: list, way)
    case .remove(let place): Edit.remove(place..<(place + 1), of: list, way)
    case .removeFirst(let number): Edit.remove(0..<number, of: list, way)
    case .removeLast(let number): Edit.remove((count - number)..<count, of: list, way)
    case .removeAll: Edit.remove(0..<count, of: list, way)
    case .removeEvery(let worth): list.removeAll { $0.worth == worth }
    case .move(let from, let to):
      if way % 2 == 0 {
        list.move(from: from, to: to)
      } else {
        list.move(fromOffsets: [from], toOffset: to > from ? to + 1 : to)
      }
    case .swap(let one, let two): list.swapAt(one, two)
    case .replace(let place, let worth):
      switch way % 3 {
      case 0: list[place] = made(worth)
      case 1: list.replace(index: place, object: made(worth))
      default: list.replaceSubrange(place..<(place + 1), with: [made(worth)])
      }
    case .replaceRange(let range, let worths): list.replaceSubrange(range, with: worths.map(made))
    case .assign(let worths):
      switch way % 3 {
      case 0: list.assign(worths.map(made))
      case 1: list.replaceSubrange(0..<count, with: worths.map(made))
      default:
        let all = worths.map(made)
        list.removeAll()
        list.append(objectsIn: all)
      }
    default: break
    }
  }

  private static func insert<V: RealmCollectionValue>(
    _ all: [V], at place: Int, of list: List<V>, _ way: Int
  ) {
    switch way % 4 {
    case 0 where place == list.count: list.append(objectsIn: all)
    case 0, 1: list.insert(contentsOf: all, at: place)
    case 2: list.replaceSubrange(place..<place, with: all)
    default:
      for (number, member) in all.enumerated() {
        if place + number == list.count {
          list.append(member)
        } else {
          list.insert(member, at: place + number)
        }
      }
    }
  }

  private static func remove<V: RealmCollectionValue>(
    _ range: Range<Int>, of list: List<V>, _ way: Int
  ) {
    let isWhole = range == 0..<list.count
    switch way % 5 {
    case 0 where isWhole: list.removeAll()
    case 1 where isWhole: list.removeAll { _ in true }
    case 0 where range.count == 1: list.remove(at: range.lowerBound) as Void
    case 0 where range.lowerBound == 0: list.removeFirst(range.count)
    case 1 where range.lowerBound == 0: list.removeFirst(range.count)
    case 1 where range.upperBound == list.count: list.removeLast(range.count)
    case 2: list.remove(atOffsets: Array(range))
    case 3: list.replaceSubrange(range, with: [])
    default: list.removeSubrange(range)
    }
  }

  func apply<V: Worthy & RealmCollectionValue>(to set: MutableSet<V>, _ finder: Finder) {
    func made(_ worths: [Worth]) -> [V] { worths.map { V.made(of: $0, finder) } }
    func free(_ worths: [Worth]) -> MutableSet<V> {
      let set = MutableSet<V>()
      set.insert(objectsIn: made(worths))
      return set
    }
    let way = V.self is ObjectBase.Type ? finder.lot % 2 : finder.lot % 3
    switch (self, way) {
    case (.add(let worth), 0): set.insert(made([worth])[0])
    case (.add(let worth), 1): set.insert(objectsIn: made([worth]))
    case (.add(let worth), _): set.formUnion(free([worth]))
    case (.takeOut(let worth), 2): set.subtract(free([worth]))
    case (.takeOut(let worth), _): set.remove(made([worth])[0])
    case (.addAll(let worths), 0): set.insert(objectsIn: made(worths))
    case (.addAll(let worths), 1): for one in made(worths) { set.insert(one) }
    case (.addAll(let worths), _): set.formUnion(free(worths))
    case (.removeAll, 1): for one in Array(set) { set.remove(one) }
    case (.removeAll, 2): set.formIntersection(MutableSet())
    case (.removeAll, _): set.removeAll()
    default: break
    }
  }

  func apply<V: Worthy & RealmCollectionValue>(to map: Map<String, V>, _ finder: Finder) {
    switch (self, finder.lot % 3) {
    case (.put(let key, let worth), 0): map[key] = V.made(of: worth, finder)
    case (.put(let key, let worth), 1): map.updateValue(V.made(of: worth, finder), forKey: key)
    case (.put(let key, let worth), _):
      map.merge([(key: key, value: V.made(of: worth, finder))]) { $1 }
    case (.drop(let key), 0): map.removeObject(for: key)
    case (.drop(let key), _): map[key] = nil
    case (.removeAll, 1): for key in map.keys { map[key] = nil }
    case (.removeAll, _): map.removeAll()
    default: break
    }
  }
}
