import EngineUnderTest
import Foundation
import Harness

/// One file, a realm here that holds objects and is moved by hand, another on a queue that writes,
/// and which object is under which key in each version.
final class LivesRun {
  /// An object that is held, known by what it was given when it came.
  private final class Holder {
    let key: Int
    let life: Int
    let means: Lives.Means
    /// What is there now, by its number; nil if nothing is.
    let look: () -> Int?
    var isAskedOnce: Bool { means == .reference }

    init(_ key: Int, _ life: Int, _ means: Lives.Means, _ look: @escaping () -> Int?) {
      (self.key, self.life, self.means, self.look) = (key, life, means, look)
    }
  }

  /// What one commit does: who goes, and who comes.
  private struct Change {
    var gone: [Int] = []
    var come: [(key: Int, life: Int)] = []
    var goTogether = false
  }

  private static let keys = 48

  private let stage: Stage
  private let means: [Lives.Means]
  private let configuration: Realm.Configuration
  private var dice: SplitMix
  private let here: Realm
  private let queue = DispatchQueue(label: "writer")
  private var there: Realm!
  private var token: NotificationToken?

  private var lastLife = 0
  /// Which life each key has in the newest version, and in the one that is shown here.
  private var newest: [Int: Int] = [:]
  private var shown: [Int: Int] = [:]
  private var holders: [Holder] = []
  private var log: [String] = []
  private(set) var comparisons = 0

  init(_ stage: Stage, _ name: String, _ means: [Lives.Means], seed: UInt64) throws {
    (self.stage, self.means) = (stage, means)
    dice = SplitMix(seed: seed)
    configuration = stage.configuration(name)
    here = try Realm(configuration: configuration)
    here.autorefresh = false
    there = try queue.sync { try Realm(configuration: configuration, queue: queue) }
  }

