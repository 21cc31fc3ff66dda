import EngineUnderTest
import Evidence
import Foundation
import Harness

/// One realm, its asynchronous writes, and the model of both: which blocks wait in which order,
/// which commits are on their way to the disk, who has to be told, and what the realm must show.
///
/// Everything but the threads of others is done at the realm's home; whoever looks from outside
/// goes there. Home does what is due there at any moment between two of these looks: what has to
/// be true at once is asked in one.
final class LateRun {
  enum Home: String, CaseIterable {
    case main = "main thread"
    case queue
    /// Another queue that targets the realm's.
    case near = "queue's neighbour"
  }

  /// How a block ends its write.
  enum End: Int, CaseIterable {
    case grouped, ungrouped, untold, plain, cancelled, left, twice, twiceGrouped
  }

  /// A write that waits for its turn.
  struct Job {
    let number: Int
    let id: AsyncTransactionId
    /// Whether it commits by itself.
    let isWhole: Bool
    let isTold: Bool
    let end: End
  }

  /// A commit on its way to the disk.
  struct Sealed {
    let number: Int
    let id: AsyncTransactionId?
    var isTold: Bool
    let mustFail: Bool
  }

  static let mostLog = 40
  /// Neither callbacks nor blocks go on asking for more for ever.
  static let mostJobs = 60

  let stage: Stage
  let home: Home
  let configuration: Realm.Configuration
  let queue = DispatchQueue(label: "home")
  let near: DispatchQueue
  var realm: Realm!
  /// For what is drawn at home.
  private var dice: SplitMix
  /// For what the program draws before it goes there.
  private var outerDice: SplitMix

  var waiting: [Job] = []
  var sealed: [Sealed] = []
  var usedUp: [AsyncTransactionId] = []
  var running: Job?
  var newest: [Int: Int] = [:]
  /// What the open write has made of it.
  var draft: [Int: Int]?
  /// What to go back to if the commit that is on its way fails.
  var beforeFailure: [Int: Int]?
  /// Others have written, and the realm need not show it yet.
  var isBehind = false
  var isRivalInside = false
  var depthOfCompletions = 0
  var jobsInOpenWrite = 0
  var lastNumber = 0
  var writesOfListeners = 0
  var hasFailed = false
  var tokens: [NotificationToken] = []
  var realmToken: NotificationToken?
  var realmCalls = 0
  /// What each listener was told last.
  var told: [Int: [Int: Int]] = [:]
  var lastListener = 0
  var comparisons = 0
  private var log: [String] = []
  private var complaint: String?

  init(_ stage: Stage, _ name: String, _ home: Home, seed: UInt64) throws {
    (self.stage, self.home) = (stage, home)
    dice = SplitMix(seed: seed)
    outerDice = SplitMix(seed: derivedSeed(seed, "outside"))
    near = DispatchQueue(label: "near", target: queue)
    configuration = stage.configuration(name)
    try atHome {
      realm =
        try home == .main
        ? Realm(configuration: configuration) : Realm(configuration: configuration, queue: queue)
    }
  }

  func atHome<Value>(_ body: () throws -> Value) rethrows -> Value {
    switch home {
    case .main: try body()
    case .queue: try queue.sync(execute: body)
    case .near: try near.sync(execute: body)
    }
  }

