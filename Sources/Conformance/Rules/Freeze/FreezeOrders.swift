import EngineUnderTest
import Foundation
import Harness

/// An object with several lives: its key is given again, and again, and realms stay at each version
/// of that. What any of them freezes, in whatever order, thaws to the same life or to nothing.
enum Lifetimes {
  /// What each commit does, and which life there is after it.
  private static let steps: [(life: Int?, deletes: Bool, adds: Bool)] = [
    (0, false, true), (0, false, false), (nil, true, false), (1, false, true), (2, true, true),
    (2, false, false), (nil, true, false), (3, false, true), (3, false, false),
  ]

  /// In which order the versions are frozen.
  private static let orders: [[Int]] = [
    Array(0..<9), (0..<9).reversed(), [4, 0, 8, 2, 6, 1, 7, 3, 5], [8, 0], [0, 8], [5, 1, 8],
    [7, 4, 3, 1, 0],
  ]

  static let probes: [Probe] = [
    probe(IntKeyed.self, 5, 6), probe(IntOrNoneKeyed.self, -1, nil),
    probe(StringKeyed.self, "one", "two"),
    probe(ObjectIdKeyed.self, Keyed.ids[0], Keyed.ids[1]),
  ]

  private static func probe<Class: KeyedClass>(
    _ type: Class.Type, _ key: Class.Key, _ neighbour: Class.Key
  ) -> Probe where Class.Key: Sendable {
    Probe("of an object with several lives each snapshot has its own: \(type), in any order") {
      stage in
      Backstage.hooks?.skipFlushes()
      // A file for each order: what one order has left must not help the next.
      for (file, order) in orders.enumerated() {
        var configuration = Keyed.configuration(stage)
        configuration.fileURL = stage.directory.appendingPathComponent("lives \(file).realm")
        try look(stage, type, key, neighbour, configuration, order)
      }
    }
  }

  private static func look<Class: KeyedClass>(
    _ stage: Stage, _ type: Class.Type, _ key: Class.Key, _ neighbour: Class.Key,
    _ configuration: Realm.Configuration, _ order: [Int]
  ) throws where Class.Key: Sendable {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let queues = steps.indices.map { DispatchQueue(label: "at version \($0)") }
    var stay: [Realm?] = []
    try realm.write { realm.add(Keyed.made(type, neighbour, "neighbour")) }
    for (number, step) in steps.enumerated() {
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write {
          let old = other.object(ofType: type, forPrimaryKey: key)
          if step.deletes, let old { other.delete(old) }
          if step.adds { other.add(Keyed.made(type, key, "life \(step.life!)")) }
          other.object(ofType: type, forPrimaryKey: neighbour)!.note = "neighbour \(number)"
        }
      }
      try queues[number].sync {
        let realm = try Realm(configuration: configuration, queue: queues[number])
        realm.autorefresh = false
        use(realm.isEmpty)
        stay.append(realm)
      }
    }
    func freeze(_ number: Int) -> (realm: Realm, object: Class?, other: Class) {
      queues[number].sync {
        let realm = stay[number]!
        return (
          realm.freeze(), realm.object(ofType: type, forPrimaryKey: key)?.freeze(),
          realm.object(ofType: type, forPrimaryKey: neighbour)!.freeze()
        )
      }
    }
    for isNewest in [true, false] {
      if isNewest { realm.refresh() }
      var held = order.map { freeze($0) }
      func look(_ places: [Int], _ when: String) {
        for place in places {
          let number = order[place]
          let (frozen, object, other) = held[place]
          let what = "version \(number), frozen in the order \(order), \(when)"
          stage.equal(object?.note, steps[number].life.map { "life \($0)" }, "what \(what) has")
          stage.equal(
            object.map { $0.thaw() != nil } ?? false, steps[number].life == 3,
            "whether it thaws, \(what)")
          stage.equal(
            frozen.object(ofType: type, forPrimaryKey: key).map { $0.thaw() != nil } ?? false,
            steps[number].life == 3, "whether one found in its realm thaws, \(what)")
          stage.equal(other.note, "neighbour \(number)", "the neighbour of \(what)")
          stage.equal(
            other.thaw()?.note, isNewest ? "neighbour 8" : "after",
            "the thawed neighbour of \(what)")
        }
      }
      look(Array(order.indices), "at once")
      // The first ones go, and one of them comes again.
      let first = order[0]
      held[0] = freeze(order[order.count - 1])
      look(Array(order.indices.dropFirst()), "when another has gone")
      held[0] = freeze(first)
      look(Array(order.indices), "when it has come again")
      if isNewest {
        try realm.write { realm.object(ofType: type, forPrimaryKey: neighbour)!.note = "after" }
      }
    }
    for (number, queue) in queues.enumerated() { queue.sync { stay[number] = nil } }
  }
}