  private func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }

  /// The first thing that is not as it must be.
  func run() throws -> String? {
    defer {
      queue.sync {
        token?.invalidate()
        there = nil
      }
    }
    try write([Change(come: (0..<LivesRun.keys).map { ($0, life()) })])
    refresh()
    hold(70)
    if let complaint = look(at: 1) { return complaint }
    for _ in 0..<40 {
      switch draw(10) {
      case 0, 1, 2: try write(changes())
      case 3: try writeTogether(changes())
      case 4: try writeHere()
      case 5: refresh()
      case 6, 7: hold([1, 4, 70][draw(3)])
      case 8: letGo()
      default: listen()
      }
      let part = draw(3) == 0 ? 1 : draw(2) == 0 ? 5 : 0
      if let complaint = look(at: part) { return complaint }
    }
    refresh()
    return look(at: 1)
  }

  // MARK: Changes

  private func life() -> Int {
    lastLife += 1
    return lastLife
  }

  /// Commits of one row, of neighbours, of some here and there or of all; others come at once, in
  /// the next commit, in part, or not yet.
  private func changes() -> [Change] {
    let first = draw(LivesRun.keys)
    let some: [Int] =
      switch draw(6) {
      case 0, 1: [first]
      case 2, 3: Array(first..<min(LivesRun.keys, first + 2 + draw(12)))
      case 4: Array(stride(from: first, to: LivesRun.keys, by: 2))
      default: Array(0..<LivesRun.keys)
      }
    var change = Change(gone: some.filter { newest[$0] != nil }, goTogether: draw(2) == 0)
    let missing = (0..<LivesRun.keys).filter { newest[$0] == nil }
    let coming = draw(4) == 0 ? missing : some.filter { draw(5) > 0 || newest[$0] == nil }
    let come = coming.map { ($0, life()) }
    // Others' commits between.
    let few = (0..<draw(2)).map { _ in Change() }
    switch draw(3) {
    case 0:
      change.come = come
      return few + [change]
    case 1: return [change] + few + [Change(come: come)]
    default: return [change]
    }
  }

  private static func perform(_ change: Change, in realm: Realm) {
    if change.goTogether {
      realm.delete(realm.objects(Account.self).filter("id IN %@", change.gone))
    } else {
      for key in change.gone { realm.delete(realm.account(key)) }
    }
    for (key, life) in change.come { realm.add(Account(id: key, balance: life)) }
    // Something changes in each.
    realm.create(Account.self, value: ["id": -1, "balance": change.gone.count], update: .all)
  }

  private func note(_ change: Change) {
    for key in change.gone { newest[key] = nil }
    for (key, life) in change.come { newest[key] = life }
    log.append(
      "\(change.gone) \(change.goTogether ? "together " : "")go, "
        + "\(change.come.map(\.key)) come")
    if log.count > 12 { log.removeFirst() }
  }

  /// Each in a commit of its own.
  private func write(_ changes: [Change]) throws {
    for change in changes {
      try queue.sync { try there.write { LivesRun.perform(change, in: there) } }
      note(change)
    }
  }

  /// All in asynchronous writes that may share a flush.
  private func writeTogether(_ changes: [Change]) throws {
    log.append("together:")
    let done = Latch("the end of a group")
    let last = changes.count - 1
    queue.sync {
      for (place, change) in changes.enumerated() {
        there.beginAsyncWrite { [unowned self] in
          LivesRun.perform(change, in: there)
          there.commitAsyncWrite(allowGrouping: place < last) { _ in
            if place == last { done.open() }
          }
        }
      }
    }
    try stage.wait(for: done)
    for change in changes { note(change) }
  }

  private func writeHere() throws {
    log.append("here:")
    for change in changes() {
      try here.write { LivesRun.perform(change, in: here) }
      note(change)
      shown = newest
    }
  }

  private func refresh() {
    here.refresh()
    log.append("refresh")
    shown = newest
  }

  /// Who writes has a listener or none.
  private func listen() {
    queue.sync {
      if let token {
        token.invalidate()
        self.token = nil
      } else {
        token = there.objects(Account.self).observe { _ in }
      }
    }
  }

  // MARK: Holding

  private func hold(_ count: Int) {
    for _ in 0..<count {
      guard holders.count < 160, let key = shown.keys.sorted().randomElement(using: &dice),
        let life = shown[key]
      else { return }
      let object = here.account(key)
      let means = means.randomElement(using: &dice)!
      let look: () -> Int?
      switch means {
      case .accessor: look = { object.isInvalidated ? nil : object.balance }
      case .variable:
        let variable = ThreadSafe(wrappedValue: object)
        look = { variable.wrappedValue?.balance }
      case .frozen:
        let frozen = object.freeze()
        look = { frozen.thaw()?.balance }
      case .reference:
        let reference = ThreadSafeReference(to: object)
        look = { [here] in here.resolve(reference)?.balance }
      }
      holders.append(Holder(key, life, means, look))
    }
  }

  private func letGo() {
    for _ in 0..<holders.count / 3 { holders.remove(at: draw(holders.count)) }
  }

  /// Looks at all that is held, at one of so many, or at nothing; what can be asked once, seldom.
  private func look(at part: Int) -> String? {
    guard part > 0 else { return nil }
    var used: [Int] = []
    for (place, holder) in holders.enumerated() where part == 1 || draw(part) == 0 {
      if holder.isAskedOnce {
        if draw(4) > 0 { continue }
        used.append(place)
      }
      comparisons += 1
      let expected = shown[holder.key] == holder.life ? holder.life : nil
      let seen = holder.look()
      if seen != expected {
        return "\(holder.means.rawValue) of key \(holder.key), the \(holder.life)th life, has "
          + "\(seen.map { "the \($0)th" } ?? "nothing") instead of "
          + "\(expected.map { "the \($0)th" } ?? "nothing"); after: "
          + log.joined(separator: "; ")
      }
    }
    for place in used.reversed() { holders.remove(at: place) }
    return nil
  }
}
