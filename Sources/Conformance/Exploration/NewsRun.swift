import EngineUnderTest
import Foundation
import Harness

/// Does a program's acts, and keeps a copy of each collection that only what is told changes.
final class NewsRun: @unchecked Sendable {
  // Sendable because everything but the queues is touched on `home` alone, while others wait.
  private let configuration: Realm.Configuration
  private let home = DispatchQueue(label: "home")
  private let there = DispatchQueue(label: "there")
  private let patience: Duration
  private var realm: Realm?
  private var other: Realm?
  private var listeners: [NewsListener] = []
  /// What the other realm has written last, in row 0.
  private var stamp = 0
  private(set) var steps = 0
  /// Whether what was told to a listener did not lead to what it found.
  private(set) var isTorn = false

  init(_ file: URL, patience: Duration) throws {
    configuration = Realm.Configuration(fileURL: file, objectTypes: [Leaf.self])
    self.patience = patience
    try there.sync {
      let other = try Realm(configuration: configuration, queue: there)
      try other.write { other.create(Leaf.self, value: ["id": 0]) }
      self.other = other
    }
    try home.sync {
      let realm = try Realm(configuration: configuration, queue: home)
      listeners = NewsListener.all
      for listener in listeners { listener.begin(in: realm) }
      self.realm = realm
    }
  }

  /// Nil if all is well.
  func run(_ program: NewsProgram) -> String? {
    for (number, act) in (program.acts + [.init(verb: .attend, place: 0, value: 0)]).enumerated() {
      do {
        if let complaint = try take(act) {
          return "act \(number + 1) (\(act.verb) \(act.text)): \(complaint)"
        }
      } catch {
        return "act \(number + 1) (\(act.verb) \(act.text)) threw: \(error)"
      }
    }
    return nil
  }

  /// Lets go of everything but the file.
  func leave() {
    home.sync {
      for listener in listeners { listener.end() }
      (listeners, realm) = ([], nil)
    }
    there.sync { other = nil }
  }

  private func take(_ act: NewsProgram.Act) throws -> String? {
    switch act.verb {
    case .put, .delete, .setNumber, .replace, .link, .list:
      stamp += 1
      try there.sync {
        guard let other else { return }
        try other.write {
          other.object(ofType: Leaf.self, forPrimaryKey: 0)?.number = stamp
          NewsRun.apply(act, stamp, in: other)
        }
      }
    case .ownWrite:
      try home.sync {
        guard let realm else { return }
        // Of row 0 the other realm has the say.
        try realm.write {
          realm.create(
            Leaf.self, value: ["id": 1 + act.place, "number": -act.value], update: .modified)
        }
      }
    case .cancelledWrite:
      home.sync {
        realm?.beginWrite()
        realm.map { NewsRun.apply(act, -1, in: $0) }
        realm?.cancelWrite()
      }
    case .refresh:
      return home.sync {
        realm?.refresh()
        return realm.flatMap(wrong)
      }
    case .again:
      home.sync {
        let listener = listeners[act.place % listeners.count]
        listener.end()
        realm.map(listener.begin)
      }
    case .attend: return attend()
    }
    return home.sync { listeners.lazy.compactMap(\.wrong).first }
  }

  /// What is done to the rows; their numbers are others than before.
  private static func apply(_ act: NewsProgram.Act, _ stamp: Int, in realm: Realm) {
    func leaf(_ key: Int) -> Leaf? { realm.object(ofType: Leaf.self, forPrimaryKey: key) }
    switch act.verb {
    case .put:
      for key in act.keys {
        realm.create(Leaf.self, value: ["id": key, "number": stamp + key % 7], update: .modified)
      }
    case .delete:
      let (first, end) = (act.keys.lowerBound, act.keys.upperBound)
      realm.delete(realm.objects(Leaf.self).where { $0.id >= first && $0.id < end })
    case .setNumber, .cancelledWrite:
      for key in act.keys where key % 3 != act.place % 3 { leaf(key)?.number = stamp - key % 5 }
    case .replace:
      for key in act.keys {
        guard let old = leaf(key) else { continue }
        realm.delete(old)
        realm.create(Leaf.self, value: ["id": key, "number": stamp + key % 4])
      }
    case .link:
      let target = leaf(1 + act.value)
      for key in act.keys where key % 2 == 0 { leaf(key)?.next = target }
    case .list:
      guard let numbers = leaf(0)?.numbers else { return }
      if act.place % 4 == 0 { numbers.removeAll() }
      let most = max(0, 4_000 - numbers.count)
      numbers.append(objectsIn: act.keys.prefix(most).map { $0 &* stamp })
      if act.place % 3 == 0, numbers.count > 2 { numbers.move(from: 0, to: numbers.count - 1) }
    default: break
    }
  }

  /// Waits until the home has come to what was written last, and compares.
  private func attend() -> String? {
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
      let (isThere, complaint) = home.sync {
        guard let realm else { return (true, String?.none) }
        let number = realm.object(ofType: Leaf.self, forPrimaryKey: 0)?.number
        let hasBegun = listeners.allSatisfy(\.hasBegun)
        return number == stamp && hasBegun ? (true, wrong(in: realm)) : (false, nil)
      }
      if isThere { return complaint }
      // The home steps when it likes and tells nobody outside: it is asked again, and left a
      // processor meanwhile.
      usleep(300)
    }
    return "the home does not come to what was committed last"
  }

  private func wrong(in realm: Realm) -> String? {
    steps += 1
    let found = listeners.lazy.compactMap { $0.difference(in: realm) }.first
    isTorn = found != nil
    return found
  }
}
