import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// Who asks for a snapshot while another thread lets it go gets one that is there.
@Suite struct KnownSnapshotsTests {
  @Test func `One for each version and purpose, and none when nobody has it any more`() throws {
    let coordinator = try Coordinator(Toy.configuration(.memory(identifier: "known snapshots")))
    var roots: [Root] = []
    var pins: [Pin] = []
    for number in 1...20 {
      roots.append(try coordinator.set([0: [UInt8(number)]]))
      let pin = try Pin(coordinator: coordinator, kind: .live)
      pin.advance()
      pins.append(pin)
    }
    // In no order.
    let order = roots.indices.sorted { ($0 * 7) % 20 < ($1 * 7) % 20 }
    var kept: [Int: Snapshot] = [:]
    for index in order { kept[index] = try coordinator.snapshot(of: roots[index], kind: .frozen) }
    for (index, root) in roots.enumerated() {
      let again = try coordinator.snapshot(of: root, kind: .frozen)
      #expect(again === kept[index])
      #expect(again.version == root.version)
      // For another purpose it is another one, which goes at once.
      #expect(try coordinator.snapshot(of: root, kind: .notifier) !== again)
    }
    for (gone, index) in order.reversed().enumerated() {
      kept[index] = nil
      #expect(held(in: coordinator) == 19 - gone)
    }
    withExtendedLifetime(pins) {}
  }

  @Test func `Threads that take and leave the same snapshot at the same time`() throws {
    let coordinator = try Coordinator(Toy.configuration(.memory(identifier: "taken and left")))
    let root = try coordinator.set([0: [1]])
    let pin = try Pin(coordinator: coordinator, kind: .live)
    pin.advance()
    let wrong = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<5_000 {
        guard let one = try? coordinator.snapshot(of: root, kind: .frozen),
          let two = try? coordinator.snapshot(of: root, kind: .frozen),
          one === two, one.version == root.version
        else {
          wrong.add(1, ordering: .relaxed)
          continue
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(held(in: coordinator) == 0)
    withExtendedLifetime(pin) {}
  }

  @Test func `A tie leads to nothing once the last has let go, on whichever thread`() {
    final class Thing: Sendable {
      let tie = Tie<Thing>()
      let ended: @Sendable () -> Void
      init(_ ended: @escaping @Sendable () -> Void) {
        self.ended = ended
        tie.bind(self)
      }
      deinit {
        tie.cut()
        ended()
      }
    }
    let ends = Atomic(0)
    for _ in 0..<2_000 {
      let things = Mutex<Thing?>(Thing { ends.add(1, ordering: .relaxed) })
      let tie = things.withLock { $0!.tie }
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 {
          // Outside the lock.
          _ = things.withLock { $0.take() }
        } else {
          while let thing = tie.thing { #expect(thing.tie === tie) }
        }
      }
      #expect(!tie.isBound && tie.thing == nil)
    }
    #expect(ends.load(ordering: .relaxed) == 2_000)
  }

  private func held(in coordinator: Coordinator) -> Int {
    coordinator.pins.holders().filter { $0.kind == .frozen }.count
  }
}
