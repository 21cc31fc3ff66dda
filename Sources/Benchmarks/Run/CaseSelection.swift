import Evidence

/// Which benchmarks, with which parameters, on which engines: what a request's filters, engines and
/// shard leave over.
struct CaseSelection {
  private let request: RunRequest
  private let catalogue: [Benchmark]
  private let patterns: [Glob]
  private let addsYardsticks: Bool

  /// `addsYardsticks`: what an engine's number is held against is measured whatever engines are
  /// asked for. Two builds of an engine are held against each other.
  init(_ request: RunRequest, _ catalogue: [Benchmark], addsYardsticks: Bool = true) {
    self.addsYardsticks = addsYardsticks
    self.request = request
    self.catalogue = catalogue
    patterns = request.filters.map(Glob.init)
  }

  func cases() throws -> [Case] {
    try requireKnownEngines()
    try requireKnownSettings()
    try requireKnownFilters()
    var cases = try catalogue.filter(isWanted).flatMap(selected)
    try requireFitting()
    if let shard = request.shard {
      cases = CaseSelection.shard(cases, shard.index, of: shard.count)
    }
    guard !cases.isEmpty else {
      throw BenchmarkError(
        "nothing to measure: the filters, engines and shard leave no benchmark over")
    }
    return cases
  }

  private func requireKnownEngines() throws {
    let known = Set(catalogue.flatMap(\.engines) + request.guests.map(\.engine.name))
    for engine in request.engines where !known.contains(engine) {
      throw BenchmarkError(
        "unknown engine '\(engine)': this build holds \(known.sorted().joined(separator: ", "))")
    }
  }

  private func requireKnownFilters() throws {
    for pattern in request.filters {
      let glob = Glob(pattern.hasPrefix("!") ? String(pattern.dropFirst()) : pattern)
      let isKnown = catalogue.contains { benchmark in
        let names = [false, true].flatMap {
          benchmark.names(quick: $0, threads: request.threads, settings: request.settings)
        }
        return glob.matches(benchmark.name) || names.contains { glob.matches($0.description) }
      }
      // A full name with parameters of one's own is welcome as long as the family exists.
      if isKnown { continue }
      let asked = BenchmarkName(parsing: pattern)
      guard let family = catalogue.first(where: { $0.name == asked.family }) else {
        throw BenchmarkError(
          "no benchmark matches '\(pattern)'; 'realm-bench list benchmarks' says what there is")
      }
      let known = family.parameters.map(\.name)
      for name in asked.parameters.keys.sorted() where !known.contains(name) {
        throw BenchmarkError(
          "--filter \(pattern): \(family.name) has no parameter '\(name)'"
            + (known.isEmpty ? "" : ", it has \(known.joined(separator: ", "))"))
      }
    }
  }

  /// A filter that fits nothing that is there would leave out silently what it was written for,
  /// where another one fits. Engines and shards may leave nothing of what it fits.
  private func requireFitting() throws {
    let there = try catalogue.filter(isWanted).flatMap { benchmark in
      try names(benchmark).map { (family: benchmark.name, full: $0.description) }
    }
    for pattern in request.filters where !pattern.hasPrefix("!") {
      let glob = Glob(pattern)
      if there.contains(where: { glob.matches($0.family) || glob.matches($0.full) }) { continue }
      throw BenchmarkError(
        "--filter \(pattern) fits nothing that would be measured: expected a benchmark, a whole "
          + "name with its parameters, or stars in it"
          + (request.isQuick ? "; without --quick there are more" : "")
          + ". 'realm-bench list benchmarks' says what there is")
    }
  }

  private func requireKnownSettings() throws {
    let known = Set(catalogue.flatMap(\.parameters).map(\.name))
    for name in request.settings.keys.sorted() where !known.contains(name) {
      throw BenchmarkError(
        "--set \(name)=…: no benchmark has such a parameter; there are "
          + known.sorted().joined(separator: ", "))
    }
    for benchmark in catalogue {
      var combinations = 1
      for parameter in benchmark.parameters {
        let count = request.settings[parameter.name]?.count ?? 1
        combinations = combinations.multipliedReportingOverflow(by: count).partialValue
        guard combinations <= CaseSelection.mostCombinations else {
          throw BenchmarkError(
            "--set: more than \(CaseSelection.mostCombinations) combinations of what "
              + "\(benchmark.name) takes: expected fewer values")
        }
      }
    }
  }

  /// More would not come to their end within a week.
  private static let mostCombinations = 10_000

  /// A value that a benchmark cannot have is refused before anything runs.
  private func requireValues(_ benchmark: Benchmark) throws {
    for parameter in benchmark.parameters {
      for value in request.settings[parameter.name] ?? [] {
        guard let expected = parameter.refusal(of: value) else { continue }
        throw BenchmarkError(
          "--set \(parameter.name)=\(value): \(benchmark.name) takes \(expected)")
      }
    }
  }

  /// A first impression leaves out what does not belong to it, unless it is asked for by name.
  private func isWanted(_ benchmark: Benchmark) -> Bool {
    guard request.isQuick, !benchmark.isQuick else { return true }
    return patterns.contains { !$0.excludes && $0.matches(benchmark.name) }
      || request.filters.contains { BenchmarkName(parsing: $0).family == benchmark.name }
  }

  private func selected(_ benchmark: Benchmark) throws -> [Case] {
    let names = try names(benchmark).filter { Glob.select(patterns, $0.family, $0.description) }
    if !names.isEmpty { try requireValues(benchmark) }
    let all = names.flatMap { name in
      let guests = request.guests.filter { $0.names.contains(name.description) }
      return benchmark.engines.filter { Catalogue.offers($0, name) }.map { Case(name, $0) }
        + guests.map { Case(name, $0.engine.name) }
    }
    let asked = all.filter { request.engines.isEmpty || request.engines.contains($0.engine) }
    guard addsYardsticks, asked.contains(where: Stall.isOfEngine) else { return asked }
    return all.filter { asked.contains($0) || Stall.isYardstick($0) }
  }

  /// The names of the catalogue, and those that filters spell out with parameters of their own.
  private func names(_ benchmark: Benchmark) throws -> [BenchmarkName] {
    let names = benchmark.names(
      quick: request.isQuick, threads: request.threads, settings: request.settings)
    let spelled = request.filters.map { BenchmarkName(parsing: $0) }.filter {
      $0.family == benchmark.name && !$0.parameters.isEmpty && !names.contains($0)
        && !$0.description.contains("*")
        && Set($0.parameters.keys) == Set(benchmark.parameters.map(\.name))
    }
    for name in spelled {
      for parameter in benchmark.parameters {
        let value = name.parameters[parameter.name] ?? ""
        guard let expected = parameter.refusal(of: value) else { continue }
        throw BenchmarkError("--filter \(name): \(parameter.name) takes \(expected)")
      }
    }
    return names + spelled
  }

  /// The part that one of several machines measures.
  ///
  /// What is compared stays together: a benchmark with all its parameters and engines lies on one
  /// machine, as long as there are as many benchmarks as machines; else one name with all its
  /// engines. Dealt out by turns, as neighbours cost alike.
  static func shard(_ cases: [Case], _ index: Int, of count: Int) -> [Case] {
    func units(_ key: (Case) -> String) -> [String] {
      var seen: Set<String> = []
      return cases.map(key).filter { seen.insert($0).inserted }
    }
    let key: (Case) -> String =
      units(\.name.family).count >= count ? \.name.family : \.name.description
    let mine = Set(
      units(key).enumerated().filter { $0.offset % count == index - 1 }.map(\.element))
    return cases.filter { mine.contains(key($0)) }
  }
}
