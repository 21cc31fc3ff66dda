import Foundation
import Testing

@testable import Harness

struct ScratchTests {
  @Test func `a sweep takes what the dead have left and nothing else`() throws {
    let parent = try Scratch("parent")
    func names() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: parent.path))
    }
    let mine = parent.url.appendingPathComponent("mine")
    try FileManager.default.createDirectory(at: mine, withIntermediateDirectories: true)
    // As a killed process leaves it: the file is there, its lock went with the process.
    let dead = parent.url.appendingPathComponent("work-dead")
    try FileManager.default.createDirectory(at: dead, withIntermediateDirectories: true)
    try Data().write(to: dead.appendingPathComponent(".owner"))
    try Data("x".utf8).write(to: dead.appendingPathComponent("realm"))
    let living = try Scratch("work", in: parent.url, isClaimed: true)
    for _ in 0..<2 {
      Scratch.sweep(parent.url)
      #expect(try names() == ["mine", living.url.lastPathComponent])
    }
    withExtendedLifetime(living) {}
  }

  // Every verb left an empty folder where it had been called.
  @Test func `the home of all goes with the last, unless something else lies in it`() throws {
    let parent = try Scratch("parent")
    let home = parent.url.appendingPathComponent(Scratch.home)
    var one: Scratch? = try Scratch("work", in: home, isClaimed: true)
    var other: Scratch? = try Scratch("work", in: home)
    #expect(one != nil && other != nil)
    one = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).count == 1)
    other = nil
    #expect(!FileManager.default.fileExists(atPath: home.path))
    one = try Scratch("work", in: home, isClaimed: true)
    try Data().write(to: home.appendingPathComponent("thresholds.json"))
    one = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["thresholds.json"])
  }

  @Test func `one that is let go is gone`() throws {
    let parent = try Scratch("parent")
    var one: Scratch? = try Scratch("work", in: parent.url, isClaimed: true)
    #expect(one != nil)
    one = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == [])
    // Sweeping what is not there is nothing to complain about.
    Scratch.sweep(parent.url.appendingPathComponent("nowhere"))
  }
}
