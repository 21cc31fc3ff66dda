import Evidence
import Testing

@testable import Benchmarks

/// What a machine cannot do is told with what to do about it, and nothing else is.
struct DoctorTests {
  /// A machine about which there is nothing to say, but for what this build lacks.
  private static var calm: Environment {
    var e = Environment()
    e.build = "release"
    e.perfEvents = true
    e.countsAllocations = true
    e.governor = "performance"
    e.clockSource = "tsc"
    e.storage.durability = .plausible
    e.storage.freeBytes = 1e12
    return e
  }

  private struct Trouble: CustomTestStringConvertible, Sendable {
    let said: String
    let change: @Sendable (inout Environment) -> Void
    var testDescription: String { said }

    init(_ said: String, _ change: @escaping @Sendable (inout Environment) -> Void) {
      (self.said, self.change) = (said, change)
    }
  }

  private static let troubles = [
    Trouble("debug build") { $0.build = "debug" },
    Trouble("flushes cost nothing") { $0.storage.durability = .none },
    Trouble("volatile cache") { $0.storage.durability = .volatile },
    Trouble("less than 4 GB") { $0.storage.freeBytes = 1e9 },
    Trouble("no hardware counters") { $0.perfEvents = false },
    Trouble("(governor powersave)") { $0.governor = "powersave" },
    Trouble("(hpet)") { $0.clockSource = "hpet" },
    Trouble("of this machine's 4 cores this process has 1.5: ") {
      ($0.cores, $0.usableCores) = (4, 1.5)
    },
    Trouble("(pressure 35") { $0.pressure = 35 },
    Trouble("steals 3.4 %") { $0.steal = 3.44 },
    Trouble("300 gaps") { $0.gaps = 300 },
    Trouble("7 gaps") { ($0.gaps, $0.longestGap) = (7, 20_000_000) },
  ]

  @Test(arguments: troubles.indices)
  func `each trouble is told once, with its figure and a remedy`(index: Int) throws {
    let trouble = Self.troubles[index]
    let before = Doctor.remedies(for: Self.calm).map(\.finding)
    var environment = Self.calm
    trouble.change(&environment)
    let new = Doctor.remedies(for: environment).filter { !before.contains($0.finding) }
    #expect(new.count == 1, "\(trouble.said): \(new.map(\.finding))")
    #expect(new.first?.finding.contains(trouble.said) == true)
    #expect(new.first?.remedy.isEmpty == false)
  }

  @Test func `a machine that leaves nothing to wish for has only what the build lacks`() {
    let missing = Catalogue.missing.count
    let found = Doctor.remedies(for: Self.calm)
    #expect((missing...missing + 1).contains(found.count), "\(found.map(\.finding))")
  }

  /// The borders of docs/METHOD.md, "The disk".
  @Test func `a flush tells how far it reaches by its time`() {
    #expect(Doctor.durability(flush: 1_999, isMemory: false) == .none)
    #expect(Doctor.durability(flush: 2_000, isMemory: false) == .volatile)
    #expect(Doctor.durability(flush: 49_999, isMemory: false) == .volatile)
    #expect(Doctor.durability(flush: 50_000, isMemory: false) == .plausible)
    #expect(Doctor.durability(flush: 1_000_000, isMemory: true) == .none)
  }
}
