import EngineUnderTest
import Foundation
import Harness

extension Stage {
  /// Lets the main thread's loop run until what was on its way to a realm of vessels has arrived.
  func settleVessels(_ realm: Realm) throws {
    for _ in 0..<2 {
      var arrived = false
      let fence = realm.objects(Vessel.self).where { $0.id == -1 }.observe { _ in arrived = true }
      try spin(until: { arrived }, "the fence")
      fence.invalidate()
    }
  }
}

extension Probe {
  /// Every way in which a write comes to nothing.
  private static let nothings:
    [(name: String, run: @Sendable (Stage, Realm, @escaping () -> Void) throws -> Void)] = [
      (
        "cancelWrite",
        { _, realm, change in
          realm.beginWrite()
          change()
          realm.cancelWrite()
        }
      ),
      (
        "an error",
        { _, realm, change in
          struct Unwanted: Error {}
          try? realm.write {
            change()
            throw Unwanted()
          }
        }
      ),
      (
        "cancelWrite in the block of write",
        { _, realm, change in
          try realm.write {
            change()
            realm.cancelWrite()
          }
        }
      ),
      (
        "cancelWrite in beginAsyncWrite",
        { stage, realm, change in
          var isDone = false
          realm.beginAsyncWrite {
            change()
            realm.cancelWrite()
            isDone = true
          }
          try stage.spin(until: { isDone }, "the block")
        }
      ),
      (
        "cancelWrite in writeAsync",
        { stage, realm, change in
          var isDone = false
          realm.writeAsync {
            change()
            realm.cancelWrite()
            isDone = true
          }
          try stage.spin(until: { isDone }, "the block")
        }
      ),
      (
        "a block that leaves its write open",
        { stage, realm, change in
          var isDone = false
          realm.beginAsyncWrite {
            change()
            isDone = true
          }
          try stage.spin(until: { isDone && !realm.isInWriteTransaction }, "the end of the write")
        }
      ),
      (
        "cancelAsyncWrite",
        { stage, realm, change in
          var isDone = false
          // Behind one that does nothing, so that it cannot have begun.
          realm.beginWrite()
          let id = realm.writeAsync { change() }
          try realm.cancelAsyncWrite(id)
          realm.cancelWrite()
          realm.beginAsyncWrite {
            realm.cancelWrite()
            isDone = true
          }
          try stage.spin(until: { isDone }, "another block")
        }
      ),
      (
        "another thread that cancels",
        { stage, realm, _ in
          let configuration = realm.configuration
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            other.beginWrite()
            other.deleteAll()
            other.cancelWrite()
          }
        }
      ),
      (
        "another thread that ends in its write",
        { stage, realm, _ in
          let configuration = realm.configuration
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            other.beginWrite()
            other.deleteAll()
          }
        }
      ),
      (
        "another process that dies in its write",
        { stage, _, _ in
          let writer = try stage.companion("writer")
          _ = try stage.hear(writer, "that it is inside")
          writer.signal(SIGKILL)
          use(writer.remains())
        }
      ),
    ]

  /// Whatever is listened to, whichever way a write comes to nothing, however much it had done:
  /// nobody is told, and what comes then is told as what it is.
  static let nothingIsTold = Probe(
    "nobody is told of a write that came to nothing, in whichever way",
    companions: [
      "writer": { stage in
        let realm = try Vessel.stocked(stage)
        realm.beginWrite()
        realm.deleteAll()
        stage.tell("inside")
        _ = stage.hear()
      }
    ]
  ) { stage in
    let realm = try Vessel.stocked(stage)
    let told = CallCounts()
    var tokens = VesselEar.all.map { ear in ear.listen(realm) { told.count(ear.name) } }
    let mirror = CallCounts()
    var sets: [String] = []
    tokens.append(
      realm.objects(Vessel.self).observe {
        if case .update(_, let gone, let come, let set) = $0 {
          sets.append("\(gone) \(come) \(set)")
        }
        mirror.count("results")
      })
    try stage.settleVessels(realm)
    for (number, nothing) in nothings.enumerated() {
      for sweeps in [false, true] {
        let before = told.all
        try nothing.run(stage, realm) {
          if sweeps {
            realm.deleteAll()
            Vessel.stock(realm)
            for id in 100..<400 { realm.add(Vessel(id: id)) }
          } else {
            let one = realm.vessel(1)!
            one.number += 1
            one.numbers.append(7)
            one.titles["seven"] = "7"
            one.group.removeAll()
            realm.vessel(2).number = 9
          }
        }
        try stage.settleVessels(realm)
        stage.equal(told.all, before, "who was told of \(nothing.name)")
        // What comes then.
        sets = []
        try realm.write {
          let one = realm.vessel(1)!
          one.number = number + 2
          one.numbers.append(number)
          one.titles["\(number) \(sweeps)"] = "title"
          one.group.removeAll()
          one.group.insert(realm.vessel(2))
          realm.vessel(2).number = number + 3
        }
        try stage.settleVessels(realm)
        for ear in VesselEar.all {
          stage.equal(
            told.of(ear.name), (before[ear.name] ?? 0) + 1,
            "how often \(ear.name) was told of the commit behind \(nothing.name)")
        }
        stage.equal(sets, ["[] [] [0, 1]"], "the changes that were told behind \(nothing.name)")
      }
    }
    for token in tokens { token.invalidate() }
  }

  /// An observed collection whose owner goes.
  private struct Orphan: Sendable {
    let name: String
    let fill: @Sendable (Realm, Vessel, Int) -> Void
    let listen: @Sendable (Vessel, @escaping ([Int]?) -> Void) -> NotificationToken

    init<C: RealmCollection & SendableMetatype>(
      _ name: String, _ path: @escaping @Sendable (Vessel) -> C,
      _ fill: @escaping @Sendable (Realm, Vessel, Int) -> Void
    ) {
      (self.name, self.fill) = (name, fill)
      listen = { vessel, tell in
        path(vessel).observe { (change: RealmCollectionChange<C>) in
          switch change {
          case .initial: tell(nil)
          case .update(_, let gone, let come, let set):
            tell(come.isEmpty && set.isEmpty ? gone : [-1])
          case .error: tell([-2])
          }
        }
      }
    }
  }

  private static let orphans: [Orphan] = [
    Orphan(
      "a list of objects", { $0.links },
      { realm, one, count in
        for _ in 0..<count { one.links.append(realm.vessel(2)) }
      }),
    Orphan(
      "a list of numbers", { $0.numbers },
      { _, one, count in
        one.numbers.append(objectsIn: 0..<count)
      }),
    Orphan(
      "a list of texts", { $0.texts },
      { _, one, count in
        one.texts.append(objectsIn: (0..<count).map { "text \($0)" })
      }),
    Orphan(
      "a list of mixed values", { $0.mixture },
      { _, one, count in
        one.mixture.append(objectsIn: (0..<count).map { .int($0) })
      }),
    Orphan(
      "a list of embedded objects", { $0.parts },
      { _, one, count in
        for number in 0..<count { one.parts.append(Part(text: "\(number)")) }
      }),
    Orphan(
      "a set of texts", { $0.labels },
      { _, one, count in
        one.labels.insert(objectsIn: (0..<count).map { "label \($0)" })
      }),
    Orphan(
      "a set of objects", { $0.group },
      { realm, one, count in
        for id in 0..<count {
          realm.create(Vessel.self, value: ["id": 1_000 + id] as [String: Any], update: .all)
          one.group.insert(realm.vessel(1_000 + id))
        }
      }),
  ]

  /// Whoever owns an observed collection goes, in each way, and leaves as many as there are: one
  /// last call says that all are gone.
  static let orphansAreTold: [Probe] = orphans.map { orphan in
    Probe("\(orphan.name) whose owner goes is told once more, of all of it") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: Vessel.configuration(stage))
      let configuration = realm.configuration
      try realm.write { realm.add(Vessel(id: 2)) }
      for way in ["here", "elsewhere", "here, with all others", "elsewhere, with all others"] {
        for count in [0, 1, 5, 300] {
          try realm.write {
            let one = Vessel(id: 1)
            realm.add(one, update: .all)
            orphan.fill(realm, realm.vessel(1), count)
          }
          var calls: [[Int]?] = []
          let token = orphan.listen(realm.vessel(1)) { calls.append($0) }
          try stage.spin(until: { calls.count == 1 }, "the first call")
          let go = { (other: Realm) in
            if way.hasSuffix("others") {
              other.deleteAll()
              other.add(Vessel(id: 2))
            } else {
              other.delete(other.vessel(1)!)
            }
          }
          if way.hasPrefix("here") {
            try realm.write { go(realm) }
          } else {
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { go(other) }
            }
          }
          try stage.spin(until: { calls.count > 1 }, "the last call")
          try realm.write { realm.vessel(2).number += 1 }
          try stage.settleVessels(realm)
          stage.equal(
            calls, [nil, Array(0..<count)],
            "the calls where the owner of \(count) is deleted \(way)")
          token.invalidate()
        }
      }
    }
  }
}
