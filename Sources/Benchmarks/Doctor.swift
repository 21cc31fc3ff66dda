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
    var found = environment(of: request)
    look(at: Machine.read(), &found)
    look(at: try StorageProbe(workdir), &found)
    (found.clockCost, found.clockResolution) = Stopwatch.calibrate()
    (found.gaps, found.longestGap) = Stopwatch.gaps()
    found.countsAllocations = Allocations.library != nil && countsAllocations
    let remedies = remedies(for: found)
    found.warnings = remedies.map(\.finding)
    return Doctor(environment: found, remedies: remedies)
  }

  // MARK: Looking

  private static func environment(of request: RunRequest) -> Environment {
    var e = Environment()
    e.allocator = ProcessInfo.processInfo.environment["LD_PRELOAD"] ?? "system"
    e.commit = request.commit
    e.subject = request.subject
    e.dirty = request.dirty
    e.toolchain = request.toolchain
    e.build = isOptimised ? "release" : "debug"
    e.engines = Catalogue.engines
    return e
  }

  private static func look(at machine: Machine, _ e: inout Environment) {
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
  }

  private static func look(at probe: StorageProbe, _ e: inout Environment) {
    e.storage.path = probe.path
    e.storage.filesystem = probe.filesystem
    e.storage.device = probe.device
    e.storage.flushMedian = probe.median
    e.storage.flushP95 = probe.p95
    e.storage.freeBytes = probe.freeBytes
    e.storage.durability = durability(flush: probe.median, isMemory: probe.isMemory)
  }

  /// What a flush of so many nanoseconds can have reached.
  static func durability(flush: Double, isMemory: Bool) -> Environment.Durability {
    isMemory || flush < 2000 ? .none : flush < 50_000 ? .volatile : .plausible
  }

  // MARK: Judging

  /// What cannot be trusted or measured there, and what to do about it.
  static func remedies(for e: Environment) -> [Remedy] {
    ofBuild(e) + ofDisk(e) + ofCounters(e) + ofClock(e) + ofOthers(e)
  }

  private static func ofBuild(_ e: Environment) -> [Remedy] {
    var found: [Remedy] = []
    if e.build == "debug" {
      found.append(
        Remedy(
          finding: "this is a debug build: its numbers mean nothing",
          remedy: "swift build -c release, or make bench"))
    }
    if let reason = Engine.coreLibrary?.reason {
      found.append(
        Remedy(
          finding: "realm-core cannot be used: \(reason)",
          remedy: "docs/REALM.md says which library it has to be"))
    } else if let reason = Engine.absence {
      found.append(
        Remedy(
          finding: "the engine '\(Engine.name)' is not there: \(reason)",
          remedy: "--realm-core PATH"))
    }
    return found
      + Catalogue.missing.map { part in
        Remedy(
          finding: "this build is without \(part.name): \(part.loss)",
          remedy: "swift build with the default traits, or --traits \(part.name)")
      }
  }

  private static func ofDisk(_ e: Environment) -> [Remedy] {
    var found: [Remedy] = []
    if e.storage.durability != .plausible {
      found.append(
        Remedy(
          finding: "\(e.storage.durability.sentence) (\(e.storage.filesystem), "
            + "flush \(Int(e.storage.flushMedian)) ns)",
          remedy: "--workdir on a disk with a real flush; on a virtual machine ask for "
            + "write-through disks"))
    }
    if e.storage.freeBytes < 4e9, e.storage.freeBytes > 0 {
      found.append(
        Remedy(
          finding: "less than 4 GB are free in \(e.storage.path)", remedy: "--workdir elsewhere"))
    }
    return found
  }

  private static func ofCounters(_ e: Environment) -> [Remedy] {
    var found: [Remedy] = []
    if !e.perfEvents {
      found.append(
        Remedy(
          finding: "no hardware counters: instructions are not counted",
          remedy: "sudo sysctl kernel.perf_event_paranoid=2, or a machine that passes its "
            + "counters on"))
    }
    if Allocations.isWanted, !e.countsAllocations {
      found.append(
        Remedy(
          finding: "allocations are not counted: jemalloc is missing",
          remedy: "sudo apt-get install libjemalloc2"))
    }
    return found
  }

  private static func ofClock(_ e: Environment) -> [Remedy] {
    var found: [Remedy] = []
    if !e.governor.isEmpty, e.governor != "performance" {
      found.append(
        Remedy(
          finding: "the clock rate follows the load (governor \(e.governor))",
          remedy: "sudo cpupower frequency-set -g performance"))
    }
    if !e.clockSource.isEmpty, !["tsc", "arch_sys_counter"].contains(e.clockSource) {
      found.append(
        Remedy(
          finding: "reading the clock is slow (\(e.clockSource)): short operations are batched "
            + "only",
          remedy: "boot with clocksource=tsc"))
    }
    return found
  }

  /// Who else uses the machine.
  private static func ofOthers(_ e: Environment) -> [Remedy] {
    var found: [Remedy] = []
    if e.usableCores > 0, e.usableCores < Double(e.cores) {
      found.append(
        Remedy(
          finding: "of this machine's \(e.cores) cores this process has "
            + "\(CSV.number(e.usableCores)): more threads than that are oversubscribed",
          remedy: "start it without taskset, or give its container more cores"))
    }
    if e.pressure > 20 {
      found.append(
        Remedy(
          finding: "other work waits for this machine's cores "
            + "(pressure \(Int(nearest: e.pressure)) %)",
          remedy: "stop it, or wait: the spread of every number grows"))
    }
    if e.steal > 2 {
      found.append(
        Remedy(
          finding: "the host steals \((e.steal * 10).rounded() / 10) % of the time",
          remedy: "another machine or hour"))
    }
    if e.gaps > 200 || e.longestGap > 10_000_000 {
      found.append(
        Remedy(
          finding: "the scheduler interrupts often: \(e.gaps) gaps over 50 µs in half a second",
          remedy: "high percentiles show the scheduler, not the engine"))
    }
    return found
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
