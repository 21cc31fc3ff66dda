import CoreFoundation
import Dispatch
import Foundation
import Synchronization

@testable import ReferenceEngine

/// Where a player's realm is at home.
protocol LossHome: AnyObject, Sendable {
  func post(_ work: @escaping @Sendable () -> Void)
  /// Called there.
  func open(_ configuration: Realm.Configuration) throws -> Realm
  func end()
}

final class QueueHome: LossHome {
  private let queue = DispatchQueue(label: "storm")
  func post(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
  func open(_ configuration: Realm.Configuration) throws -> Realm {
    try Realm(configuration: configuration, queue: queue)
  }
  func end() {}
}

actor ActorHome: LossHome {
  private func run(_ work: @Sendable () -> Void) { work() }
  nonisolated func post(_ work: @escaping @Sendable () -> Void) {
    Task { await self.run(work) }
  }
  nonisolated func open(_ configuration: Realm.Configuration) throws -> Realm {
    Realm(try Session.open(configuration, at: Session.schedulers.actor(self)))
  }
  nonisolated func end() {}
}

final class LoopHome: LossHome, @unchecked Sendable {
  // Sendable because the loop is there before anybody else has this.
  private var loop: CFRunLoop!
  private var thread: JoinedThread!
  private let isOver = Atomic(false)

  init() {
    let begun = Bell()
    thread = JoinedThread { [unowned self] in
      loop = CFRunLoopGetCurrent()
      begun.ring()
      while !isOver.load(ordering: .acquiring) {
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, true)
        // Without a source it comes back at once.
        sched_yield()
      }
    }
    begun.wait()
  }

  func post(_ work: @escaping @Sendable () -> Void) {
    CFRunLoopPerformBlock(loop, kCFRunLoopDefaultMode as CFTypeRef, work)
    CFRunLoopWakeUp(loop)
  }
  func open(_ configuration: Realm.Configuration) throws -> Realm {
    try Realm(configuration: configuration)
  }
  func end() {
    isOver.store(true, ordering: .releasing)
    CFRunLoopWakeUp(loop)
    thread.join()
  }
}

/// Who uses a realm at one home, in all ways, by chance.
final class Player: @unchecked Sendable {
  // Sendable because everything but `post` happens at its home.
  let home: any LossHome
  private let label: String
  private unowned let storm: LossStorm
  private var dice: Dice
  private var realm: Realm!
  private var held: [(name: String, object: Keyed)] = []
  private var dogs: [(name: String, object: Dog)] = []
  private var watches: [Watch] = []
  private var spare: [NotificationToken] = []
  /// Commits whose completion is not called yet, and which can be cancelled.
  private var pending: [(id: AsyncTransactionId, commit: LossStorm.Commit)] = []
  /// Blocks that wait.
  private var blocks: [(id: AsyncTransactionId, number: Int)] = []
  private var begun: Set<Int> = []
  private var dropped: Set<Int> = []
  private var blockNumber = 0
  private var depth = 0
  private var log: [String] = []

  /// A listener that knows by what it is told alone what there is.
  private final class Watch {
    let all: Results<Keyed>
    var mirror: [String] = []
    var hasBegun = false
    var token: NotificationToken?
    init(_ all: Results<Keyed>) { self.all = all }
  }

  init(_ home: any LossHome, _ label: String, _ storm: LossStorm, _ seed: UInt64) {
    (self.home, self.label, self.storm, dice) = (home, label, storm, Dice(seed: seed))
  }

  private func isLucky(_ sides: Int) -> Bool { dice.below(sides) == 0 }

  private func accuse(_ text: String) {
    storm.accuse("\(label): \(text); \(log.suffix(12).joined(separator: ", "))")
  }

  /// Does something at home, and returns when nothing is under way there any more.
  func settle(_ work: @escaping () -> Void) {
    let (done, work) = (Bell(), Smuggled(work))
    home.post {
      work.value()
      done.ring()
    }
    if !done.wait() { accuse("home does not come") }
    while !done.hasRung() {
      home.post { [self] in
        if realm?.isPerformingAsynchronousWriteOperations != true { done.ring() }
      }
      home.post {}
      // Nobody tells when the last write has ended: it is asked again.
      usleep(500)
    }
  }

