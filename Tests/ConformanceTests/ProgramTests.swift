import Foundation
import Harness
import Testing

@testable import Conformance

@Suite struct `Random programs` {
  @Test func `are the same for the same seed, and for their text`() {
    for seed in UInt64(0)..<50 {
      let program = AsyncProgram(seed: seed)
      #expect(AsyncProgram(program.text) == program)
      #expect(AsyncProgram(seed: seed) == program)
    }
    #expect(AsyncProgram("1w2") == nil)
    #expect(AsyncProgram("9w") == nil)
  }

  @Test func `get shorter by every run of acts`() throws {
    let program = try #require(AsyncProgram("1w2s3g4r"))
    #expect(program.shorter.map(\.text).prefix(2) == ["3g4r", "1w2s"])
    #expect(program.shorter.map(\.text).suffix(4) == ["2s3g4r", "1w3g4r", "1w2s4r", "1w2s3g"])
  }
}

@Suite struct `Model programs` {
  @Test func `are the same for the same seed, and for their text`() {
    for seed in UInt64(0)..<50 {
      let program = ModelProgram(seed: seed)
      #expect(ModelProgram(program.text) == program)
      #expect(ModelProgram(seed: seed) == program)
    }
    for text in ["p0", "u00", "pz0", "p-1"] { #expect(ModelProgram(text) == nil, "\(text)") }
  }

  @Test func `leave in the model what they say`() throws {
    var state = ModelState()
    for (number, act) in try #require(ModelProgram("p1ap2fl12a15d2z")).acts.enumerated() {
      state.apply(act, number: number)
    }
    #expect(
      state.rows == [1: .init(number: 0, text: "", numbers: [-5], next: nil)])
    #expect(state.births == [1: 0])
    #expect(state.keys(from: 0) == [1] && state.keys(from: 1).isEmpty)
  }
}

@Suite struct `A journal` {
  @Test func `gives back what a killed process came to`() throws {
    let scratch = try Scratch("journal")
    let path = scratch.path + "/journal"
    let journal = try Journal(path)
    let first = History.Transaction(
      session: 1, began: 1, ended: .max, inside: 2...3, snapshot: 4,
      outcome: .committed(version: 5),
      reads: [.init(key: 1, values: [1, 2])], appends: [.init(key: 1, value: 3)])
    journal.add(first, at: 0)
    journal.add(first, at: 1)
    journal.end(0, at: 9, .cancelled)
    // The last line of a process that is killed may be cut.
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("{\"added\":{\"pla".utf8))
    let found = Journal.read(path)
    var ended = first
    (ended.ended, ended.outcome) = (9, .cancelled)
    #expect(found.transactions == [ended, first])
    #expect(found.complaint == nil)
  }
}

@Suite struct `Stamps of several processes` {
  @Test func `are one counter`() throws {
    let scratch = try Scratch("stamps")
    let one = try SharedStamps(scratch.path + "/stamps")
    let other = try SharedStamps(scratch.path + "/stamps")
    #expect([one.draw(), other.draw(), one.draw()] == [1, 2, 3])
  }
}
