import CoreFoundation
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// A place where a realm is at home, in which the storm's thread for it has work done.
private protocol StormPlace: AnyObject, Sendable {
  func open(_ configuration: Realm.Configuration) throws -> Realm
  /// Does work there, and waits for it.
  func perform(_ work: @escaping @Sendable () -> Void)
  /// Ends the place.
  func end()
}

private final class QueuePlace: StormPlace {
  private let queue = DispatchQueue(label: "storm")
  func open(_ configuration: Realm.Configuration) throws -> Realm {
    try Realm(configuration: configuration, queue: queue)
  }
  func perform(_ work: @escaping @Sendable () -> Void) { queue.sync(execute: work) }
  func end() {}
}

/// A thread that runs its loop.
private final class LoopPlace: StormPlace, @unchecked Sendable {
  // What varies is written before the first signal.
  private var thread = pthread_t()
  private var scheduler: ThreadScheduler!
  private var loop: CFRunLoop!
  private let ready = DispatchSemaphore(value: 0)
  private let ends = Atomic(false)

  init() {
    let made = Unmanaged.passRetained(self).toOpaque()
    pthread_create(
      &thread, nil,
      { here in
        let place = Unmanaged<LoopPlace>.fromOpaque(here!).takeRetainedValue()
        place.scheduler = .current()
        place.loop = CFRunLoopGetCurrent()
        place.ready.signal()
        while !place.ends.load(ordering: .acquiring) {
          CFRunLoopRunInMode(kCFRunLoopDefaultMode, 100, true)
        }
        return nil
      }, made)
    ready.wait()
  }

  func open(_ configuration: Realm.Configuration) throws -> Realm {
    try Realm(configuration: configuration)
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    scheduler.run {
      work()
      done.signal()
    }
    done.wait()
  }

  func end() {
    ends.store(true, ordering: .releasing)
    scheduler.run {}
    pthread_join(thread, nil)
  }
}

private actor StormActor {
  func perform(_ work: @Sendable () -> Void) { work() }
}

private final class ActorPlace: StormPlace {
  private let actor = StormActor()
  func open(_ configuration: Realm.Configuration) throws -> Realm {
    Realm(try Session.open(configuration, at: HonestSchedulers().actor(actor)))
  }
  func perform(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached { [actor] in
      await actor.perform(work)
      done.signal()
    }
    done.wait()
  }
  func end() {}
}

/// What crosses between homes.
private final class StormPost: Sendable {
  private let references = Mutex<[ThreadSafeReference<Results<Grain>>]>([])
  private let objects = Mutex<[ThreadSafeReference<Grain>]>([])
  private let frozen = Mutex<[Smuggled<Results<Grain>>]>([])
  private let tokens = Mutex<[NotificationToken]>([])

  func send(_ one: ThreadSafeReference<Results<Grain>>) { references.withLock { $0.append(one) } }
  func send(_ one: ThreadSafeReference<Grain>) { objects.withLock { $0.append(one) } }
  func send(_ one: Results<Grain>) { frozen.withLock { $0.append(Smuggled(one)) } }
  func send(_ one: NotificationToken) { tokens.withLock { $0.append(one) } }
  func results() -> ThreadSafeReference<Results<Grain>>? { references.withLock { $0.popLast() } }
  func object() -> ThreadSafeReference<Grain>? { objects.withLock { $0.popLast() } }
  func frozenResults() -> Smuggled<Results<Grain>>? { frozen.withLock { $0.popLast() } }
  func endTokens() {
    let all = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    for token in all { token.invalidate() }
  }
  func clear() {
    references.withLock { $0 = [] }
    objects.withLock { $0 = [] }
    frozen.withLock { $0 = [] }
    endTokens()
  }
}

private final class StormHome: @unchecked Sendable {
  // Touched in its place only, but for what says otherwise.
  let place: any StormPlace
  private let configuration: Realm.Configuration
  private let post: StormPost
  private var realm: Realm?
  private var mirrors: [StormMirror] = []
  private var dice: Dice
  private var kept: [Any] = []
  private var mayWrite = 0
  private(set) var faults: [String] = []

