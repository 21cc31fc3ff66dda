import CShims
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// All writers hung after one of them was killed while it waited: the gate was handed to the dead,
/// and nobody took it back.
///
/// Each state of the lock file that a death can leave is built by hand here; what the system does
/// not tell about the dead is never believed.
@Suite struct DeadWaiterTests {
  /// Two living processes, as far as the file can see, and places that dead ones have left.
  private final class Scene: @unchecked Sendable {
    // Sendable because its parts are.

    let folder = Folder()
    let holder: Coordinator
    let waiter: Coordinator

    init() throws {
      holder = try Coordinator(Toy.configuration(folder.file(), .none))
      waiter = try Coordinator(Toy.configuration(folder.file(), .none))
    }

    /// Joins and ends without a word, as one who is killed.
    func die(_ leaving: (LockFile) -> Void) throws -> Int {
      let lock = try LockFile(path: folder.path + "/a.realm.lock") { _ in }
      leaving(lock)
      return lock.place
    }

    func waitingSince(_ place: Int) -> UnsafeMutablePointer<UInt64> {
      holder.lock.waitingSince(place)
    }

    var gate: UnsafeMutablePointer<UInt32> { holder.lock.half(LockFile.gateOffset) }

    /// Whether the waiter gets in, and out again.
    func waiterWrites(_ limit: Int = 20) -> Bool {
      let done = DispatchSemaphore(value: 0)
      let waiter = waiter
      Thread.detachNewThread {
        _ = waiter.gate.enter()
        waiter.gate.leave()
        done.signal()
      }
      return done.wait(timeout: .now() + .seconds(limit)) == .success
    }

    /// Whether the waiter gets in when the holder, for whom it waits, has left.
    func waiterFollows(_ meanwhile: () -> Void) -> Bool {
      _ = holder.gate.enter()
      let done = DispatchSemaphore(value: 0)
      let waiter = waiter
      Thread.detachNewThread {
        _ = waiter.gate.enter()
        waiter.gate.leave()
        done.signal()
      }
      while rb_load_acquire(waitingSince(waiter.lock.place)) == 0
        || rb_load32(gate) & 1 << 31 == 0
      { sched_yield() }
      meanwhile()
      holder.gate.leave()
      return done.wait(timeout: .now() + .seconds(20)) == .success
    }
  }

