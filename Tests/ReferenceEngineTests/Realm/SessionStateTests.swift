import Testing

@testable import ReferenceEngine

/// Every transition from every state: what a session is in is one thing at a time, and whoever
/// changes it comes from where that is meant.
@Suite struct `What a session is in` {
  enum Kind: Int, Codable, CaseIterable, Sendable {
    case idle, arrived, sealed, reading, writing, closed

    init(_ state: SessionState) {
      switch state {
      case .idle: self = .idle
      case .arrived: self = .arrived
      case .sealed: self = .sealed
      case .reading: self = .reading
      case .writing: self = .writing
      case .closed: self = .closed
      }
    }

    func state(_ write: WriteTransaction) -> SessionState {
      let root = write.base
      return switch self {
      case .idle: .idle
      case .arrived: .arrived(root)
      case .sealed: .sealed(root, unwritten: [])
      case .reading: .reading(root)
      case .writing: .writing(root, write)
      case .closed: .closed(root)
      }
    }
  }

  enum Event: Int, Codable, CaseIterable, Sendable {
    case arrive, look, begin, endWrite, place, leave, close

    /// From where it may come.
    var from: [Kind] {
      switch self {
      case .arrive: [.idle, .arrived, .sealed, .reading]
      case .look: [.arrived, .sealed]
      case .begin: [.arrived, .sealed, .reading]
      case .endWrite, .place: [.writing]
      case .leave: [.arrived, .sealed, .reading]
      case .close: [.reading]
      }
    }

    /// Where it leads.
    var to: Kind {
      switch self {
      case .arrive, .endWrite: .arrived
      case .look: .reading
      case .begin, .place: .writing
      case .leave: .idle
      case .close: .closed
      }
    }

    func happen(to state: inout SessionState, _ write: WriteTransaction) {
      switch self {
      case .arrive: state.arrive(at: write.base, unwritten: [])
      case .look: _ = state.look()
      case .begin: state.begin(write)
      case .endWrite: state.endWrite()
      case .place: state.place(write.base)
      case .leave: state.leave()
      case .close: state.close()
      }
    }
  }

  static func write() throws -> WriteTransaction {
    try Coordinator(Toy.configuration(.memory(identifier: "states"))).beginWrite()
  }

  @Test(arguments: Event.allCases)
  func `follows from where it may, and holds a version as long as it says`(event: Event) throws {
    let write = try Self.write()
    for kind in event.from {
      var state = kind.state(write)
      event.happen(to: &state, write)
      #expect(Kind(state) == event.to)
      #expect((state.root == nil) == (event.to == .idle))
      #expect((state.write === write) == (event.to == .writing))
    }
  }

  @Test(arguments: Event.allCases)
  func `comes from nowhere else`(event: Event) async {
    for kind in Kind.allCases where !event.from.contains(kind) {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [event = event as Event, kind = kind as Kind] in
        let write = try `What a session is in`.write()
        var state = kind.state(write)
        event.happen(to: &state, write)
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("the engine is wrong: "), "\(event) of \(kind): \(said.prefix(300))")
    }
  }

  /// Of a write that begins on another version than the session is on, nobody has been told.
  @Test func `enters a write on the version that it is based on`() async {
    await #expect(processExitsWith: .failure) {
      let write = try `What a session is in`.write()
      var state = SessionState.reading(.nowhere(write.base.version.next))
      state.begin(write)
    }
  }

  @Test func `is looked into before it is read, but in no version`() throws {
    let write = try Self.write()
    let shown = Kind.allCases.filter { $0.state(write).isShown }
    #expect(shown == [.reading, .writing])
    let unseen = Kind.allCases.filter { $0.state(write).isUnseen }
    #expect(unseen == [.arrived, .sealed, .closed])
    let left = Kind.allCases.filter { $0.state(write).rootToLeave != nil }
    #expect(left == [.arrived, .reading])
    #expect(Kind.allCases.filter { $0.state(write).isWriting } == [.writing])
  }
}
