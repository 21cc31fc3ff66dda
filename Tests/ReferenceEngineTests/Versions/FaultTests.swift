import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// A failure of the disk at any call surfaces as an error, and takes nothing away.
@Suite struct FaultTests {
  private func open(_ disk: any Disk) throws -> Coordinator {
    try Coordinator(Toy.configuration(.memory(identifier: "faulty")), disk: disk, lockPath: nil)
  }

  /// What a next session would find on the same disk.
  private func reopened(_ disk: any Disk) throws -> [[UInt8]] {
    var bytes = [UInt8](repeating: 0, count: Int(try disk.size()))
    _ = try bytes.withUnsafeMutableBytes { try disk.read(into: $0, at: 0) }
    let image = try bytes.withUnsafeBytes { try ImageDisk($0) }
    let coordinator = try open(image)
    try coordinator.checkEverything()
    return try coordinator.newestContent()
  }

  enum Act: CaseIterable, Sendable {
    case twoPhase, singleFlush, none, group, bigCommit
  }

  @Test(arguments: Act.allCases, FailingDisk.Failure.allCases)
  func `WRITE-27: a failure at any call surfaces, and the next write works`(
    act: Act, failure: FailingDisk.Failure
  ) throws {
    var surfaced = 0
    for sticky in [false, true] {
      for call in 0..<40 {
        let disk = FailingDisk(try ImageDisk(UnsafeRawBufferPointer(start: nil, count: 0)))
        let coordinator = try open(disk)
        try coordinator.set([0: [1], 1: [1]])
        try coordinator.set([1: [2]])
        let held = try coordinator.newestSnapshot(kind: .frozen)
        disk.fail(at: call, failure, sticky: sticky)
        var error: (any Error)?
        do {
          switch act {
          case .twoPhase: try coordinator.set([0: [3]], .twoPhase)
          case .singleFlush: try coordinator.set([0: [3]], .singleFlush)
          case .none: try coordinator.set([0: [3]], CommitProtocol.none)
          case .bigCommit:
            try coordinator.set([0: [3], 9: [UInt8](repeating: 9, count: 300_000)], .twoPhase)
          case .group:
            _ = try coordinator.seal([0: [3]], in: try coordinator.beginWrite())
            do {
              _ = try coordinator.seal([2: [3]], in: coordinator.continueGroup())
            } catch {
              // The first of them is whole: it is committed, and the failure reported all the same.
              _ = try? coordinator.commitGroup(.twoPhase)
              throw error
            }
            _ = try coordinator.commitGroup(.twoPhase)
          }
        } catch let caught {
          error = caught
        }
        guard disk.hasFailed else {
          #expect(error == nil)
          break
        }
        // Old data is there, whatever happened.
        #expect(Toy.content(held.root, held.space)[0...1] == [[1], [2]])
        if let error {
          surfaced += 1
          #expect(!"\(error)".isEmpty)
          let now = try coordinator.newestContent()[0]
          #expect(act == .group ? [[1], [3]].contains(now) : now == [1])
        }
        if !sticky || act == .group { #expect(error != nil) }
        disk.heal()
        try coordinator.set([0: [4]])
        #expect(try coordinator.newestContent()[0] == [4])
        try coordinator.checkEverything()
        for value in UInt8(5)..<15 { try coordinator.set([0: [value], 1: [value]]) }
        try coordinator.checkEverything()
        #expect(try reopened(disk)[0] == [14])
      }
    }
    #expect(surfaced > 3)
  }

  @Test func `A failure while a file is made leaves nothing that hinders the next`() throws {
    for call in 0..<20 {
      let disk = FailingDisk(try ImageDisk(UnsafeRawBufferPointer(start: nil, count: 0)))
      disk.staysOpen = true
      disk.fail(at: call, .torn, sticky: false)
      let coordinator = try? open(disk)
      if !disk.hasFailed { break }
      #expect(coordinator == nil)
      disk.heal()
      var bytes = [UInt8](repeating: 0, count: Int(try disk.size()))
      _ = try bytes.withUnsafeMutableBytes { try disk.read(into: $0, at: 0) }
      let again = try open(try bytes.withUnsafeBytes { try ImageDisk($0) })
      try again.set([0: [1]])
      #expect(try again.newestContent()[0] == [1])
    }
  }
}
