import CShims
import CoreFoundation
import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// What a child has of its parent, at whatever moment it was forked.
@Suite(.serialized) struct ForkTests {
  // parent's thread                parent                         children
  // opens, closes, opens …
  //                                forks, again and again
  //                                                               live on
  // has closed
  //                                asks who holds the file
  /// A child that was forked between the opening of a file and the note that it is to be kept from
  /// children, or between the end of that and its closing, kept its parent's locks, as long as it
  /// lived: for all others somebody had the file open, and a dead one was alive.
  @Test(arguments: [CommitProtocol.twoPhase, .none])
  func `A child that is forked while its parent opens or closes a file holds nothing of it`(
    how: CommitProtocol
  ) async throws {
    let folder = Folder()
    let path = folder.path
    try Coordinator(Toy.configuration(folder.file())).set([0: [1]])
    let isStored = how == .none
    await #expect(processExitsWith: .success) {
      [path = path as String, isStored = isStored as Bool] in
      let name = path + "/a.realm"
      let configuration = Toy.configuration(.file(path: name), isStored ? .none : .twoPhase)
      let isOver = Atomic(false)
      let opened = Atomic(0)
      let failure = Mutex<String?>(nil)
      let ended = DispatchSemaphore(value: 0)
      // What every child waits for: the end of its parent.
      var line: [Int32] = [0, 0]
      if pipe(&line) != 0 { stop("no pipe: \(errno)") }
      let opener = Thread {
        while !isOver.load(ordering: .acquiring) {
          do {
            let file = try Coordinator(configuration)
            if isStored { try file.set([1: [UInt8(opened.load(ordering: .relaxed) & 255)]]) }
            opened.add(1, ordering: .relaxed)
          } catch {
            failure.withLock { $0 = "\(error)" }
            break
          }
        }
        ended.signal()
      }
      opener.start()
      var children: [Int32] = []
      while children.count < 400, failure.withLock({ $0 == nil }) {
        let child = fork()
        if child == 0 {
          close(line[1])
          var byte: UInt8 = 0
          while read(line[0], &byte, 1) < 0 {}
          _exit(0)
        }
        if child < 0 { break }
        children.append(child)
        // It opens more than once between two of them.
        let before = opened.load(ordering: .relaxed)
        while opened.load(ordering: .relaxed) == before, failure.withLock({ $0 == nil }) {}
      }
      isOver.store(true, ordering: .releasing)
      ended.wait()
      let (file, lock) = (open(name, O_RDWR), open(name + ".lock", O_RDWR))
      let isFileHeld = rb_byte_held(file, LockFile.heldByte, 2) != 0
      let isLockHeld = rb_byte_held(lock, 0, 0) != 0
      close(line[1])
      for child in children { waitpid(child, nil, 0) }
      if let failure = failure.withLock({ $0 }) { stop(failure) }
      if children.count < 100 { stop("there were \(children.count) children") }
      if isFileHeld { stop("a child holds the file") }
      if isLockHeld { stop("a child holds the lock file") }
    }
  }

  // parent                         child
  // opens a realm
  //                                is forked, opens one
  // commits, as another process
  //                                turns the loop
  /// The turn that the parent's realm awaited came in the child, too: its realm listened there, and
  /// went on to the parent's next version, which nothing keeps for it. What the child has opened
  /// itself hears of others.
  @Test func `A child that is forked before its home turns follows only what it has opened`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let scratch = Scratch()
      let configuration = scratch.configuration([Keyed.self])
      let done = DispatchSemaphore(value: 0)
      let worker = Thread {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.create(Keyed.self, value: ["id": 1]) }
          // Each waits for the other's end to be closed.
          var (line, back): ([Int32], [Int32]) = ([0, 0], [0, 0])
          if pipe(&line) != 0 || pipe(&back) != 0 { stop("no pipe: \(errno)") }
          var byte: UInt8 = 0
          let child = fork()
          if child == 0 {
            close(line[1])
            let own = try? Realm(configuration: configuration)
            let keyed = own?.objects(Keyed.self)
            let isBefore = keyed?.count == 1
            close(back[0])
            close(back[1])
            while read(line[0], &byte, 1) < 0 {}
            // Timers do not come in a child: one pass of the loop, and another one.
            let limit = rb_uptime() + 20_000_000_000
            while keyed?.count != 2, rb_uptime() < limit {
              CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true)
            }
            let (mine, parents) = (keyed?.count, realm.objects(Keyed.self).count)
            _exit(!isBefore ? 1 : mine != 2 ? 2 : parents != 1 ? 3 : 0)
          }
          close(back[1])
          while read(back[0], &byte, 1) < 0 {}
          var apart = configuration
          apart.cache = false
          let file = try Coordinator(configuration.storage)
          let other = Realm(try Session.openHere(apart, of: file))
          try other.write { other.create(Keyed.self, value: ["id": 2]) }
          close(line[1])
          var status: Int32 = 0
          waitpid(child, &status, 0)
          let found = ["", "no realm", "it hears of nobody", "it follows the parent's"]
          if status != 0 { stop(found[min(3, Int(status >> 8))] + ", \(status)") }
        } catch { stop("\(error)") }
        done.signal()
      }
      worker.start()
      done.wait()
    }
  }
}

/// The system's, which Swift keeps from us.
private func fork() -> Int32 {
  typealias Fork = @convention(c) () -> Int32
  return unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
}