  func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }
  func drawOne<Value>(of all: [Value]) -> Value? { all.randomElement(using: &dice) }

  private func drawOutside(_ count: Int) -> Int {
    Int.random(in: 0..<count, using: &outerDice)
  }

  func note(_ words: String) {
    log.append(words)
    if log.count > LateRun.mostLog { log.removeFirst() }
  }

  func complain(_ words: String) {
    if complaint == nil { complaint = "\(words); after: \(log.joined(separator: ", "))" }
  }

  func expect(_ condition: Bool, _ words: @autoclosure () -> String) {
    comparisons += 1
    if !condition { complain(words()) }
  }

  // MARK: A program

  /// Nil if all is well.
  func run(_ acts: [LateWrites.Act]) -> String? {
    for _ in 0..<(20 + drawOutside(20)) {
      let act = acts[drawOutside(acts.count)]
      switch act {
      case .turn: turn()
      case .drain: drain()
      case .foreign: atHome { if isIdleAtHome { foreignWrite() } }
      case .rival: rival()
      default:
        atHome { take(act) }
      }
      // Whoever waits for the queue lets its other blocks run.
      if home != .main, drawOutside(3) == 0 { turn() }
      if let found = atHome({ complaint }) { return found }
    }
    drain { self.endListening() }
    finish()
    return atHome { complaint }
  }

  private func take(_ act: LateWrites.Act) {
    switch act {
    case .ask: for _ in 0...draw(3) { ask() }
    case .plain: plainWrite("an act")
    case .handOver: handOver()
    case .cancel: cancelSome()
    case .refresh:
      note("refresh")
      realm.refresh()
      isBehind = false
      look("after a refresh")
    case .invalidate: invalidate()
    case .listen: listen()
    case .fail: if isIdleAtHome { fail() }
    case .turn, .drain, .foreign, .rival: break
    }
  }

  /// Lets the home do what is due there.
  func turn() {
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    if home != .main { queue.sync {} }
  }

  var isIdleAtHome: Bool {
    waiting.isEmpty && !sealed.contains(where: \.isTold) && draft == nil
      && (!Engine.offersReins || !realm.isPerformingAsynchronousWriteOperations)
  }

  /// Waits until nothing is under way and who listens knows all, and does something before
  /// anything else happens at home.
  func drain(_ then: () -> Void = {}) {
    let limit = ContinuousClock.now + stage.patience
    while !atHome({ isOver(limit, then) }) { turn() }
  }

  /// Who listens may ask for more, however much is over.
  private func isOver(_ limit: ContinuousClock.Instant, _ then: () -> Void) -> Bool {
    if isIdleAtHome {
      usedUp += sealed.compactMap(\.id)
      sealed = []
      realm.refresh()
      isBehind = false
      look("when all is over")
      if complaint == nil, isIdleAtHome, told.values.allSatisfy({ $0 == newest }) {
        note("drained")
        then()
        return true
      }
    }
    if ContinuousClock.now > limit {
      complain(
        "blocks \(waiting.map(\.number)) wait for ever, commits "
          + "\(sealed.filter(\.isTold).map(\.number)) are not told of, or a listener knows "
          + "\(told) and not \(newest); "
          + "\(Engine.offersReins && realm.isPerformingAsynchronousWriteOperations)")
    }
    return complaint != nil
  }

  private func endListening() {
    for token in tokens { token.invalidate() }
    realmToken?.invalidate()
    (tokens, told, realmToken) = ([], [:], nil)
  }

  /// Lets others look.
  private func finish() {
    let seen = try? stage.elsewhere { [configuration] in
      LateRun.shown(try Realm(configuration: configuration))
    }
    atHome {
      expect(seen == newest, "another thread sees \(seen ?? [:]) in the end, not \(newest)")
      realm.refresh()
      look("in the end")
    }
  }

  func leave() { atHome { realm = nil } }

  static func shown(_ realm: Realm) -> [Int: Int] {
    var all: [Int: Int] = [:]
    for account in realm.objects(Account.self) { all[account.id] = account.balance }
    return all
  }

  /// The realm shows what it must, and knows where it is.
  func look(_ when: String) {
    let isInside = realm.isInWriteTransaction
    expect(isInside == (draft != nil), "\(when) whether it is in a write is \(isInside)")
    // What others have written since comes with some turn.
    if draft == nil, isBehind { return }
    let shown = LateRun.shown(realm)
    expect(shown == draft ?? newest, "\(when) it shows \(shown), not \(draft ?? newest)")
  }

  /// Something is under way that has not been told of.
  func lookWhetherBusy(_ when: String, except here: Int = 0) {
    // Of several completions in a row the later ones are over, too; and where they come from
    // `invalidate()`, what waited is.
    guard Engine.offersReins, depthOfCompletions == 0 else { return }
    let flag = realm.isPerformingAsynchronousWriteOperations
    if waiting.count > here || running != nil || sealed.contains(where: \.isTold) {
      expect(flag, "\(when) nothing is said to be under way")
    }
  }

  // MARK: Changes

  /// Changes one or two rows in the write that is open.
  func change() {
    for _ in 0...draw(2) {
      let id = draw(7)
      let account = realm.object(ofType: Account.self, forPrimaryKey: id)
      expect((account == nil) == (draft?[id] == nil), "whether \(id) is there is wrong")
      switch (account, draw(4)) {
      case (let account?, 0):
        realm.delete(account)
        draft?[id] = nil
      case (let account?, _):
        lastNumber += 1
        account.balance = lastNumber
        draft?[id] = lastNumber
      case (nil, _):
        lastNumber += 1
        realm.add(Account(id: id, balance: lastNumber))
        draft?[id] = lastNumber
      }
    }
  }

  /// The write that is open counts from now on.
  func keepDraft() {
    if let draft { newest = draft }
    (draft, jobsInOpenWrite) = (nil, 0)
  }

  func dropDraft() { (draft, jobsInOpenWrite) = (nil, 0) }

  func beginDraft(_ when: String) {
    (draft, isBehind) = (newest, false)
    look(when)
  }
}