  init(
    _ place: any StormPlace, _ configuration: Realm.Configuration, _ post: StormPost, seed: UInt64
  ) {
    (self.place, self.configuration, self.post) = (place, configuration, post)
    dice = Dice(seed: seed)
  }

  private func opened() -> Realm {
    if let realm { return realm }
    let made = try! place.open(configuration)
    realm = made
    return made
  }

  private func beginMirrors() {
    let realm = opened()
    mirrors = [
      CollectionMirror("all") { $0.objects(Grain.self) },
      CollectionMirror("heavy") { $0.objects(Grain.self).where { $0.weight > 4 } },
      CollectionMirror("weights", ["weight"]) { $0.objects(Grain.self).where { $0.weight < 3 } },
      CollectionMirror("sorted") { $0.objects(Grain.self).sorted(by: ["weight", "id"]) },
      CollectionMirror("next") { $0.objects(Grain.self).filter("next.weight > 4") },
      CollectionMirror("before") { $0.objects(Grain.self).filter("ANY before.weight > 4") },
      CollectionMirror("next path", ["next.name", "before.weight"]) { $0.objects(Grain.self) },
      CollectionMirror("list") { $0.objects(Dune.self).first?.grains },
      CollectionMirror("filtered list") {
        $0.objects(Dune.self).first?.grains.where { $0.weight > 2 }
      },
      CollectionMirror("inner list") {
        $0.object(ofType: Grain.self, forPrimaryKey: 7)?.list
      },
      NumbersMirror("numbers"), MapMirror("map"), SectionsMirror("sections"),
      ObjectMirror(3), ObjectMirror(900), ObjectMirror(5, ["weight"]),
    ]
    for mirror in mirrors {
      mirror.afterwards = { [weak self] in self?.writeInListener() }
      mirror.begin(realm)
    }
  }

  private func endMirrors() {
    noteFaults()
    for mirror in mirrors {
      if let token = mirror.token, dice.below(8) == 0 {
        // Ended elsewhere, or when it is dropped.
        mirror.token = nil
        post.send(token)
        kept.append(mirror)
      } else {
        mirror.end()
      }
    }
    mirrors = []
  }

  private func noteFaults() {
    for mirror in mirrors where !mirror.faults.isEmpty {
      faults.append("\(mirror.name): \(mirror.faults.prefix(2))")
      mirror.faults = []
    }
  }

  // MARK: Changing

  private func change(_ realm: Realm) {
    let isLarge = dice.below(4) == 0
    let count = isLarge ? 520 + dice.below(150) : 1 + dice.below(40)
    let first = dice.below(1_000)
    let ids = first..<(first + count)
    func grain(_ id: Int) -> Grain? { realm.object(ofType: Grain.self, forPrimaryKey: id) }
    switch dice.below(11) {
    case 0, 1:
      for id in ids {
        realm.create(
          Grain.self, value: ["id": id, "weight": dice.below(9), "name": "n\(dice.below(3))"],
          update: .modified)
      }
    case 2: for id in ids { grain(id)?.weight = dice.below(9) }
    case 3:
      for id in ids where dice.below(2) == 0 {
        if dice.below(2) == 0 {
          grain(id)?.name = "m\(dice.below(3))"
        } else {
          grain(id)?.next = grain(first + dice.below(count))
        }
      }
    case 4:
      realm.delete(realm.objects(Grain.self).where { $0.id >= first && $0.id < ids.upperBound })
    case 5:
      for id in ids {
        guard let old = grain(id) else { continue }
        realm.delete(old)
        if dice.below(4) > 0 { realm.create(Grain.self, value: ["id": id, "weight": 5]) }
      }
    case 6:
      if realm.objects(Dune.self).isEmpty { realm.create(Dune.self) }
      guard let list = realm.objects(Dune.self).first?.grains else { return }
      if dice.below(3) == 0 { list.removeAll() }
      for id in ids { if let one = grain(id) { list.append(one) } }
      while list.count > 1500 { list.removeLast(list.count - 1000) }
      if dice.below(10) == 0 { realm.delete(realm.objects(Dune.self)) }
    case 7:
      guard let numbers = realm.objects(Dune.self).first?.numbers else { return }
      for _ in 0...dice.below(5) {
        switch dice.below(4) {
        case 0: if !numbers.isEmpty { numbers.remove(at: dice.below(numbers.count)) }
        case 1: numbers.insert(dice.below(99), at: dice.below(numbers.count + 1))
        case 2: if !numbers.isEmpty { numbers[dice.below(numbers.count)] = dice.below(99) }
        default: numbers.append(dice.below(99))
        }
      }
    case 8:
      guard let seven = grain(7) else {
        realm.create(Grain.self, value: ["id": 7])
        return
      }
      for _ in 0...dice.below(4) {
        switch dice.below(3) {
        case 0: seven.tags["k\(dice.below(6))"] = nil
        case 1: seven.tags["k\(dice.below(6))"] = dice.below(99)
        default: if let one = grain(first) { seven.list.append(one) }
        }
      }
    case 9:
      for id in [3, 5, 900] {
        if let one = grain(id) {
          one.weight = dice.below(9)
          if dice.below(9) == 0 { realm.delete(one) }
        } else {
          realm.create(Grain.self, value: ["id": id])
        }
      }
    default: for id in ids { grain(id)?.any = .fromArray([.int(dice.below(9))]) }
    }
  }

