import Evidence

/// How views look at a run: the measured side, benchmark by benchmark, and series over one
/// parameter.
extension Run {
  /// Whose numbers these are, where a run holds those of two builds: the commit, or the letter.
  func name(of finding: Finding) -> String? {
    guard let names = comparison?.sideNames else {
      return [Side.base, Side.candidate].contains(finding.side) ? finding.side : nil
    }
    switch finding.side {
    case Side.base: return names.a
    case Side.candidate: return names.b
    default: return nil
    }
  }

  /// What a measurement did not fit into that was left out.
  var timeLimit: String { asked.budget == nil ? "the time of a first impression" : "the budget" }

  /// The engine of a finding, and of two builds which of them: markup for a cell.
  func who(_ finding: Finding) -> String {
    Markup.escape(finding.engine)
      + (name(of: finding).map { " <span class=\"soft nowrap\">\(Markup.escape($0))</span>" } ?? "")
  }

  var byBenchmark: [(name: String, results: [Finding])] {
    var order: [String] = []
    var groups: [String: [Finding]] = [:]
    for result in measured {
      if groups[result.benchmark] == nil { order.append(result.benchmark) }
      groups[result.benchmark, default: []].append(result)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }

  var engines: [String] {
    var seen: [String] = []
    for result in measured where !seen.contains(result.engine) { seen.append(result.engine) }
    return seen
  }

  /// Values of one metric of one engine over one parameter; what other parameters say is in the
  /// name.
  struct Series {
    let name: String
    let engine: String
    /// The parameters that all its points share.
    let rest: String
    var points: [(x: Double, value: Finding.Value)]
  }

  func series(_ family: String, by parameter: String, metric: String) -> [Series] {
    var found: [Series] = []
    for result in own where result.valid {
      let name = result.name
      guard name.family == family, let text = name.parameters[parameter],
        let x = Double(text), x.isFinite, let value = result[metric]
      else { continue }
      let rest = name.parameters.filter { $0.key != parameter }.sorted { $0.key < $1.key }
      let shared = rest.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      let label = shared.isEmpty ? result.engine : "\(result.engine) \(shared)"
      if let place = found.firstIndex(where: { $0.name == label }) {
        found[place].points.append((x, value))
      } else {
        found.append(
          Series(name: label, engine: result.engine, rest: shared, points: [(x, value)]))
      }
    }
    return found.filter { $0.points.count > 1 }.map { one in
      var one = one
      one.points.sort { $0.x < $1.x }
      return one
    }
  }
}

extension LineChart.Series {
  /// The place of an engine in the palette: the same on every chart of every report.
  static func ink(_ finding: Finding) -> Int {
    // Of two builds one each, as in the comparison: the base as engines that are not ours.
    finding.side == Run.Side.base ? 4 : ink(finding.engine)
  }

  static func ink(_ engine: String) -> Int {
    ["reference": 0, "sqlite": 1, "lmdb": 2, "c": 3, "null": 5][engine] ?? 4
  }

  /// Lines for series; two of one engine get different colours.
  static func lines(_ all: [Run.Series], hollowAbove: Double = .infinity) -> [LineChart.Series] {
    var used: Set<Int> = []
    return all.map { one in
      var place = ink(one.engine)
      while used.contains(place), used.count < 6 { place = (place + 1) % 6 }
      used.insert(place)
      return LineChart.Series(
        name: one.name,
        points: one.points.map {
          let value = $0.value
          return .init(
            x: $0.x, y: value.value, low: value.isLone ? nil : value.low,
            high: value.isLone ? nil : value.high, isHollow: $0.x > hollowAbove,
            isLone: value.isLone)
        }, ink: place)
    }
  }
}
