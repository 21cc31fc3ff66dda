import Foundation
import Testing

@testable import Harness

@Suite struct `A black box` {
  @Test func `holds what was noted since it was restarted`() throws {
    let scratch = try Scratch("box")
    let box = try BlackBox(scratch.path + "/box")
    for letter in "AAB" { box.note(letter) }
    #expect(BlackBox.read(scratch.path + "/box") == "AAB")
    box.restart()
    box.note("C")
    #expect(BlackBox.read(scratch.path + "/box") == "C")
    #expect(BlackBox.read(scratch.path + "/none") == nil)
  }
}
