import Evidence

extension Environment {
  /// What makes two runs comparable, by name, spelled as people read it; empty where it is unknown.
  package var facts: [(name: String, value: String)] {
    func time(_ nanoseconds: Double) -> String { Figures.text(nanoseconds, "ns") }
    return [
      ("machine", machineID), ("processor", cpu), ("cores", String(cores)),
      ("usable cores", CSV.number(usableCores)), ("memory", Figures.text(memoryBytes, "B")),
      ("kernel", kernel), ("system", system), ("architecture", architecture),
      ("virtual machine", virtualized), ("governor", governor), ("clock source", clockSource),
      ("caches", caches ?? ""),
      ("addresses at random", randomized.map { $0 ? "yes" : "no" } ?? ""),
      ("clock cost", time(clockCost)), ("file system", storage.filesystem),
      ("durability class", storage.durability.rawValue),
      ("flush median", time(storage.flushMedian)), ("flush p95", time(storage.flushP95)),
      ("toolchain", toolchain), ("build", build),
      ("commit", commit + (dirty ? " (with uncommitted changes)" : "")), ("subject", subject),
      ("allocator", allocator), ("hardware counters", perfEvents ? "yes" : "no"),
      ("allocation counts", countsAllocations ? "yes" : "no"),
      ("scheduler gaps > 50 µs in 0.5 s", String(gaps)), ("longest gap", time(longestGap)),
      ("load average", Figures.fixed(load, 2)),
      ("stolen time", Figures.percent(steal / 100, signed: false)),
      ("processor pressure", Figures.percent(pressure / 100, signed: false)),
    ]
  }
}
