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

  func apply<V: Worthy & RealmCollectionValue>(to list: List<V>, _ finder: Finder) {
    func made(_ worth: Worth) -> V { V.made(of: worth, finder) }
    switch self {
    case .append(let worth): list.append(made(worth))
    case .appendAll(let worths): list.append(objectsIn: worths.map(made))
    case .insert(let worth, let place): list.insert(made(worth), at: place)
    case .remove(let place): list.remove(at: place) as Void
    case .removeFirst(let number): list.removeFirst(number)
    case .removeLast(let number): list.removeLast(number)
    case .removeAll: list.removeAll()
    case .removeEvery(let worth): list.removeAll { $0.worth == worth }
    case .move(let from, let to): list.move(from: from, to: to)
    case .swap(let one, let two): list.swapAt(one, two)
    case .replace(let place, let worth): list[place] = made(worth)
    case .replaceRange(let range, let worths): list.replaceSubrange(range, with: worths.map(made))
    case .assign(let worths): list.assign(worths.map(made))
    default: break
    }
  }

  func apply<V: Worthy & RealmCollectionValue>(to set: MutableSet<V>, _ finder: Finder) {
    switch self {
    case .add(let worth): set.insert(V.made(of: worth, finder))
    case .takeOut(let worth): set.remove(V.made(of: worth, finder))
    case .addAll(let worths): set.insert(objectsIn: worths.map { V.made(of: $0, finder) })
    case .removeAll: set.removeAll()
    default: break
    }
  }

  func apply<V: Worthy & RealmCollectionValue>(to map: Map<String, V>, _ finder: Finder) {
    switch self {
    case .put(let key, let worth): map[key] = V.made(of: worth, finder)
    case .drop(let key): map.removeObject(for: key)
    case .removeAll: map.removeAll()
    default: break
    }
  }
}
