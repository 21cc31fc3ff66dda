import EngineUnderTest
import Foundation
import Harness

/// Asynchronous commits on a disk that fails at any moment: some are on their way then, of others
/// nothing will ever get there. Each completion hears of its own commit, in its turn.
enum OnFailingDisks {
  /// How four commits come one after the other.
  private enum Way: String, CaseIterable {
    case blocks = "of blocks that are queued"
    case oneTurn = "of writes that begin by waiting"
    case mixed = "of blocks that commit twice"
  }

  /// What else is done in a write or behind its commit: whatever leads elsewhere needs what was
  /// committed before to be in the file.
  private enum Deed: String, CaseIterable {
    case nothing = "nothing else"
    case object = "a reference to an object"
    case list = "a reference to a list"
    case results = "a reference to results"
    case newObject = "a reference to a new object"
    case variable = "a variable"
    case look = "somebody else's look"
    case freeze = "a freeze behind the commit"

    func before(_ realm: Realm, _ stage: Stage, _ keep: (Any) -> Void) {
      switch self {
      case .object: keep(ThreadSafeReference(to: realm.account(1)))
      case .list: keep(ThreadSafeReference(to: realm.person("Ann").dogs))
      case .results: keep(ThreadSafeReference(to: realm.objects(Account.self)))
      case .variable: keep(ThreadSafe(wrappedValue: realm.account(2)))
      case .look: use(try? stage.seen { $0.account(1).balance })
      default: break
      }
    }

    func within(_ realm: Realm, _ id: Int, _ keep: (Any) -> Void) {
      if self == .newObject { keep(ThreadSafeReference(to: realm.account(id))) }
    }

    func behind(_ realm: Realm, _ keep: (Any) -> Void) {
      if self == .freeze { keep(realm.freeze()) }
    }
  }

  private static let count = 4
  private static let groupings: [(name: String, allows: @Sendable (Int) -> Bool)] = [
    ("grouped", { _ in true }), ("one by one", { _ in false }), ("in turns", { $0 % 2 == 0 }),
  ]
  private static let faults: [(kind: DiskFault, passing: Int)] = [
    (.writes, 0), (.writes, 1), (.flushes, 0),
  ]

