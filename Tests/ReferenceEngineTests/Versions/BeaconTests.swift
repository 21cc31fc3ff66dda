import CShims
import Dispatch
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// Opening and closing one file from several threads hung: a thread was told to end, and another
/// listener took that back before it had heard; or the last listener's end silenced one that had
/// just come.
@Suite struct BeaconTests {
  private static let limit = 20

  private func passes(_ event: DispatchSemaphore) -> Bool {
    event.wait(timeout: .now() + .seconds(BeaconTests.limit)) == .success
  }

  @Test
  func `LIFE-24: a listener that comes while the one before ends is heard, and the end comes`()
    throws
  {
    let folder = Folder()
    let here = try Coordinator(Toy.configuration(folder.file(), .none))
    let other = try Coordinator(Toy.configuration(folder.file(), .none))
    let beacon = FutexBeacon(lock: here.lock)
    let isInside = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)
    let hasStopped = DispatchSemaphore(value: 0)
    let heard = DispatchSemaphore(value: 0)
    try beacon.listen {
      isInside.signal()
      mayGo.wait()
    }
    // The thread is in its call, the end waits for it, and the next listener comes in between.
    other.beacon.ring()
    try #require(passes(isInside))
    Thread.detachNewThread {
      beacon.stop()
      hasStopped.signal()
    }
    while rb_load32(here.lock.process(here.lock.place) + 2) != 0 { sched_yield() }
    try beacon.listen { heard.signal() }
    mayGo.signal()
    #expect(passes(hasStopped), "the end of the first listener never came")
    other.beacon.ring()
    #expect(passes(heard), "the second listener hears nothing")
    beacon.stop()
    #expect(rb_load32(here.lock.half(LockFile.beaconOffset + 4)) == 0)
  }

  @Test func `LIFE-24: the end of the last listener does not silence the next`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = Folder()
      let other = try Coordinator(Toy.configuration(folder.file(), .none))
      let beacons = LateBeacons()
      Seams.given.beacon = { beacons.make(FutexBeacon(lock: $0)) }
      let here = try Coordinator(Toy.configuration(folder.file(), .none))
      let heard = DispatchSemaphore(value: 0)
      let first = here.listen { _ in }
      try here.hear()
      // Somebody else comes between the decision that nobody listens any more and its execution.
      beacons.beforeStop {
        _ = here.listen { _ in heard.signal() }
        try? here.hear()
      }
      here.unlisten(first)
      try other.set([0: [1]])
      #expect(heard.wait(timeout: .now() + .seconds(20)) == .success, "it hears nothing")
    }
  }

  /// It had said that it listens, and not yet been counted: who cleared its place took another one
  /// from the count.
  @Test func `REFRESH-09: a process that dies as it begins to listen makes nobody deaf`()
    async throws
  {
    let folder = Folder()
    let here = try Coordinator(Toy.configuration(folder.file(), .none))
    let other = try Coordinator(Toy.configuration(folder.file(), .none))
    let heard = DispatchSemaphore(value: 0)
    let ear = here.listen { _ in heard.signal() }
    try here.hear()
    defer { here.unlisten(ear) }
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      // Between the two things that it does first.
      Seams.given.moments = Death(at: .listenerCounted)
      let dying = try Coordinator(Toy.configuration(.file(path: path + "/a.realm")))
      _ = dying.listen { _ in }
      try dying.hear()
    }
    other.lock.clearTheDead()
    try other.set([0: [1]])
    #expect(passes(heard), "nobody is woken any more")
  }

  @Test func `A system that gives no thread is told in a sentence, and nothing is left of it`()
    throws
  {
    let folder = Folder()
    let here = try Coordinator(Toy.configuration(folder.file(), .none))
    let isFull = Atomic(true)
    let beacon = FutexBeacon(lock: here.lock) { thread, made in
      isFull.load(ordering: .relaxed) ? EAGAIN : made.start(&thread)
    }
    #expect {
      try beacon.listen {}
    } throws: { error in
      "\(error)".contains("ulimit -u") && "\(error)".contains(folder.path)
    }
    let listeners = here.lock.half(LockFile.beaconOffset + 4)
    #expect(rb_load32(listeners) == 0)
    beacon.stop()
    isFull.store(false, ordering: .relaxed)
    try beacon.listen {}
    #expect(rb_load32(listeners) == 1)
    beacon.stop()
    #expect(rb_load32(listeners) == 0)
  }

  @Test func `LIFE-24: threads that come and go end, and who stays hears`() throws {
    let rounds = Wish.number(orElse: 400)
    let folder = Folder()
    let here = try Coordinator(Toy.configuration(folder.file(), .none))
    let other = try Coordinator(Toy.configuration(folder.file(), .none))
    let ended = DispatchSemaphore(value: 0)
    for number in 0..<4 {
      Thread.detachNewThread {
        for _ in 0..<rounds {
          let id = here.listen { _ in }
          try? here.hear()
          if number == 0 { other.beacon.ring() }
          here.unlisten(id)
        }
        ended.signal()
      }
    }
    for _ in 0..<4 {
      try #require(ended.wait(timeout: .now() + .seconds(120)) == .success, "somebody hangs")
    }
    #expect(rb_load32(here.lock.half(LockFile.beaconOffset + 4)) == 0)
    let heard = DispatchSemaphore(value: 0)
    let id = here.listen { _ in heard.signal() }
    try here.hear()
    try other.set([0: [1]])
    #expect(passes(heard))
    here.unlisten(id)
  }
}

/// Beacons at whose end somebody else does something first.
private final class LateBeacons: Sendable {
  private let hook = Mutex<(@Sendable () -> Void)?>(nil)

  func beforeStop(_ body: @escaping @Sendable () -> Void) { hook.withLock { $0 = body } }

  func make(_ honest: any Beacon) -> any Beacon { LateBeacon(honest, self) }

  func run() {
    hook.withLock { hook in
      defer { hook = nil }
      return hook
    }?()
  }
}

private final class LateBeacon: Beacon {
  private let honest: any Beacon
  private let owner: LateBeacons

  init(_ honest: any Beacon, _ owner: LateBeacons) { (self.honest, self.owner) = (honest, owner) }

  func ring() { honest.ring() }
  func listen(_ body: @escaping @Sendable () -> Void) throws { try honest.listen(body) }
  func stop() {
    owner.run()
    honest.stop()
  }
}
