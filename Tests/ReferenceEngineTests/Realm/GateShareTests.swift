import Testing

@testable import ReferenceEngine

private final class Awaitable: Sendable {}

/// Every event in every state: what asynchronous writes have of the gate is one thing at a time.
@Suite struct `What asynchronous writes have of the gate` {
  private typealias Share = GateShare<Awaitable, String, Int>

  private enum State: CaseIterable { case nothing, awaited, held, open }

  private static let wait = Awaitable()

  private static func share(_ state: State) -> Share {
    switch state {
    case .nothing: .nothing
    case .awaited: .awaited(wait)
    case .held: .held("held")
    case .open: .open(7)
    }
  }

  private static func state(_ share: Share) -> State {
    switch share {
    case .nothing: .nothing
    case .awaited: .awaited
    case .held: .held
    case .open: .open
    }
  }

  /// What is taken is what is there, once; all else stays as it is.
  @Test(arguments: [0, 1, 2, 3])
  func `is taken as what it is, or not at all`(number: Int) {
    let state = State.allCases[number]
    func after(_ kind: State) -> State { state == kind ? .nothing : state }
    var share = Self.share(state)
    let wait = share.takeWait()
    #expect((wait === Self.wait) == (state == .awaited))
    #expect(Self.state(share) == after(.awaited))
    share = Self.share(state)
    let held = share.takeHeld()
    #expect(held == (state == .held ? "held" : nil))
    #expect(Self.state(share) == after(.held))
    share = Self.share(state)
    let open = share.takeOpen()
    #expect(open == (state == .open ? 7 : nil))
    #expect(Self.state(share) == after(.open))
  }

  @Test(arguments: [0, 1, 2, 3])
  func `a wait arrives where it is awaited, and nowhere else`(number: Int) {
    let state = State.allCases[number]
    var share = Self.share(state)
    let stranger = share.arrives(Awaitable())
    #expect(!stranger && Self.state(share) == state)
    let first = share.arrives(Self.wait)
    #expect(first == (state == .awaited))
    #expect(Self.state(share) == (state == .awaited ? .nothing : state))
    let again = share.arrives(Self.wait)
    #expect(!again)
  }

  @Test func `comes to those who have nothing`() {
    var share = Share.nothing
    share.awaits(Self.wait)
    #expect(share.isAwaited && !share.isNothing && !share.isOpen)
    share = .nothing
    share.holds("held")
    #expect(Self.state(share) == .held && !share.isAwaited)
    share = .nothing
    share.opens(7)
    #expect(share.isOpen && !share.isNothing)
  }

  /// A second write, or a wait beside one, would be forgotten with the gate in its hand.
  @Test(arguments: [1, 2, 3], [0, 1, 2])
  func `never comes to those who have something`(number: Int, event: Int) async {
    await #expect(processExitsWith: .failure) {
      [number = number as Int, event = event as Int] in
      var share: GateShare<Awaitable, String, Int> =
        [.awaited(Awaitable()), .held("held"), .open(7)][number - 1]
      switch event {
      case 0: share.awaits(Awaitable())
      case 1: share.holds("other")
      default: share.opens(8)
      }
    }
  }
}
