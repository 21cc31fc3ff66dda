import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

@Suite struct LossProgramTests {
  @Test
  func `LIFE-12, REF-09, NOTIFY-07: whatever is lost, all kinds of things show what is there`()
    async
  {
    let seed = Wish.seed(orElse: 1)
    let count = Wish.number("COUNT", orElse: 4)
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [seed = seed as UInt64, count = count as Int] in
      var losses = 0
      for number in 0..<count {
        let program = LossProgram(seed: seed &+ 2 &* UInt64(number))
        program.run(80)
        losses += program.losses
        if !program.isBroken { continue }
        return print("SEED=\(seed &+ 2 &* UInt64(number))\n" + program.log.joined(separator: "\n"))
      }
      if losses == 0 { print("WRONG: nothing was lost") }
    }
    let told = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(!told.contains("WRONG"), "\(told)")
  }
}
