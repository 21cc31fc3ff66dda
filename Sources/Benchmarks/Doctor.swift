import EngineUnderTest
import Evidence
import Foundation
import Harness

/// What this machine can measure, and what to do about what it cannot.
package struct Doctor: Codable, Sendable {
  package struct Remedy: Codable, Sendable {
    /// What cannot be trusted or measured.
    package let finding: String
    /// One line to type, or what to ask of whoever runs the machine.
    package let remedy: String
  }

  package var environment: Environment
  package var remedies: [Remedy]

  /// Looks at the machine and at the disk of a directory. Takes about half a second.
  package static func examine(_ request: RunRequest, workdir: URL) throws -> Doctor {
    var e = Environment()
    var remedies: [Remedy] = []
    func say(_ finding: String, _ remedy: String) {
      remedies.append(Remedy(finding: finding, remedy: remedy))
    }
    let machine = Machine.read()
    e.machineID = machine.identifier
    e.cpu = machine.processor
    e.cores = machine.cores
    e.usableCores = machine.usableCores
    e.memoryBytes = machine.memoryBytes
    e.kernel = machine.kernel
    e.system = machine.system
    e.architecture = machine.architecture
    e.virtualized = machine.virtualization
    e.governor = machine.governor
    e.clockSource = machine.clockSource
    e.caches = machine.caches.isEmpty ? nil : machine.caches
    e.randomized = machine.randomizesAddresses
    e.load = machine.load
    e.pressure = machine.pressure
    e.steal = machine.stealPercent
    e.perfEvents = machine.hasInstructionCounter
    e.allocator = ProcessInfo.processInfo.environment["LD_PRELOAD"] ?? "system"
    e.commit = request.commit
    e.subject = request.subject
    e.dirty = request.dirty
    e.toolchain = request.toolchain
    e.build = isOptimised ? "release" : "debug"
    e.engines = Catalogue.engines
    (e.clockCost, e.clockResolution) = Stopwatch.calibrate()
    (e.gaps, e.longestGap) = Stopwatch.gaps()
    let probe = try StorageProbe(workdir)
    e.storage.path = probe.path
    e.storage.filesystem = probe.filesystem
    e.storage.device = probe.device
    e.storage.flushMedian = probe.median
    e.storage.flushP95 = probe.p95
    e.storage.freeBytes = probe.freeBytes
    e.storage.durability =
      probe.isMemory || probe.median < 2000
      ? .none : probe.median < 50_000 ? .volatile : .plausible
    e.countsAllocations = Allocations.library != nil && countsAllocations
    if e.build == "debug" {
      say(
        "this is a debug build: its numbers mean nothing", "swift build -c release, or make bench")
    }
    if e.storage.durability != .plausible {
      say(
        "\(e.storage.durability.sentence) (\(e.storage.filesystem), "
          + "flush \(Int(e.storage.flushMedian)) ns)",
        "--workdir on a disk with a real flush; on a virtual machine ask for write-through disks")
    }
    if !e.perfEvents {
      say(
        "no hardware counters: instructions are not counted",
        "sudo sysctl kernel.perf_event_paranoid=2, or a machine that passes its counters on")
    }
    if let reason = Engine.coreLibrary?.reason {
      say("realm-core cannot be used: \(reason)", "docs/REALM.md says which library it has to be")
    } else if let reason = Engine.absence {
      say("the engine '\(Engine.name)' is not there: \(reason)", "--realm-core PATH")
    }
    for part in Catalogue.missing {
      say(
        "this build is without \(part.name): \(part.loss)",
        "swift build with the default traits, or --traits \(part.name)")
    }
    if Allocations.isWanted, !e.countsAllocations {
      say(
        "allocations are not counted: jemalloc is missing", "sudo apt-get install libjemalloc2")
    }
    if !e.governor.isEmpty, e.governor != "performance" {
      say(
        "the clock rate follows the load (governor \(e.governor))",
        "sudo cpupower frequency-set -g performance")
    }
    if !e.clockSource.isEmpty, !["tsc", "arch_sys_counter"].contains(e.clockSource) {
      say(
        "reading the clock is slow (\(e.clockSource)): short operations are batched only",
        "boot with clocksource=tsc")
    }
    if e.pressure > 20 {
      say(
        "other work waits for this machine's cores (pressure \(e.pressure) %)",
        "stop it, or wait: the spread of every number grows")
    }
    if e.steal > 2 {
      say(
        "the host steals \((e.steal * 10).rounded() / 10) % of the time", "another machine or hour")
    }
    if e.gaps > 200 || e.longestGap > 10_000_000 {
      say(
        "the scheduler interrupts often: \(e.gaps) gaps over 50 µs in half a second",
        "high percentiles show the scheduler, not the engine")
    }
    if e.storage.freeBytes < 4e9, e.storage.freeBytes > 0 {
      say("less than 4 GB are free in \(probe.path)", "--workdir elsewhere")
    }
    e.warnings = remedies.map(\.finding)
    return Doctor(environment: e, remedies: remedies)
  }

  /// Whether the optimiser has been at work.
  package static var isOptimised: Bool {
    var debug = false
    assert(
      {
        debug = true
        return true
      }())
    return !debug
  }

  /// Counting works only if a child really finds the other allocator: asked once, not assumed.
  private static var countsAllocations: Bool {
    guard let environment = Allocations.environment else { return false }
    let remains = try? ChildProcess(
      ChildProcess.thisProgram, ["measure", "--probe-allocations"], environment: environment,
      limits: .init(deadline: .seconds(10))
    ).run()
    return remains?.stdout.contains("allocations: counted") ?? false
  }

  /// What `measure --probe-allocations` prints.
  package static var allocationProbe: String {
    Allocations() == nil ? "allocations: not counted" : "allocations: counted"
  }

  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return ((try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}") + "\n"
  }
}
