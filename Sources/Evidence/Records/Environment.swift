/// What a run was measured on and with: a number without it means nothing.
package struct Environment: Codable, Hashable, Sendable {
  /// Whether a flush on this disk can be believed.
  package enum Durability: String, Codable, Sendable {
    /// Faster than any medium: memory, or flushes are ignored.
    case none
    /// As fast as a cache: of the drive, or of the host of a virtual machine.
    case volatile
    /// As slow as a medium; no proof that it is one.
    case plausible

    package var sentence: String {
      switch self {
      case .none: "flushes cost nothing here: durability numbers are NOT media-durable"
      case .volatile: "flushes end in a volatile cache: durability numbers are NOT media-durable"
      case .plausible: "flushes are slow enough to reach a medium"
      }
    }
  }

  package struct Storage: Codable, Hashable, Sendable {
    package var path = ""
    package var filesystem = ""
    package var device = ""
    package var durability = Durability.plausible
    /// Median and 95th percentile of 50 appends of 4 KiB with fdatasync, in ns.
    package var flushMedian = 0.0
    package var flushP95 = 0.0
    package var freeBytes = 0.0
    package init() {}
  }

  package struct Engine: Codable, Hashable, Sendable {
    package var name = ""
    package var version = ""
    /// How it was set up, in a sentence: a comparison is only as fair as this.
    package var setting = ""
    package init(name: String, version: String, setting: String) {
      self.name = name
      self.version = version
      self.setting = setting
    }
  }

  package var machineID = ""
  package var cpu = ""
  package var cores = 0
  /// Cores this process may use: affinity and cgroup limits, which `cores` does not know.
  package var usableCores = 0.0
  package var memoryBytes = 0.0
  package var kernel = ""
  package var system = ""
  package var architecture = ""
  package var virtualized = ""
  package var governor = ""
  package var clockSource = ""
  package var clockCost = 0.0
  package var clockResolution = 0.0
  package var storage = Storage()
  package var toolchain = ""
  package var build = ""
  package var commit = ""
  package var subject = ""
  package var dirty = false
  package var engines: [Engine] = []
  package var allocator = ""
  package var perfEvents = false
  package var countsAllocations = false
  /// Scheduler gaps over 50 µs in half a second of spinning, and the longest of them in ns.
  package var gaps = 0
  package var longestGap = 0.0
  package var load = 0.0
  /// The same when the run had ended; absent in older records.
  package var loadAtEnd: Double?
  package var steal = 0.0
  package var pressure = 0.0
  /// The processor's caches, smallest first; absent in older records and where nothing says so.
  package var caches: String?
  /// Whether programs lie at random addresses; absent in older records.
  package var randomized: Bool?
  /// What cannot be trusted here, and what it invalidates: one sentence each.
  package var warnings: [String] = []

  package init() {}

  package init(from decoder: any Decoder) throws {
    // Every field may be absent: records of older versions lack the newer ones.
    let box = try decoder.container(keyedBy: CodingKeys.self)
    func value<T: Decodable>(_ key: CodingKeys, _ fallback: T) throws -> T {
      try box.decodeIfPresent(T.self, forKey: key) ?? fallback
    }
    machineID = try value(.machineID, "")
    cpu = try value(.cpu, "")
    cores = try value(.cores, 0)
    usableCores = try value(.usableCores, 0)
    memoryBytes = try value(.memoryBytes, 0)
    kernel = try value(.kernel, "")
    system = try value(.system, "")
    architecture = try value(.architecture, "")
    virtualized = try value(.virtualized, "")
    governor = try value(.governor, "")
    clockSource = try value(.clockSource, "")
    clockCost = try value(.clockCost, 0)
    clockResolution = try value(.clockResolution, 0)
    storage = try value(.storage, Storage())
    toolchain = try value(.toolchain, "")
    build = try value(.build, "")
    commit = try value(.commit, "")
    subject = try value(.subject, "")
    dirty = try value(.dirty, false)
    engines = try value(.engines, [])
    allocator = try value(.allocator, "")
    perfEvents = try value(.perfEvents, false)
    countsAllocations = try value(.countsAllocations, false)
    gaps = try value(.gaps, 0)
    longestGap = try value(.longestGap, 0)
    load = try value(.load, 0)
    loadAtEnd = try box.decodeIfPresent(Double.self, forKey: .loadAtEnd)
    caches = try box.decodeIfPresent(String.self, forKey: .caches)
    randomized = try box.decodeIfPresent(Bool.self, forKey: .randomized)
    steal = try value(.steal, 0)
    pressure = try value(.pressure, 0)
    warnings = try value(.warnings, [])
  }
}

extension Environment {
  /// What must be equal before durations of two runs may be judged against each other.
  package func incompatibility(with other: Environment) -> String? {
    if let doubt = doubt ?? other.doubt { return doubt }
    if machineID != other.machineID {
      return "measured on different machines (\(machineID) and \(other.machineID))"
    }
    if storage.durability != other.storage.durability {
      return
        "storage differs (\(storage.durability.rawValue) and \(other.storage.durability.rawValue))"
    }
    return doubt(beside: other)
  }

  /// What contradicts itself: whoever changed the one has not changed the other, and what was
  /// measured on nobody knows. Nil where nothing does, and where a record does not say.
  private var doubt: String? {
    guard cores > 0, usableCores > Double(cores) || usableCores < 0 else { return nil }
    return
      "an environment says that \(CSV.number(usableCores)) of \(cores) cores were usable, which "
      + "nobody can have measured: the record was changed"
  }

  /// The name of a machine is made of its processor, its cores and its memory: two of one name that
  /// differ in these are not as they were measured.
  private func doubt(beside other: Environment) -> String? {
    func memory(_ one: Environment) -> String {
      one.memoryBytes > 0 && one.memoryBytes < 1e18 ? String(Int(one.memoryBytes) >> 28) : ""
    }
    func count(_ one: Environment) -> String { one.cores > 0 ? String(one.cores) : "" }
    for (what, mine, others) in [
      ("processor", cpu, other.cpu), ("number of cores", count(self), count(other)),
      ("memory, in pieces of 256 MiB,", memory(self), memory(other)),
      ("architecture", architecture, other.architecture),
    ] where mine != others && !mine.isEmpty && !others.isEmpty {
      return
        "both runs are of the machine \(machineID), but its \(what) is \(mine) in one and "
        + "\(others) in the other: a record was changed"
    }
    return nil
  }
}