  static let inOrder: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    Way.allCases.map { way in
      Probe(
        "whichever of four commits the disk fails at, all are told in their order: "
          + "\(way.rawValue), on \(kind.rawValue)"
      ) { stage in
        let hooks = try stage.hooks()
        hooks.record()
        try stage.elsewhere { _ = try stage.stocked() }
        let home = RealmHome(kind)
        let realm = try home.open(stage)
        var first = 10
        for deed in Deed.allCases {
          for (name, allows) in groupings {
            for place in 0..<count {
              for (number, fault) in faults.enumerated()
              where number == 0 || stage.isDue(place + number, of: 2) {
                let what = "\(name), \(deed.rawValue) at \(place), where \(fault) is to fail"
                try run(
                  stage, home, realm, way, first, allows,
                  before: { write, keep in
                    guard write == place else { return }
                    hooks.fail(fault.kind, after: fault.passing, times: 1)
                    deed.before(realm, stage, keep)
                  },
                  within: { write, keep in
                    if write == place { deed.within(realm, first + write, keep) }
                  },
                  behind: { write, keep in if write == place { deed.behind(realm, keep) } },
                  atLast: { hooks.fail(fault.kind, after: 0, times: 0) }, what)
                first += count
              }
            }
          }
        }
      }
    }
  }

  private static func run(
    _ stage: Stage, _ home: RealmHome, _ realm: Realm, _ way: Way, _ first: Int,
    _ allows: @escaping (Int) -> Bool,
    before: @escaping (Int, (Any) -> Void) -> Void,
    within: @escaping (Int, (Any) -> Void) -> Void,
    behind: @escaping (Int, (Any) -> Void) -> Void, atLast: () -> Void, _ what: String
  ) throws {
    var kept: [Any] = []
    var (order, failed): ([Int], [Int]) = ([], [])
    func write(_ number: Int) {
      before(number) { kept.append($0) }
      realm.add(Account(id: first + number, balance: number))
      realm.account(1).balance = first + number
      within(number) { kept.append($0) }
      realm.commitAsyncWrite(allowGrouping: allows(number)) { error in
        order.append(number)
        if error != nil { failed.append(number) }
      }
      behind(number) { kept.append($0) }
    }
    home.work {
      switch way {
      case .blocks: for number in 0..<count { realm.beginAsyncWrite { write(number) } }
      case .oneTurn:
        for number in 0..<count {
          realm.beginWrite()
          write(number)
        }
      case .mixed:
        for number in stride(from: 0, to: count, by: 2) {
          realm.beginAsyncWrite {
            write(number)
            realm.beginWrite()
            write(number + 1)
          }
        }
      }
    }
    try stage.spin(until: { home.work { order.count >= count } }, "all completions: \(what)")
    atLast()
    // Behind this one nobody is told once more.
    var isOver: Bool?
    home.work { _ = realm.writeAsync({}, onComplete: { isOver = $0 == nil }) }
    try stage.spin(until: { home.work { isOver != nil } }, "one more write: \(what)")
    stage.equal(home.work { isOver }, true, "whether one more write is well: \(what)")
    stage.equal(home.work { order }, Array(0..<count), "the order of the completions: \(what)")
    let there = try stage.seen { other in
      (0..<count).filter { other.object(ofType: Account.self, forPrimaryKey: first + $0) == nil }
    }
    stage.equal(home.work { failed.sorted() }, there, "who is told of an error: \(what)")
    home.work { kept = [] }
  }

  /// Writes that begin while another thread's commit, which fails, is on its way: they may have
  /// begun on top of it.
  static let behindOthers: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    [false, true].map { isGrouped in
      Probe(
        "who commits behind another thread's commit that fails hears whether it was kept: "
          + "\(isGrouped ? "grouped" : "one by one"), on \(kind.rawValue)"
      ) { stage in
        let hooks = try stage.hooks()
        hooks.record()
        for (fault, passing) in [
          (DiskFault.flushes, 0), (.writes, 1), (.flushes, 1), (.writes, 2), (.writes, 3),
        ] {
          for count in 1...3 {
            for round in 0..<2 {
              let file = "\(fault) \(passing) \(count) \(round)"
              try behindAnother(
                stage, RealmHome(kind), file, count, isGrouped,
                failing: { hooks.fail(fault, after: passing, times: 1) },
                atLast: { hooks.fail(fault, after: 0, times: 0) })
            }
          }
        }
      }
    }
  }

  private static func behindAnother(
    _ stage: Stage, _ home: RealmHome, _ file: String, _ count: Int, _ isGrouped: Bool,
    failing: @escaping () -> Void, atLast: () -> Void
  ) throws {
    try stage.elsewhere { _ = try stage.stocked(file) }
    let (inside, comes) = (Latch("the other's write, \(file)"), Latch("the begin, \(file)"))
    var isOthersKept: Bool?
    let other = stage.thread("another writer of \(file)") {
      let realm = try stage.open(file)
      realm.beginWrite()
      realm.account(2).balance = 7
      inside.open()
      try stage.wait(for: comes)
      // Gives who comes the time to stand behind it; whether it does decides nothing here.
      stage.giveWay(2_000)
      failing()
      do {
        try realm.commitWrite()
        isOthersKept = true
      } catch { isOthersKept = false }
    }
    var realm: Realm! = try home.open(stage, file)
    try stage.wait(for: inside)
    var (order, kept): ([Int], [Int]) = ([], [])
    home.work {
      for number in 0..<count {
        if number == 0 { comes.open() }
        realm.beginWrite()
        realm.add(Account(id: 10 + number))
        realm.commitAsyncWrite(allowGrouping: isGrouped) { error in
          order.append(number)
          if error == nil { kept.append(number) }
        }
      }
    }
    try stage.spin(until: { home.work { order.count >= count } }, "the completions, \(file)")
    try stage.join(other)
    atLast()
    let seen = try stage.seen(file) { other in
      (
        other.account(2).balance == 7,
        (0..<count).filter { other.object(ofType: Account.self, forPrimaryKey: 10 + $0) != nil }
      )
    }
    stage.equal(isOthersKept, seen.0, "whether the other's commit returns, as it is kept: \(file)")
    stage.equal(home.work { order }, Array(0..<count), "the order of the completions: \(file)")
    stage.equal(home.work { kept }, seen.1, "who is told of no error: \(file)")
    home.work { realm = nil }
  }
}
