import Dispatch
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// Realms of one file at homes of all kinds, which write in all ways at once, on a disk that fails
/// and heals in between.
///
/// Whatever is seen anywhere has to be a version: each commit adds a dog that is as old as there
/// are dogs, whose name says what it did to a keyed object, so the dogs tell which keyed objects
/// there are. Who commits notes what it is told, which is told once, and true for ever.
final class LossStorm: @unchecked Sendable {
  // Sendable because `pool`, `faults` and `disks` guard what varies, and each player is used at its
  // home only.

  /// What is handed from home to home.
  struct Pool {
    var references: [(name: String, reference: ThreadSafeReference<Keyed>)] = []
    var variables: [(name: String, variable: ThreadSafe<Keyed>)] = []
    var frozen: [(realm: Realm, names: [String])] = []
    /// Whatever is let go of on another thread than that of its realm.
    var rest: [Any] = []
  }

  let scratch = Scratch()
  let disks = FailingDisks()
  let configuration: Realm.Configuration
  let isInMemory: Bool
  private let pool = Mutex(Smuggled(Pool()))
  private let faults = Mutex<[String]>([])
  private let commits = Mutex<[Commit]>([])
  private(set) var players: [Player] = []
  private let isCalm = Atomic(false)
  private let numbers = Atomic(0)
  let seed: UInt64

  /// One that was sealed, or committed, and what was told of it.
  final class Commit: @unchecked Sendable {
    // Sendable because it is written at one home, and read by others when all is quiet.
    let name: String
    var told = 0
    var isKept = false
    var isSuppressed = false
    init(_ name: String) { self.name = name }
  }

