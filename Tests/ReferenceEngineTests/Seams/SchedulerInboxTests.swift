import Testing

@testable import ReferenceEngine

@Suite("What is on its way to a home")
struct SchedulerInboxTests {
  @Test("a home is told once of what it has not come for")
  func toldOnce() {
    let inbox = SchedulerInbox()
    #expect(inbox.add {})
    #expect(!inbox.add {})
    inbox.drain()
    #expect(inbox.add {})
  }

  @Test("a home that looks again is not told of what is added meanwhile")
  func looksAgain() {
    let inbox = SchedulerInbox()
    let order = Noted<String>()
    _ = inbox.add {
      order.add("first")
      let isTold = inbox.add { order.add("second") }
      #expect(!isTold)
    }
    inbox.drain()
    #expect(order.all == ["first", "second"])
  }

  @Test("a loop that work turns is told of what waits and of what is added while it turns")
  func loops() {
    let inbox = SchedulerInbox()
    let order = Noted<String>()
    _ = inbox.add {
      // Of what waits already, by the beginning alone.
      #expect(inbox.loopBegins())
      #expect(!inbox.add { order.add("third") })
      inbox.drain()
      #expect(order.all == ["second", "third"])
      #expect(inbox.add { order.add("fourth") })
      inbox.drain()
      inbox.loopEnds()
      #expect(!inbox.add { order.add("fifth") })
      order.add("first")
      // Another loop, before anything waits that was not told.
      #expect(inbox.loopBegins())
      inbox.loopEnds()
    }
    _ = inbox.add { order.add("second") }
    inbox.drain()
    #expect(order.all == ["second", "third", "fourth", "first", "fifth"])
    #expect(inbox.add {})
  }

  @Test("a loop that work turns is told of what is added behind one that turned inside it")
  func loopsInLoops() {
    let inbox = SchedulerInbox()
    let order = Noted<String>()
    _ = inbox.add {
      #expect(!inbox.loopBegins())
      // A timer turns another one for a moment.
      #expect(!inbox.loopBegins())
      inbox.loopEnds()
      #expect(inbox.add { order.add("second") })
      inbox.drain()
      // And again, behind work that has run in the loop.
      #expect(!inbox.loopBegins())
      inbox.loopEnds()
      #expect(inbox.add { order.add("third") })
      inbox.drain()
      inbox.loopEnds()
      #expect(!inbox.add { order.add("fourth") })
      order.add("first")
    }
    inbox.drain()
    #expect(order.all == ["second", "third", "first", "fourth"])
    #expect(inbox.add {})
  }

  @Test("a loop that nobody's work turns changes nothing")
  func otherLoops() {
    let inbox = SchedulerInbox()
    #expect(!inbox.loopBegins())
    #expect(inbox.add {})
    #expect(!inbox.loopBegins())
    inbox.loopEnds()
    #expect(!inbox.add {})
    inbox.drain()
    inbox.loopEnds()
    #expect(inbox.add {})
  }
}
