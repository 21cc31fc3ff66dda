import Testing

@testable import Conformance

@Suite struct `Wide programs` {
  @Test func `are the same for the same seed, and for their text`() {
    for seed in UInt64(0)..<30 {
      let program = WideProgram(seed: seed, Programs.usual, length: 10...30)
      #expect(WideProgram(program.text) == program)
      #expect(WideProgram(seed: seed, Programs.usual, length: 10...30) == program)
    }
    for text in ["p", "jh000000", "ph00000-"] { #expect(WideProgram(text) == nil, "\(text)") }
  }

  /// A program that was made short was text alone: only the long one came again, by its seed.
  @Test func `are found again in what a finding says, and run by the rules that have some`() {
    #expect(Programs.told(in: "3, not 4; by the program ph000000dt12345z") == "ph000000dt12345z")
    #expect(Programs.told(in: "3, not 4; by the program ph00") == nil)
    #expect(Programs.told(in: "3, not 4") == nil)
    #expect(Catalogue.rule("READ-05")?.runs(program: "ph000000") == true)
    #expect(Catalogue.rule("READ-05")?.runs(program: "") == false)
    #expect(Catalogue.rule("READ-05")?.runs(program: "ABBA") == false)
    #expect(Catalogue.rule("READ-01")?.runs(program: "ph000000") == false)
  }
}

@Suite struct `The wide model` {
  private func piece(_ state: inout WideState, _ birth: Int) {
    state.add(birth, .piece, .int(birth), Piece.members.map(\.blank))
  }

  @Test func `takes what goes out of everything that held it`() {
    var state = WideState()
    for birth in 1...3 { piece(&state, birth) }
    let (next, members) = (Piece.place("next"), Piece.place("members"))
    state.set(1, next, .single(.row(2)))
    state.set(1, members, .list([.row(2), .row(3), .row(2)]))
    state.set(1, Piece.place("named"), .map(["a": .row(2), "b": .row(3)]))
    state.set(1, Piece.place("mixture"), .list([.row(2), .int(1)]))
    state.set(3, Piece.place("box"), .single(.box([.text("a"), .int(1), .row(2)])))
    #expect(state.linkers(2, .piece, members) == [1, 1])
    state.delete([2])
    #expect(state.birth(.piece, .int(2)) == nil)
    #expect(state.content(1, next) == .single(.null))
    #expect(state.content(1, members) == .list([.row(3)]))
    #expect(state.content(1, Piece.place("named")) == .map(["a": .null, "b": .row(3)]))
    #expect(state.content(1, Piece.place("mixture")) == .list([.null, .int(1)]))
    #expect(state.content(3, Piece.place("box")) == .single(.box([.text("a"), .int(1), .null])))
  }

  @Test func `compares null with nothing`() {
    #expect(Worth.null.satisfies(.equal, .null) && Worth.null.satisfies(.unequal, .int(0)))
    #expect(!Worth.null.satisfies(.less, .int(0)) && !Worth.int(0).satisfies(.atLeast, .null))
    #expect(Worth.null.precedes(.int(.min)) && !Worth.int(0).precedes(.null))
  }
}