  func writeInListener() {
    guard mayWrite > 0, dice.below(12) == 0, let realm, !realm.isInWriteTransaction else { return }
    mayWrite -= 1
    try! realm.write { change(realm) }
  }

  // MARK: One step

  func step() {
    let realm = opened()
    switch dice.below(24) {
    case 0...6: try! realm.write { change(realm) }
    case 7:
      realm.beginWrite()
      change(realm)
      realm.cancelWrite()
    case 8:
      let some = mirrors.filter { $0.token != nil && dice.below(3) == 0 }
      let realmTokens = some.compactMap(\.token)
      realm.beginWrite()
      change(realm)
      for mirror in some { mirror.skip(realm) }
      try! realm.commitWrite(withoutNotifying: realmTokens)
    case 9:
      realm.writeAsync { [unowned self] in
        if let realm = self.realm { change(realm) }
      }
    case 10:
      realm.beginAsyncWrite { [unowned self] in
        guard let realm = self.realm, realm.isInWriteTransaction else { return }
        change(realm)
        switch dice.below(3) {
        case 0: realm.cancelWrite()
        case 1: try! realm.commitWrite()
        default: realm.commitAsyncWrite(allowGrouping: dice.below(2) == 0)
        }
      }
    case 11: _ = realm.refresh()
    case 12: realm.autorefresh.toggle()
    case 13 where dice.below(3) == 0:
      endMirrors()
      realm.invalidate()
      beginMirrors()
    case 14:
      let frozen = realm.objects(Grain.self).where { $0.weight > 2 }.freeze()
      let count = frozen.count
      if frozen.count(where: { $0.weight > 2 }) != count { faults.append("frozen") }
      if dice.below(2) == 0 { kept.append(frozen) } else { post.send(frozen) }
    case 15:
      if let other = post.frozenResults() {
        let all = other.value
        if all.contains(where: { $0.weight <= 2 }) { faults.append("frozen elsewhere") }
        if let thawed = all.thaw() { _ = thawed.count }
        if let one = all.first?.thaw() { _ = one.weight }
      }
    case 16: post.send(ThreadSafeReference(to: realm.objects(Grain.self).where { $0.weight > 3 }))
    case 17:
      if let one = realm.objects(Grain.self).first { post.send(ThreadSafeReference(to: one)) }
    case 18:
      if let reference = post.results(), let all = realm.resolve(reference) {
        if all.contains(where: { $0.weight <= 3 }) { faults.append("resolved") }
      }
    case 19: if let reference = post.object() { _ = realm.resolve(reference)?.weight }
    case 20:
      if let mirror = mirrors.randomElement(using: &dice) {
        noteFaults()
        mirror.end()
        mirror.begin(realm)
      }
    case 21: kept.removeAll { _ in dice.below(2) == 0 }
    case 22 where dice.below(3) == 0:
      close()
      beginMirrors()
    case 23: post.endTokens()
    default: break
    }
    mayWrite = 3
    noteFaults()
  }

