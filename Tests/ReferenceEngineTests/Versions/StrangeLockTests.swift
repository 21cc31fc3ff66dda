import CShims
import Foundation
import Testing

@testable import ReferenceEngine

/// A lock file that somebody else wrote into while it was held hung openers and ended them, and
/// holders, with a signal. What stands there is doubted: an act succeeds or throws, and the file is
/// whole afterwards.
@Suite(.serialized) struct StrangeLockTests {
  private static let regions = [
    0..<64, 64..<128, 128..<192, 192..<256, 256..<320, 320..<512, 512..<1024, 1024..<2048,
    2048..<4096, 8192..<24576, 24576..<32768, 0..<32768,
  ]

  private static func scribble(_ lock: LockFile, _ dice: inout Dice) -> String {
    let region = regions.randomElement(using: &dice)!
    let pattern = Int.random(in: 0..<6, using: &dice)
    for place in stride(from: region.lowerBound, to: region.upperBound, by: 8) {
      let value: UInt64 =
        switch pattern {
        case 0: 0
        case 1: .max
        case 2: 0x4141_4141_4141_4141
        case 3: UInt64.random(in: 0..<70_000, using: &dice)
        default: dice.next()
        }
      if pattern == 5, Int.random(in: 0..<8, using: &dice) > 0 { continue }
      rb_store_seq_cst(lock.word(place), value)
    }
    return "\(region) by \(pattern)"
  }

  @Test(arguments: 0..<4)
  func `Whatever stands in a lock file that is held, nobody hangs or dies of it`(part: Int) async {
    let seed = Wish.seed()
    let rounds = Wish.number(orElse: 60)
    await #expect(processExitsWith: .success, "SEED=\(seed)") {
      [seed = seed + UInt64(part) as UInt64, rounds = rounds as Int] in
      var dice = Dice(seed: seed)
      for round in 0..<rounds {
        alarm(120)
        let folder = Folder()
        var told = "round \(round)"
        var acknowledged: [[UInt8]] = []
        do {
          let holder = try Coordinator(Toy.configuration(folder.file(), .none))
          for value in UInt8(0)..<5 { try holder.set([Int(value): [value]]) }
          let kept = try holder.newestSnapshot(kind: .frozen)
          acknowledged = try holder.newestContent()
          told += " " + StrangeLockTests.scribble(holder.lock, &dice)
          // The same thread plays all: whoever is told of a commit may count on it.
          for act in 0..<6 {
            do {
              switch act {
              case 0, 3:
                try holder.set([7: [UInt8(act)]])
                acknowledged[7] = [UInt8(act)]
              case 1: _ = try holder.newestContent()
              case 2:
                let opener = try Coordinator(Toy.configuration(folder.file(), .none))
                _ = try opener.newestContent()
                try opener.set([8: [UInt8(act)]])
                acknowledged[8] = [UInt8(act)]
              case 4:
                _ = holder.pins.holders()
                _ = holder.activeVersionCount
                holder.lock.clearTheDead()
              default:
                if let write = try holder.tryBeginWrite() { write.cancel() }
              }
            } catch { told += " \(act): \(error)" }
          }
          withExtendedLifetime(kept) {}
        } catch {
          Issue.record("\(told): \(error)")
        }
        // Nobody has it open: whoever comes next makes the lock file anew.
        do {
          // What was written over from its beginning is taken for somebody else's, and refused.
          do { _ = try Coordinator(Toy.configuration(folder.file(), .none)) } catch StorageError
            .foreignLock
          { unlink(folder.path + "/a.realm.lock") }
          let next = try Coordinator(Toy.configuration(folder.file(), .none))
          try next.checkEverything()
          let content = try next.newestContent()
          #expect(content == acknowledged, "\(told)")
          try next.set([0: [9]])
        } catch { Issue.record("\(told), afterwards: \(error)") }
      }
    }
  }

  @Test func `All places for readers being taken is an error, and ends when one is given back`()
    async throws
  {
    let found = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let scratch = Scratch()
      let realm = try Realm(configuration: scratch.configuration([Person.self, Dog.self]))
      try realm.write { realm.add(Person(name: "Ada")) }
      let pins = realm.session.coordinator.pins
      var places: [PinPlace] = []
      while let place = try? pins.claim(.tool) { places.append(place) }
      #expect(places.count > 65_000)
      // Reading and writing go on, and opening says why it cannot.
      try realm.write { realm.add(Person(name: "Bea")) }
      #expect(realm.objects(Person.self).count == 2)
      var configuration = realm.configuration
      configuration.cache = false
      #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
      pins.release(places.removeLast())
      #expect(realm.freeze().objects(Person.self).count == 2)
      // The frozen version goes with the next one, and its place to somebody else.
      try realm.write { realm.add(Person(name: "Cy")) }
      places.append(try pins.claim(.tool))
      _ = realm.freeze()
    }
    let words = String(decoding: found?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("all places for readers are taken"), "\(words.prefix(300))")
  }

  /// The places of the dead are cleared by writers: where nobody wrote nobody came in any more.
  @Test func `All places for readers being a dead one's keeps nobody out`() async throws {
    let folder = Folder()
    let path = folder.path
    let survivor = try Coordinator(Toy.configuration(folder.file()))
    try survivor.set([0: [1]])
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let greedy = try Coordinator(Toy.configuration(.file(path: path + "/a.realm")))
      let root = greedy.board.newestRoot
      while let place = try? greedy.pins.claim(.frozen) { place.store(root) }
      if greedy.pins.holders().count < 65_000 { stop("\(greedy.pins.holders().count) places") }
      kill(getpid(), SIGKILL)
    }
    #expect(survivor.pins.holders().count > 65_000)
    var configuration = Toy.configuration(folder.file())
    configuration.isReadOnly = true
    let reader = try Coordinator(configuration)
    #expect(try reader.newestContent()[0] == [1])
    #expect(survivor.pins.holders().isEmpty)
    try survivor.set([0: [2]])
    #expect(try reader.newestContent()[0] == [2])
  }
}