  init(seed: UInt64) {
    self.seed = seed
    isInMemory = seed % 5 == 4
    let types = [Dog.self, Keyed.self, Person.self]
    if isInMemory {
      configuration = Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: types)
    } else {
      disks.install()
      configuration = scratch.configuration(types)
    }
  }

  var isQuiet: Bool { isCalm.load(ordering: .sequentiallyConsistent) }

  func accuse(_ text: String) { faults.withLock { $0.append("WRONG: \(text)") } }
  /// How many commits are lost, and how many there were.
  var account: (lost: Int, all: Int) {
    commits.withLock { all in (all.count { $0.told > 0 && !$0.isKept }, all.count) }
  }
  var all: [String] { faults.withLock { $0 } }

  func newName(_ home: String) -> String {
    "\(home)-\(numbers.add(1, ordering: .relaxed).newValue)"
  }

  func note(_ name: String) -> Commit {
    let commit = Commit(name)
    commits.withLock { $0.append(commit) }
    return commit
  }

  func share<T>(_ body: (inout Pool) -> T) -> T {
    // What is taken out of the pool ends outside of its lock.
    let result = pool.withLock { pool in Smuggled(body(&pool.value)) }
    return result.value
  }

  // MARK: Versions

  static func keyed(_ realm: Realm, _ id: Int) -> Keyed? {
    realm.object(ofType: Keyed.self, forPrimaryKey: id)
  }

  /// Changes what a commit of that name changes; returns the dog's name.
  static func change(_ realm: Realm, _ name: String, _ dice: inout Dice) -> String {
    let (kind, id) = (["x", "r", "r", "r", "d"][dice.below(5)], 7 + dice.below(3))
    let name = "\(name).\(kind)\(id)"
    let age = realm.objects(Dog.self).count + 1
    if kind != "x", let old = keyed(realm, id) { realm.delete(old) }
    if kind == "r" { realm.create(Keyed.self, value: ["id": id, "name": name]) }
    realm.create(Dog.self, value: ["name": name, "age": age])
    return name
  }

  /// What is wrong with what a realm shows; nil if it may be a version.
  static func fault(_ realm: Realm) -> String? {
    let dogs = realm.objects(Dog.self).sorted(byKeyPath: "age").map { ($0.name, $0.age) }
    var keyed: [Int: String] = [:]
    for (place, dog) in dogs.enumerated() {
      if dog.1 != place + 1 { return "\(dog) is dog \(place + 1) of \(dogs.count)" }
      let id = Int(String(dog.0.last!))!
      switch dog.0.dropLast().last! {
      case "r": keyed[id] = dog.0
      case "d": keyed[id] = nil
      default: break
      }
    }
    let shown = Dictionary(
      realm.objects(Keyed.self).map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    return shown == keyed ? nil : "\(keyed) is shown as \(shown)"
  }

  static func names(_ realm: Realm) -> [String] {
    realm.objects(Keyed.self).sorted(byKeyPath: "id").map(\.name)
  }

  // MARK: Running

  func run(rounds: Int, acts: Int) {
    var dice = Dice(seed: seed)
    let home = try! Realm(configuration: configuration)
    for number in 0..<2 { players.append(Player(QueueHome(), "q\(number)", self, dice.next())) }
    players.append(Player(LoopHome(), "l", self, dice.next()))
    players.append(Player(ActorHome(), "a", self, dice.next()))
    for player in players { player.settle { player.open() } }
    var known = Set<String>()
    for _ in 0..<rounds {
      isCalm.store(false, ordering: .sequentiallyConsistent)
      let group = DispatchGroup()
      for player in players { player.play(acts, group) }
      let visits = 3
      let seeds = (0..<visits).map { _ in dice.next() }
      DispatchQueue.global().async(group: group) { [self] in for seed in seeds { visit(seed) } }
      while group.wait(timeout: .now() + .milliseconds(dice.below(4))) == .timedOut {
        if isInMemory { continue }
        let kind = [FailingDisk.Failure.refused, .torn, .noSpace][dice.below(3)]
        disks.fail(at: dice.below(12), kind, sticky: dice.below(2) == 0)
        if group.wait(timeout: .now() + .milliseconds(dice.below(3))) == .success { break }
        disks.heal()
      }
      disks.heal()
      isCalm.store(true, ordering: .sequentiallyConsistent)
      for player in players { player.settle { player.endsAll() } }
      home.refresh()
      if let fault = Self.fault(home) { accuse("in the end: \(fault)") }
      known = look(known, home)
      for player in players { player.settle { player.verify() } }
      if !all.isEmpty { break }
    }
    for player in players { player.settle { player.leave() } }
    share { $0 = Pool() }
    for player in players { player.home.end() }
    players = []
    if !isInMemory, home.session.coordinator.hasWriter { accuse("somebody is inside for ever") }
  }

  /// Compares what was told with what there is.
  private func look(_ known: Set<String>, _ home: Realm) -> Set<String> {
    let names = Set(home.objects(Dog.self).map(\.name))
    if !known.isSubset(of: names) { accuse("\(known.subtracting(names)) were there") }
    for commit in commits.withLock({ $0 }) {
      if commit.isSuppressed {
        if commit.told > 0 { accuse("\(commit.name) was suppressed and told") }
      } else if commit.told != 1 {
        accuse("\(commit.name) was told \(commit.told) times")
      } else if commit.isKept != names.contains(commit.name) {
        accuse("\(commit.name) was told to be \(commit.isKept ? "kept" : "lost"), and is not")
      }
    }
    return names
  }

  /// A thread comes, opens the file, leaves something behind, and ends, maybe in a write.
  private func visit(_ seed: UInt64) {
    let thread = JoinedThread { [self] in
      var dice = Dice(seed: seed)
      guard let realm = try? Realm(configuration: configuration) else { return }
      if let fault = Self.fault(realm) { accuse("visitor: \(fault)") }
      switch dice.below(4) {
      case 0:
        let name = newName("v")
        var commit: Commit?
        let isKept =
          (try? realm.write { commit = note(Self.change(realm, name, &dice)) }) != nil
        if let commit { (commit.told, commit.isKept) = (1, isKept) }
      case 1:
        if (try? realm.session.tryToBeginWrite()) == nil { return }
        _ = Self.change(realm, newName("v"), &dice)
        // Nobody ends it.
        if dice.below(2) == 0 { share { $0.rest.append(realm) } }
      case 2:
        if let keyed = realm.objects(Keyed.self).first {
          let reference = ThreadSafeReference(to: keyed)
          let name = keyed.name
          share {
            $0.references.append((name, reference))
            $0.rest.append(keyed)
          }
        }
      default:
        share { $0.rest += [realm.freeze(), realm] }
      }
      let old = share { pool in
        defer { if pool.rest.count > 8 { pool.rest.removeFirst(4) } }
        return Array(pool.rest.prefix(4))
      }
      _ = old
    }
    thread.join()
  }
}

@Suite struct LossStormTests {
  @Test
  func `ASYNC-52, ASYNC-09, NOTIFY-07: whoever loses what, all see versions, and are told once`()
    async
  {
    let seed = Wish.seed()
    let count = Wish.number("LOSS_STORMS", orElse: 4)
    let acts = Wish.number("LOSS_ACTS", orElse: 25)
    // Here, where a debugger finds it.
    if Wish.isThere("HERE") {
      let told = Self.run(seed, count, acts)
      print(told)
      #expect(told.contains("through"), "\(told)")
      return
    }
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [seed = seed as UInt64, count = count as Int, acts = acts as Int] in
      print(Self.run(seed, count, acts))
    }
    let told = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(told.contains("through"), "\(told)")
  }

  private static func run(_ first: UInt64, _ count: Int, _ acts: Int) -> String {
    var (lost, all) = (0, 0)
    for number in 0..<count {
      alarm(60)
      let seed = first &+ UInt64(number)
      let storm = LossStorm(seed: seed)
      storm.run(rounds: 3, acts: acts)
      lost += storm.account.lost
      all += storm.account.all
      if !storm.all.isEmpty {
        return "SEED=\(seed)\n" + storm.all.prefix(20).joined(separator: "\n")
      }
    }
    return lost > 0 ? "through: lost \(lost) of \(all)" : "nothing was lost"
  }
}