  func start() { beginMirrors() }

  /// All is quiet: what was told must be what is there.
  func check() {
    let realm = opened()
    // What a listener writes is told when the home comes next.
    mayWrite = 0
    realm.autorefresh = true
    _ = realm.refresh()
    noteFaults()
    for mirror in mirrors {
      if let fault = mirror.check(realm) { faults.append("\(mirror.name): \(fault)") }
    }
  }

  var isBusy: Bool { realm?.isPerformingAsynchronousWriteOperations ?? false }

  func close() {
    endMirrors()
    kept = []
    realm = nil
  }
}

@Suite struct HomeStormTests {
  private static func run(seed: UInt64, rounds: Int, inMemory: Bool) -> [String] {
    let scratch = Scratch()
    var configuration = scratch.configuration([Grain.self, Dune.self])
    if inMemory {
      configuration = Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Grain.self, Dune.self])
    }
    let keeper = Desk(configuration)
    keeper.commit { realm in
      realm.create(Dune.self)
      for id in 0..<600 { realm.create(Grain.self, value: ["id": id, "weight": id % 9]) }
    }
    let post = StormPost()
    let places: [any StormPlace] = [QueuePlace(), QueuePlace(), LoopPlace(), ActorPlace()]
    let homes = places.enumerated().map {
      StormHome($1, configuration, post, seed: seed &* 7919 &+ UInt64($0) &+ 1)
    }
    var faults: [String] = []
    for home in homes { home.place.perform { home.start() } }
    for round in 0..<rounds where faults.isEmpty {
      DispatchQueue.concurrentPerform(iterations: homes.count) { index in
        let home = homes[index]
        for _ in 0..<8 { home.place.perform { home.step() } }
      }
      let limit = ContinuousClock.now + .seconds(60)
      var isBusy = true
      while isBusy {
        isBusy = false
        for home in homes {
          let answer = Atomic(false)
          home.place.perform { answer.store(home.isBusy, ordering: .relaxed) }
          isBusy = isBusy || answer.load(ordering: .relaxed)
        }
        if ContinuousClock.now > limit {
          faults.append("never at rest")
          break
        }
      }
      for home in homes {
        home.place.perform { home.check() }
        faults += home.faults.map { "round \(round), \(type(of: home.place)): \($0)" }
      }
    }
    for home in homes { home.place.perform { home.close() } }
    post.clear()
    for home in homes { home.place.perform {} }
    for home in homes { home.place.end() }
    // What goes on elsewhere comes to its end.
    let limit = ContinuousClock.now + .seconds(20)
    let holders = { keeper.work { $0.session.coordinator.pins.holders() } }
    while holders().count > 1, ContinuousClock.now < limit { sched_yield() }
    if holders().count > 1 {
      faults.append("kept: \(holders().map { "\($0.kind) \($0.version)" })")
    }
    keeper.work { realm in
      do { try realm.session.coordinator.checkEverything() } catch { faults.append("\(error)") }
      try! realm.write { realm.deleteAll() }
      try! realm.write { realm.create(Dune.self) }
      let active = realm.session.coordinator.pins.pinnedVersions().count
      if active != 1 { faults.append("\(active) versions at the end") }
    }
    return faults
  }

  /// `STORM_TEST_ROUNDS` says how long.
  @Test func `what is told is what is there, whoever does what at once, and nothing is kept`()
    async
  {
    let seed = Wish.seed()
    let rounds = Wish.number("STORM_TEST_ROUNDS", orElse: 1)
    // On a thread of its own: it waits for an actor, which needs one of those that tests share.
    let faults = await withCheckedContinuation { told in
      let thread = Thread {
        told.resume(returning: Self.run(seed: seed, rounds: rounds, inMemory: seed % 2 == 0))
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    #expect(faults == [])
  }
}