  func play(_ acts: Int, _ group: DispatchGroup) {
    group.enter()
    next(acts, group)
  }

  private func next(_ acts: Int, _ group: DispatchGroup) {
    home.post { [self] in
      if acts == 0 { return group.leave() }
      act()
      next(acts - 1, group)
    }
  }

  // MARK: Coming and going

  func open() {
    do { realm = try home.open(storm.configuration) } catch {
      // The disk may have failed.
      log.append("cannot open")
    }
  }

  func leave() {
    log.append("leaves")
    forget()
    // Their numbers are of this realm.
    (pending, blocks) = ([], [])
    realm = nil
    spare = []
  }

  private func forget() {
    held = []
    dogs = []
    watches = []
  }

  // MARK: Checks

  func check(_ what: String) {
    if let fault = LossStorm.fault(realm) {
      accuse("\(what): \(fault) in \(realm.session.version.map(String.init(describing:)) ?? "")")
    }
    let now = Dictionary(
      realm.objects(Keyed.self).map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    let names = Set(now.values)
    for (name, object) in held {
      if object.isInvalidated == names.contains(name) {
        accuse("\(what): \(name) is \(object.isInvalidated ? "gone" : "there")")
      } else if !object.isInvalidated, object.name != name {
        accuse("\(what): \(name) is called \(object.name)")
      }
    }
    let all = Set(realm.objects(Dog.self).map(\.name))
    for (name, object) in dogs where object.isInvalidated == all.contains(name) {
      accuse("\(what): \(name) is \(object.isInvalidated ? "gone" : "there")")
    }
  }

  /// All homes are quiet, and the disk is well.
  func endsAll() {
    if realm == nil { open() }
    for one in pending where one.commit.told == 0 && !one.commit.isSuppressed {
      log.append("\(one.commit.name) is pending")
    }
  }

  func verify() {
    realm.refresh()
    check("end")
    let now = LossStorm.names(realm)
    for watch in watches where watch.hasBegun && watch.mirror != now {
      accuse("a listener knows \(watch.mirror), and there is \(now)")
    }
    pending = []
    let (references, variables, frozen) = storm.share { pool in
      let count = pool.references.count / 2
      defer { pool.references.removeFirst(count) }
      return (Array(pool.references.prefix(count)), pool.variables, pool.frozen)
    }
    for (name, reference) in references {
      let found = realm.resolve(reference)?.name
      if found != (now.contains(name) ? name : nil) {
        accuse("a reference to \(name) leads to \(found ?? "nothing") of \(now)")
      }
    }
    if label == "l" {
      for (name, variable) in variables {
        let found = variable.wrappedValue?.name
        if found != (now.contains(name) ? name : nil) {
          accuse("a variable of \(name) leads to \(found ?? "nothing") of \(now)")
        }
      }
    }
    for (realm, names) in frozen {
      if LossStorm.names(realm) != names { accuse("\(names) was frozen") }
      guard let one = realm.objects(Keyed.self).first else { continue }
      // It thaws at home only: here to a realm of this home.
      let thawed = one.thaw()?.name
      if label != "q0", label != "q1", thawed != nil, thawed != one.name {
        accuse("\(one.name) thaws to \(thawed ?? "")")
      }
    }
    storm.share { pool in
      if pool.variables.count > 12 { pool.variables.removeFirst(6) }
      if pool.frozen.count > 6 { pool.frozen.removeFirst(3) }
    }
    if held.count > 12 { held.removeFirst(6) }
    if dogs.count > 12 { dogs.removeFirst(6) }
  }

  // MARK: Acts

  private func act() {
    if realm == nil { return open() }
    check("act")
    switch dice.below(20) {
    case 0, 1: writeHere("sync")
    case 2, 3:
      if begins() { seal(isGrouped: isLucky(2)) }
    case 4, 5, 6: beginAsync()
    case 7, 8: writeAsync()
    case 9: cancelSomething()
    case 10 where isLucky(3): invalidate()
    case 11: watch()
    case 12: if !watches.isEmpty { watches.remove(at: dice.below(watches.count)) }
    case 13: hold()
    case 14: refer()
    case 15: resolve()
    case 16: freeze()
    case 17: realm.refresh()
    case 18 where isLucky(3):
      // Work under way keeps it.
      leave()
    case 19:
      if !begins() { return }
      _ = LossStorm.change(realm, storm.newName(label), &dice)
      hold()
      if isLucky(2) { refer() }
      realm.cancelWrite()
      log.append("cancelled")
    default: hold()
    }
    if realm != nil { check("acted") }
  }

  /// Whether the disk lets a write begin, and no listener has ended it.
  private func begins() -> Bool {
    do { try realm.session.tryToBeginWrite() } catch { return false }
    if !realm.isInWriteTransaction { return false }
    check("begun")
    return true
  }

  private func writeHere(_ what: String) {
    var commit: LossStorm.Commit?
    do {
      try realm.write {
        check("write")
        commit = storm.note(LossStorm.change(realm, storm.newName(label), &dice))
        if isLucky(3) { hold() }
      }
      commit?.isKept = true
    } catch {}
    commit?.told += 1
    log.append("\(what) \(commit?.name ?? "") \(commit?.isKept ?? false)")
  }

  /// Changes something in the write that is open, and seals it.
  private func seal(isGrouped: Bool) {
    let commit = storm.note(LossStorm.change(realm, storm.newName(label), &dice))
    if isLucky(4) { hold() }
    if isLucky(4) { refer() }
    log.append("seal \(commit.name) \(isGrouped)")
    let id = realm.commitAsyncWrite(allowGrouping: isGrouped) { [self] error in
      complete(commit, error)
    }
    if commit.told == 0 { pending.append((id, commit)) }
  }

  private func complete(_ commit: LossStorm.Commit, _ error: (any Error)?) {
    commit.told += 1
    commit.isKept = error == nil
    pending.removeAll { $0.commit === commit }
    log.append("told \(commit.name) \(commit.isKept)")
    // The last reference to the realm may be gone.
    guard let realm, !storm.isQuiet, depth < 2 else { return }
    depth += 1
    defer { depth -= 1 }
    if realm.isInWriteTransaction { accuse("\(commit.name) is told in a write") }
    check("completion")
    switch dice.below(12) {
    case 0: writeHere("in completion")
    case 1: resolve()
    case 2: hold()
    case 3: freeze()
    case 4 where isLucky(3): invalidate()
    case 5: if !watches.isEmpty { watches.removeLast() }
    case 6: realm.refresh()
    default: break
    }
  }

  private func beginAsync() {
    let number = blockNumber
    blockNumber += 1
    let id = realm.beginAsyncWrite { [self] in
      blocks.removeAll { $0.number == number }
      if dropped.contains(number) { accuse("block \(number) was dropped, and runs") }
      if !begun.insert(number).inserted { accuse("block \(number) runs twice") }
      guard realm != nil else { return }
      check("block")
      switch dice.below(6) {
      case 0: log.append("block \(number) rolls back")
      case 1: commitHere()
      case 2:
        seal(isGrouped: true)
        guard realm != nil, !realm.isInWriteTransaction else { return }
        if !begins() { return }
        if isLucky(2) { seal(isGrouped: isLucky(2)) } else { commitHere() }
      default: seal(isGrouped: !isLucky(3))
      }
    }
    blocks.append((id, number))
    log.append("queue \(number)")
  }

  private func commitHere() {
    let commit = storm.note(LossStorm.change(realm, storm.newName(label), &dice))
    commit.isKept = (try? realm.commitWrite()) != nil
    commit.told += 1
    log.append("commit \(commit.name) \(commit.isKept)")
  }

  private func writeAsync() {
    var commit: LossStorm.Commit?
    realm.writeAsync { [self] in
      if let fault = realm.flatMap({ LossStorm.fault($0) }) { accuse("in turn: \(fault)") }
      guard realm != nil else { return }
      commit = storm.note(LossStorm.change(realm, storm.newName(label), &dice))
      log.append("async \(commit!.name)")
      if isLucky(4) { hold() }
    } onComplete: { [self] error in
      if let commit { complete(commit, error) }
    }
  }

  private func cancelSomething() {
    if isLucky(2), let one = pending.last, one.commit.told == 0 {
      log.append("suppress \(one.commit.name)")
      one.commit.isSuppressed = true
      pending.removeLast()
      try! realm.cancelAsyncWrite(one.id)
    } else if let one = blocks.last {
      log.append("drop \(one.number)")
      dropped.insert(one.number)
      blocks.removeLast()
      try! realm.cancelAsyncWrite(one.id)
    }
  }

  private func invalidate() {
    log.append("invalidate")
    let isTelling = realm.session.listeners?.isTelling == true
    let (held, dogs) = (held, dogs)
    if !isTelling { forget() }
    realm.invalidate()
    if isTelling { return }
    for one in held where !one.object.isInvalidated { accuse("\(one.name) outlives its realm") }
    for one in dogs where !one.object.isInvalidated { accuse("\(one.name) outlives its realm") }
    // What a completion has found meanwhile has gone, too.
    forget()
  }

  private func hold() {
    for one in realm.objects(Keyed.self) where isLucky(2) { held.append((one.name, one)) }
    if let last = realm.objects(Dog.self).last { dogs.append((last.name, last)) }
  }

  private func refer() {
    for one in realm.objects(Keyed.self) where isLucky(2) {
      let (name, reference) = (one.name, ThreadSafeReference(to: one))
      let variable = storm.isInMemory || !isLucky(3) ? nil : ThreadSafe(wrappedValue: one)
      storm.share { pool in
        pool.references.append((name, reference))
        if let variable { pool.variables.append((name, variable)) }
      }
    }
  }

  private func resolve() {
    let one = storm.share { pool in pool.references.isEmpty ? nil : pool.references.removeFirst() }
    guard let one else { return }
    let found = realm.resolve(one.reference)?.name
    if let found, found != one.name { accuse("a reference to \(one.name) leads to \(found)") }
    if let found, !LossStorm.names(realm).contains(found) { accuse("\(found) is nowhere") }
  }

  private func freeze() {
    let cold = realm.freeze()
    if let fault = LossStorm.fault(cold) { accuse("frozen: \(fault)") }
    let names = LossStorm.names(cold)
    storm.share { pool in
      pool.frozen.append((cold, names))
      if pool.frozen.count > 12 { pool.frozen.removeFirst(6) }
    }
  }

  private func watch() {
    if isLucky(4) {
      spare.append(realm.observe { [weak self] _, realm in self?.hear(realm) })
      if spare.count > 2 { spare.removeFirst() }
      return
    }
    let watch = Watch(realm.objects(Keyed.self).sorted(byKeyPath: "id"))
    watch.token = watch.all.observe { [unowned self, weak watch] change in
      // Its token may be there still.
      guard let watch else { return }
      let now = watch.all.map(\.name)
      if case .update(_, let deletions, let insertions, let modifications) = change {
        let places = ToldPlaces(
          deletions: deletions, insertions: insertions, modifications: modifications)
        let faults = places.faults(from: watch.mirror, to: Array(now), isSame: ==)
        if !faults.isEmpty { accuse("listener: \(faults)") }
      }
      watch.mirror = Array(now)
      watch.hasBegun = true
      heard()
    }
    watches.append(watch)
    if watches.count > 3 { watches.removeFirst() }
  }

  private func hear(_ realm: Realm) {
    if let fault = LossStorm.fault(realm) { accuse("told: \(fault)") }
    heard()
  }

  /// In a listener's call.
  private func heard() {
    guard let realm, !storm.isQuiet, depth < 2, !realm.isInWriteTransaction else { return }
    if realm.session.asyncWrites.isCompleting { return }
    depth += 1
    defer { depth -= 1 }
    check("listener")
    switch dice.below(14) {
    case 0: writeHere("in listener")
    case 1:
      if begins() { seal(isGrouped: isLucky(2)) }
    case 2: beginAsync()
    case 3: writeAsync()
    case 4 where !watches.isEmpty:
      spare.append(watches.remove(at: dice.below(watches.count)).token!)
    case 5: spare = []
    case 6: cancelSomething()
    case 7: freeze()
    case 8: resolve()
    default: break
    }
  }
}
