import CShims
import Foundation

/// What computer this is, and what it can measure.
///
/// Everything is read from the kernel's own files; what is not there stays empty and is said to be
/// unknown.
package struct Machine: Sendable {
  package var identifier = ""
  package var processor = ""
  package var cores = 0
  package var usableCores = 0.0
  package var memoryBytes = 0.0
  package var kernel = ""
  package var system = ""
  package var architecture = ""
  package var virtualization = ""
  package var governor = ""
  /// As `L1d 48K, L2 2048K, L3 256M`; empty where the kernel does not say.
  package var caches = ""
  /// Whether the kernel lays programs out at random; nil where it does not say.
  package var randomizesAddresses: Bool?
  package var clockSource = ""
  package var load = 0.0
  package var stealPercent = 0.0
  package var pressure = 0.0
  package var hasInstructionCounter = false
  package var allocationLibrary = ""

  package static func read() -> Machine {
    var machine = Machine()
    let cpuinfo = text("/proc/cpuinfo")
    machine.processor =
      field("model name", in: cpuinfo) ?? field("Hardware", in: cpuinfo) ?? "unknown"
    machine.cores = ProcessInfo.processInfo.processorCount
    machine.usableCores = Processors.usable
    machine.memoryBytes = Double(ProcessInfo.processInfo.physicalMemory)
    var names = utsname()
    uname(&names)
    machine.kernel = string(&names.release)
    machine.architecture = string(&names.machine)
    let release = text("/etc/os-release")
    machine.system =
      release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
      .map { $0.dropFirst(12).trimmingCharacters(in: ["\""]) } ?? "Linux"
    machine.virtualization = virtualization(cpuinfo)
    machine.caches = caches()
    machine.randomizesAddresses = Int(text("/proc/sys/kernel/randomize_va_space")).map { $0 > 0 }
    machine.governor = text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    machine.clockSource = text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    machine.load = text("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? 0
    machine.pressure = processorPressure() ?? 0
    machine.stealPercent = stolenShare() * 100
    machine.hasInstructionCounter = Counters().countsInstructions
    machine.allocationLibrary = Allocations.library ?? ""
    machine.identifier = fingerprint(
      [
        machine.processor, String(machine.cores), String(Int(machine.memoryBytes) >> 28),
        machine.architecture, ProcessInfo.processInfo.hostName,
      ].joined(separator: "|"))
    return machine
  }

  /// What of this process lies in memory now, mapped files included; nil where the kernel does not
  /// say.
  package static var residentBytes: Double? { status("VmRSS") }

  /// The most that it ever was. Of this program alone: what stood here before an `exec` is not
  /// counted.
  package static var peakResidentBytes: Double? { status("VmHWM") }

  private static func status(_ name: String) -> Double? {
    field(name, in: text("/proc/self/status"))
      .flatMap { Double($0.prefix { $0.isNumber }) }.map { $0 * 1024 }
  }

  /// A short name that is the same every time on this machine and tells nobody what it is called.
  private static func fingerprint(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return "m" + String(repeating: "0", count: 16 - digits.count).appending(digits).prefix(8)
  }

  /// Caches that hold data, as the first core sees them.
  private static func caches() -> String {
    let place = "/sys/devices/system/cpu/cpu0/cache"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.filter { $0.hasPrefix("index") }.sorted().compactMap { name -> String? in
      let (level, kind, size) = (
        text("\(place)/\(name)/level"), text("\(place)/\(name)/type"),
        text("\(place)/\(name)/size")
      )
      guard !size.isEmpty, kind != "Instruction" else { return nil }
      return "L\(level)\(kind == "Data" ? "d" : "") \(size)"
    }.joined(separator: ", ")
  }

  private static func virtualization(_ cpuinfo: String) -> String {
    if !text("/sys/hypervisor/type").isEmpty { return text("/sys/hypervisor/type") }
    let product =
      text("/sys/class/dmi/id/sys_vendor") + " " + text("/sys/class/dmi/id/product_name")
    for name in ["QEMU", "KVM", "VMware", "VirtualBox", "Xen", "Microsoft", "Amazon", "Google"]
    where product.contains(name) { return name }
    return cpuinfo.contains(" hypervisor") ? "yes" : ""
  }

  /// The kernel's `some avg10` of processor pressure: the share of time in which something waited
  /// for a core.
  package static func processorPressure() -> Double? {
    let line = text("/proc/pressure/cpu").split(separator: "\n").first ?? ""
    return line.split(separator: " ").first { $0.hasPrefix("avg10=") }.flatMap {
      Double($0.dropFirst(6))
    }
  }

  /// Ticks of all kinds and those stolen by the host, since boot.
  package static func ticks() -> (total: Double, stolen: Double) {
    let line = text("/proc/stat").split(separator: "\n").first ?? ""
    let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    return (numbers.reduce(0, +), numbers.count > 7 ? numbers[7] : 0)
  }

  private static func stolenShare() -> Double {
    let (total, stolen) = ticks()
    return total > 0 ? stolen / total : 0
  }

  private static func text(_ path: String) -> String {
    (KernelFile.text(path) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func field(_ name: String, in text: String) -> String? {
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      return line.split(separator: ":", maxSplits: 1).last.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }

  private static func string<T>(_ tuple: inout T) -> String {
    withUnsafeBytes(of: &tuple) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// What a flush on a directory's disk is worth.
package struct StorageProbe: Sendable {
  package var path = ""
  package var filesystem = ""
  package var device = ""
  /// Of 50 appends of 4 KiB, each followed by fdatasync, in ns.
  package var median = 0.0
  package var p95 = 0.0
  package var freeBytes = 0.0

  package init(_ directory: URL) throws {
    path = directory.path
    (filesystem, device) = StorageProbe.mount(of: path)
    var stat = statvfs()
    if statvfs(path, &stat) == 0 { freeBytes = Double(stat.f_bavail) * Double(stat.f_frsize) }
    let file = directory.appendingPathComponent("probe-\(UUID().uuidString.prefix(8))").path
    let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ProbeError(
        description: "cannot write to \(directory.path): \(String(cString: strerror(errno)))")
    }
    defer {
      close(descriptor)
      unlink(file)
    }
    let page = [UInt8](repeating: 0x5A, count: 4096)
    var times: [Double] = []
    for place in 0..<50 {
      let start = Stopwatch.now
      guard pwrite(descriptor, page, page.count, off_t(place * 4096)) == page.count else {
        throw ProbeError(
          description: "cannot write to \(directory.path): \(String(cString: strerror(errno)))")
      }
      fdatasync(descriptor)
      times.append(Double(Stopwatch.now - start))
    }
    times.sort()
    median = times[25]
    p95 = times[47]
  }

  package struct ProbeError: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether a file system forgets everything at power-off.
  package var isMemory: Bool { ["tmpfs", "ramfs", "devtmpfs"].contains(filesystem) }

  private static func mount(of path: String) -> (String, String) {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let mounts = KernelFile.text("/proc/self/mounts") ?? ""
    var best = ("", "", "")
    for line in mounts.split(separator: "\n") {
      let parts = line.split(separator: " ").map(String.init)
      guard parts.count > 2 else { continue }
      let at = parts[1]
      let covers = at == "/" || resolved == at || resolved.hasPrefix(at + "/")
      // A later line of the same length is mounted over the earlier one.
      if covers, at.count >= best.0.count { best = (at, parts[2], parts[0]) }
    }
    return (best.1, best.2)
  }
}
