import EngineUnderTest
import Foundation
import Harness

/// What is said of the end of objects, lists and results is said of each kind of thing.
enum LifeKinds {
  private static func all(_ realm: Realm) -> [(name: String, held: RefKinds.Held)] {
    RefKinds.all.flatMap { kind in
      (1...2).map { ("\(kind.name) of \($0)", kind.hold(realm, $0)) }
    }
  }

  /// When a realm is invalidated.
  private enum Moment: String, CaseIterable {
    case once, twice
    case afterWrite = "after a write"
    case inWrite = "in a write"
    case afterCancel = "after a cancelled write"
    case offNews = "behind others' commits"
    case frozen = "beside frozen ones"
  }

  /// All is taken, of each kind; what is fetched next is whole.
  static let invalidated = Probe("invalidate() takes things of each kind, again and again") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    let configuration = realm.configuration
    for (number, moment) in Moment.allCases.enumerated() {
      for autorefresh in [false, true] {
        realm.autorefresh = autorefresh
        let mark = 2 * number + (autorefresh ? 1 : 2)
        let kept = all(realm)
        let frozen = moment == .frozen ? kept.map { $0.held.freeze() } : []
        let digests = kept.map { $0.held.digest() }
        for (name, held) in kept {
          stage.equal(held.isInvalidated(), false, "whether \(name) was invalidated before")
        }
        let (version, snapshot) = (realm.vessel(1)!.number, realm.freeze())
        switch moment {
        case .afterWrite: try realm.write { RefKinds.change(realm, mark) }
        case .inWrite:
          realm.beginWrite()
          RefKinds.change(realm, mark)
        case .afterCancel:
          realm.beginWrite()
          realm.deleteAll()
          realm.cancelWrite()
        case .offNews:
          for round in 0..<3 {
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { RefKinds.change(other, mark + round) }
            }
          }
        default: break
        }
        for _ in 0..<(moment == .twice ? 3 : 1) { realm.invalidate() }
        let what = "\(moment.rawValue), autorefresh \(autorefresh)"
        for (name, held) in kept {
          stage.equal(held.isInvalidated(), true, "whether \(name) is invalidated, \(what)")
        }
        stage.equal(realm.isInWriteTransaction, false, "whether the realm writes, \(what)")
        stage.equal(realm.autorefresh, autorefresh, "autorefresh after it, \(what)")
        for (one, digest) in zip(frozen, digests) {
          stage.equal(one.digest(), digest, "what is frozen, \(what)")
          stage.equal(one.isInvalidated(), false, "whether what is frozen is invalidated, \(what)")
        }
        stage.equal(snapshot.vessel(1)?.number, version, "the snapshot's number, \(what)")
        // What is read next is the newest, and of the same realm.
        let expected = try stage.elsewhere {
          all(try Realm(configuration: configuration)).map { $0.held.digest() }
        }
        let next = all(realm)
        for (one, digest) in zip(next, expected) {
          stage.equal(one.held.digest(), digest, "what is read next of \(one.name), \(what)")
          stage.equal(one.held.isInvalidated(), false, "whether \(one.name) is, then, \(what)")
          stage.expect(one.held.realm() == realm, "the realm of \(one.name), then, \(what)")
        }
        // What was taken stays so, whatever the realm goes on to.
        try realm.write { realm.vessel(1)!.number = mark }
        realm.refresh()
        for (name, held) in kept {
          stage.equal(held.isInvalidated(), true, "whether \(name) stays invalidated, \(what)")
        }
      }
    }
  }

  /// Twice, and before any read, at each home and in each state.
  static let twice: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe("invalidate() twice, before any read, and behind everything, on \(kind.rawValue)") {
      stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try stage.stocked() }
      let home = RealmHome(kind)
      var realm: Realm! = try home.open(stage)
      try home.work {
        let courses: [(String, () throws -> Void)] = [
          ("nothing", {}), ("a read", { use(realm.account(1).balance) }),
          ("a write", { try realm.write { realm.account(2).balance += 1 } }),
          ("an empty write", { try realm.write {} }),
          (
            "a cancelled write",
            {
              realm.beginWrite()
              realm.cancelWrite()
            }
          ),
          ("a write that goes on", { realm.beginWrite() }),
          (
            "a write that goes on and has changed something",
            {
              realm.beginWrite()
              realm.deleteAll()
            }
          ),
          ("a refresh", { realm.refresh() }), ("a freeze", { use(realm.freeze()) }),
          ("another's commit", { try stage.foreign { $0.account(3).balance += 1 } }),
          ("a listener", { realm.observe { _, _ in }.invalidate() }),
        ]
        for count in 1...3 {
          for (name, course) in courses {
            try course()
            for _ in 0..<count { realm.invalidate() }
            let what = "\(count) times after \(name)"
            stage.equal(realm.isInWriteTransaction, false, "whether it writes, \(what)")
            stage.equal(realm.isFrozen, false, "whether it is frozen, \(what)")
            stage.equal(realm.account(1).balance, 100, "the balance, \(what)")
            for _ in 0..<count { realm.invalidate() }
            stage.equal(realm.objects(Account.self).count, 3, "the accounts, \(what)")
            try realm.write { realm.account(2).balance += 1 }
          }
        }
        // A frozen one, too, is closed once and for all.
        let frozen = realm.freeze()
        for _ in 0..<3 { frozen.invalidate() }
        stage.equal(realm.account(1).balance, 100, "the balance beside a closed frozen realm")
        stage.equal(realm.freeze().account(1).balance, 100, "the balance, frozen again")
        realm = nil
      }
    }
  }

  /// `isInvalidated` through deletions of each kind, of what holds and of what is held.
  static let deleted = Probe("isInvalidated of each kind, when its object is deleted and revived") {
    stage in
    Backstage.hooks?.skipFlushes()
    // What is of the vessel goes with it; what is a question of all stays.
    let stays = [
      "all objects", "a query", "a sorted query", "an erased query", "projections of all",
      "distinct objects",
    ]
    let keyless = "an object without a key"
    for way in ["cancelled", "committed", "elsewhere", "all at once"] {
      let realm = try RefKinds.stocked(stage, way)
      realm.autorefresh = false
      let configuration = realm.configuration
      let kept = RefKinds.all.map { ($0.name, $0.hold(realm, 1), $0.hold(realm, 2)) }
      func look(_ isGone: Bool, _ moment: String) {
        for (name, one, other) in kept where !stays.contains(name) && name != keyless {
          // Results of what is gone are empty, or gone.
          let isQuestion = ["query", "sorted", "backwards"].contains { name.contains($0) }
          if !isQuestion || !isGone {
            stage.equal(one.isInvalidated(), isGone, "whether \(name) is gone, \(way), \(moment)")
          }
          if !isQuestion || way != "all at once" {
            stage.equal(
              other.isInvalidated(), isGone && way == "all at once",
              "whether another's \(name) is gone, \(way), \(moment)")
          }
        }
        for (name, one, _) in kept where stays.contains(name) {
          stage.equal(one.isInvalidated(), false, "whether \(name) is gone, \(way), \(moment)")
        }
        for (name, one, _) in kept where name == keyless && way != "all at once" {
          stage.equal(one.isInvalidated(), false, "whether \(name) is gone, \(way), \(moment)")
        }
      }
      look(false, "at first")
      switch way {
      case "cancelled":
        realm.beginWrite()
        realm.delete(realm.vessel(1)!)
        look(true, "in the write")
        realm.cancelWrite()
        look(false, "after the cancel")
      case "committed":
        try realm.write {
          realm.delete(realm.vessel(1)!)
          look(true, "in the write")
        }
        look(true, "after the write")
        // Whoever comes under its key is another.
        try realm.write { realm.add(Vessel(id: 1)) }
        look(true, "when another has its key")
      case "elsewhere":
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { other.delete(other.vessel(1)!) }
        }
        look(false, "before the refresh")
        realm.refresh()
        look(true, "after the refresh")
      default:
        try realm.write { realm.deleteAll() }
        look(true, "after the write")
      }
    }
    let free = Vessel(id: 1)
    free.part = Part(text: "part")
    stage.equal(
      [
        free.isInvalidated, free.part!.isInvalidated, free.texts.isInvalidated,
        free.labels.isInvalidated, free.titles.isInvalidated, free.links.isInvalidated,
      ],
      [Bool](repeating: false, count: 6), "whether unmanaged things are invalidated")
  }

  /// Queues and threads that hold nothing any more keep nothing.
  static let droppedAtOnce = Probe("what a block of a queue has dropped is gone at once") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    realm.autorefresh = false
    let configuration = realm.configuration
    let queues = [
      DispatchQueue(label: "plain"),
      DispatchQueue(label: "pooled", autoreleaseFrequency: .workItem),
      DispatchQueue(label: "never pooled", autoreleaseFrequency: .never),
    ]
    for (number, kind) in RefKinds.all.enumerated() {
      for queue in queues {
        try queue.sync {
          let own = try Realm(configuration: configuration, queue: queue)
          own.autorefresh = false
          use(kind.hold(own, 1).digest())
        }
        // The next block has a realm of its own, on the newest version.
        try realm.write { RefKinds.change(realm, number + 1) }
        try queue.sync {
          let own = try Realm(configuration: configuration, queue: queue)
          stage.equal(own.autorefresh, true, "autorefresh, \(kind.name), \(queue.label)")
          stage.equal(
            own.vessel(1)?.number, number + 1, "the number, \(kind.name), \(queue.label)")
        }
      }
    }
    stage.expect(RefKinds.all.count > 20, "each kind was held")
  }
}
