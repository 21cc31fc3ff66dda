import Foundation
import Harness
import Synchronization
import Testing

@Suite struct `The cast` {
  @Test func `orders events by stamps`() throws {
    let cast = Cast()
    let opened = Latch("opened")
    cast.thread("one") {
      cast.stamps.mark("first")
      opened.open()
    }
    cast.thread("two") {
      #expect(opened.wait(.seconds(10)))
      cast.stamps.mark("second")
    }
    #expect(try cast.joinAll(.seconds(10)).isEmpty)
    #expect(cast.stamps.ordered("first", before: "second"))
    #expect(!cast.stamps.ordered("second", before: "first"))
    #expect(!cast.stamps.ordered("never", before: "first"))
  }

  @Test func `names who did not finish`() throws {
    let cast = Cast()
    let never = Latch("never")
    cast.thread("quick") {}
    cast.thread("stuck") { _ = never.wait(.seconds(20)) }
    #expect(try cast.joinAll(.milliseconds(100)) == ["stuck"])
    never.open()
    #expect(try cast.joinAll(.seconds(10)).isEmpty)
  }

  @Test func `hands on what a member threw`() throws {
    struct Trouble: Error {}
    let cast = Cast()
    let member = cast.thread("thrower") { throw Trouble() }
    #expect(throws: Trouble.self) { try member.join(.seconds(10)) }
  }

  @Test func `releases what a member held before its end is announced`() throws {
    final class Held {
      let released: Flag
      init(_ released: Flag) { self.released = released }
      deinit { released.value.withLock { $0 = true } }
    }
    let released = Flag()
    let cast = Cast()
    var held: Held? = Held(released)
    let member = cast.thread("holder") { [held] in _ = held }
    held = nil
    #expect(try member.join(.seconds(10)))
    #expect(released.value.withLock { $0 })
  }
}

final class Flag: Sendable {
  let value = Mutex(false)
}

@Suite struct `A scratch directory` {
  @Test func `goes away with its last holder`() throws {
    var scratch: Scratch? = try Scratch("trial")
    let path = try #require(scratch?.path)
    try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/file"))
    #expect(FileManager.default.fileExists(atPath: path))
    scratch = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
