import CShims
import Dispatch
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// One writer, over threads and processes; two coordinators of one file behave like two processes.
@Suite struct GateTests {
  private func number(_ content: [UInt8]) -> Int {
    content.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func bytes(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  @Test func `WRITE-01, -02, -07: no increment is lost among threads and processes`() throws {
    let folder = Folder()
    let coordinators = try (0..<2).map { _ in
      try Coordinator(Toy.configuration(folder.file(), .none))
    }
    try coordinators[0].set([0: bytes(0)])
    let inside = Atomic(0)
    let most = Atomic(0)
    let failures = Atomic(0)
    let rounds = 250
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let coordinator = coordinators[thread % 2]
      for _ in 0..<rounds {
        do {
          let write = try coordinator.beginWrite()
          let count = inside.add(1, ordering: .sequentiallyConsistent).newValue
          most.max(count, ordering: .sequentiallyConsistent)
          let old = number(Toy.content(write.base, write.space)[0])
          let toy = ToyWrite(write)
          toy.set(0, bytes(old + 1))
          inside.subtract(1, ordering: .sequentiallyConsistent)
          _ = try write.commit(settle: toy.settle)
        } catch {
          failures.add(1, ordering: .sequentiallyConsistent)
        }
      }
    }
    #expect(failures.load(ordering: .sequentiallyConsistent) == 0)
    #expect(most.load(ordering: .sequentiallyConsistent) == 1)
    for coordinator in coordinators {
      #expect(number(try coordinator.newestContent()[0]) == 4 * rounds)
      try coordinator.checkEverything()
    }
  }

  @Test func `READ-04: readers see whole commits only, and versions that never go back`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file(), .none))
    let other = try Coordinator(Toy.configuration(folder.file(), .none))
    try coordinator.set([0: bytes(0), 1: bytes(0)])
    let isDone = Atomic(false)
    let torn = Atomic(0)
    let seen = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      guard thread > 0 else {
        for value in 1...2000 { _ = try? coordinator.set([0: bytes(value), 1: bytes(value)]) }
        isDone.store(true, ordering: .sequentiallyConsistent)
        return
      }
      let reader = thread == 1 ? coordinator : other
      guard let pin = try? Pin(coordinator: reader, kind: .live) else { return }
      var last = VersionID(0)
      repeat {
        pin.advance()
        guard let root = pin.root else { continue }
        let content = Toy.content(root, reader.space)
        if content[0] != content[1] || root.version < last {
          torn.add(1, ordering: .sequentiallyConsistent)
        }
        last = root.version
        seen.add(1, ordering: .sequentiallyConsistent)
      } while !isDone.load(ordering: .sequentiallyConsistent)
      pin.release()
    }
    #expect(torn.load(ordering: .sequentiallyConsistent) == 0)
    #expect(seen.load(ordering: .sequentiallyConsistent) > 0)
  }

  @Test func `READ-14: nobody waits for a flush but its writer`() throws {
    let folder = Folder()
    let disk = HeldDisk(
      try PosixDisk(path: folder.path + "/a.realm", writable: true, create: true))
    let coordinator = try Coordinator(
      Toy.configuration(folder.file()), disk: disk, lockPath: folder.path + "/a.realm.lock")
    let other = try Coordinator(Toy.configuration(folder.file()))
    try coordinator.set([0: [1]])
    // While the flush is held, this process and another open snapshots, read and move on.
    let reads = Mutex<[[UInt8]]>([])
    disk.hold {
      for reader in [coordinator, other] {
        guard let content = try? reader.newestContent() else { continue }
        reads.withLock { $0.append(content[0]) }
      }
    }
    try coordinator.set([0: [2]])
    disk.pass()
    // Two flushes, two readers each; before the second the version is not published either.
    #expect(reads.withLock { $0 } == [[1], [1], [1], [1]])
    #expect(try other.newestContent()[0] == [2])
  }

  @Test func `The beacon tells another process of a commit, and only while it listens`() throws {
    let folder = Folder()
    let writer = try Coordinator(Toy.configuration(folder.file(), .none))
    let listener = try Coordinator(Toy.configuration(folder.file(), .none))
    let arrived = DispatchSemaphore(value: 0)
    let newest = Atomic<UInt64>(0)
    let id = listener.listen { version in
      newest.max(version.number, ordering: .sequentiallyConsistent)
      arrived.signal()
    }
    try listener.hear()
    for value in UInt8(1)...20 {
      let root = try writer.set([0: [value]])
      while newest.load(ordering: .sequentiallyConsistent) < root.version.number {
        try #require(arrived.wait(timeout: .now() + 20) == .success, "no news within the limit")
      }
    }
    listener.unlisten(id)
    let last = newest.load(ordering: .sequentiallyConsistent)
    try writer.set([0: [99]])
    #expect(newest.load(ordering: .sequentiallyConsistent) == last)
  }

  @Test func `A snapshot of one version is shared, and cheap to ask for again`() throws {
    let coordinator = try Coordinator(Toy.configuration(.memory(identifier: "shared")))
    let root = try coordinator.set([0: [1]])
    let pin = try Pin(coordinator: coordinator, kind: .live)
    pin.advance()
    let one = try coordinator.snapshot(of: root, kind: .frozen)
    let two = try coordinator.snapshot(of: root, kind: .frozen)
    #expect(one === two)
    #expect(coordinator.pins.holders().filter { $0.kind == .frozen }.count == 1)
  }

  @Test func `LIFE: one coordinator for a file, however its path is written`() throws {
    let folder = Folder()
    let one = try Coordinator.open(Toy.configuration(folder.file()))
    let two = try Coordinator.open(
      Toy.configuration(
        .file(path: folder.path + "/./../" + folder.path.split(separator: "/").last! + "/a.realm")))
    #expect(one === two)
  }
}