  @Test(arguments: [false, true])
  func `WRITE-33: the gate is not handed to one who died while it waited`(isCleared: Bool) throws {
    let scene = try Scene()
    let dead = try scene.die { lock in
      rb_store_seq_cst(lock.waitingSince(lock.place), 1)
    }
    let follows = scene.waiterFollows {
      if isCleared { scene.holder.lock.clearTheDead() }
      #expect(dead != scene.holder.lock.place && dead != scene.waiter.lock.place)
    }
    #expect(follows, "the gate was handed to the dead")
    if isCleared { #expect(rb_load_acquire(scene.waitingSince(dead)) == 0) }
  }

  @Test func `WRITE-33: one who dies as the gate is offered to it keeps nobody out`() throws {
    let scene = try Scene()
    let dead = try scene.die { _ in }
    for word in [UInt32(dead) + 1, UInt32(dead) + 1 | 1 << 31, UInt32(dead) + 1 | 1 << 30] {
      rb_store32(scene.gate, word)
      #expect(scene.waiterWrites(), "\(word)")
    }
    // Cleared in between, so that the table says nothing of it any more.
    scene.holder.lock.clearTheDead()
    rb_store32(scene.gate, UInt32(dead) + 1 | 1 << 31)
    #expect(scene.waiterWrites())
  }

  @Test func `WRITE-33: one who comes into a dead one's place is not taken for it`() throws {
    let scene = try Scene()
    let dead = try scene.die { _ in }
    var name: UInt32 = 0
    _ = try scene.die { lock in
      let gate = FileGate(lock: lock)
      _ = gate.enter()
      name = rb_load32(scene.gate)
      #expect(lock.place == dead)
    }
    let newcomer = try Coordinator(Toy.configuration(scene.folder.file(), .none))
    #expect(newcomer.lock.place == dead)
    // The leaver looked while the dead one lived, and wrote after its place had been taken.
    for word in [name, name | 1 << 31, UInt32(dead) + 1 | 3 << 30] {
      rb_store32(scene.gate, word)
      #expect(scene.waiterWrites(), "\(word)")
    }
    withExtendedLifetime(newcomer) {}
  }

  @Test func `WRITE-33: an offer that nobody takes up expires`() throws {
    let scene = try Scene()
    let idle = try Coordinator(Toy.configuration(scene.folder.file(), .none))
    // It lives, and does not wait: somebody else wrote that it does.
    let follows = scene.waiterFollows {
      rb_store_seq_cst(scene.waitingSince(idle.lock.place), 1)
    }
    #expect(follows, "the gate was handed to one who does not wait")
    withExtendedLifetime(idle) {}
  }

  @Test func `WRITE-24: the first to come sees that a writer died inside`() throws {
    let scene = try Scene()
    _ = try scene.die { lock in _ = FileGate(lock: lock).enter() }
    #expect(rb_load32(scene.gate) != 0)
    #expect(scene.waiter.gate.enter())
    #expect(scene.holder.gate.tryEnter() == nil)
    scene.waiter.gate.leave()
    #expect(scene.holder.gate.tryEnter() == false)
    scene.holder.gate.leave()
  }

  @Test func `A gate's word and stamps of random content keep nobody out and end nobody`() throws {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    let scene = try Scene()
    for _ in 0..<60 {
      let word = UInt32.random(in: 0...(.max), using: &dice)
      // It may not name somebody who is there; the system cannot know that it is not inside.
      for place in 0..<LockFile.processes {
        rb_store_seq_cst(scene.waitingSince(place), UInt64.random(in: 0...(.max), using: &dice))
      }
      rb_store32(scene.holder.lock.half(LockFile.processCountOffset), dice.next32())
      rb_store32(scene.gate, word)
      try #require(scene.waiterWrites(60), "SEED=\(seed), \(word)")
      #expect(scene.waiterFollows { rb_store32(scene.gate, dice.next32()) }, "SEED=\(seed)")
    }
  }

  @Test func `WRITE-33: writers are alone while others die all the time`() throws {
    let seed = Wish.seed()
    let rounds = Wish.number(orElse: 300)
    let scene = try Scene()
    let inside = Atomic(0)
    let isDone = Atomic(false)
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 3) { number in
      guard number < 2 else {
        // Joins, waits or enters, and ends at any point, its place given to the next.
        var dice = Dice(seed: seed)
        while !isDone.load(ordering: .sequentiallyConsistent) {
          let leaving = Int.random(in: 0..<4, using: &dice)
          _ = try? scene.die { lock in
            let since = lock.waitingSince(lock.place)
            if leaving > 0 { rb_store_seq_cst(since, 1) }
            if leaving == 2 { _ = FileGate(lock: lock).tryEnter() }
          }
        }
        return
      }
      let gate = number == 0 ? scene.holder.gate : scene.waiter.gate
      for round in 0..<rounds {
        _ = gate.enter()
        if inside.add(1, ordering: .sequentiallyConsistent).newValue != 1 {
          failures.add(1, ordering: .sequentiallyConsistent)
        }
        if round % 16 == 0 { (number == 0 ? scene.holder : scene.waiter).lock.clearTheDead() }
        inside.subtract(1, ordering: .sequentiallyConsistent)
        gate.leave()
      }
      isDone.store(true, ordering: .sequentiallyConsistent)
    }
    #expect(failures.load(ordering: .sequentiallyConsistent) == 0, "SEED=\(seed)")
  }
}

extension Dice {
  fileprivate mutating func next32() -> UInt32 { UInt32(truncatingIfNeeded: next()) }
}
