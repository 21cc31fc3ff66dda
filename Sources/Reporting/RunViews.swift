import Evidence

/// How views look at a run: the measured side, benchmark by benchmark, and series over one
/// parameter.
extension Run {
  /// What was measured, in the order of the run. Of two builds, the base: the comparison shows the
  /// other.
  var shown: [Finding] { results.filter { $0.side != "B" } }

  /// What a measurement did not fit into that was left out.
  var timeLimit: String { asked.budget == nil ? "the time of a first impression" : "the budget" }

  var byBenchmark: [(name: String, results: [Finding])] {
    var order: [String] = []
    var groups: [String: [Finding]] = [:]
    for result in shown {
      if groups[result.benchmark] == nil { order.append(result.benchmark) }
      groups[result.benchmark, default: []].append(result)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }

  var engines: [String] {
    var seen: [String] = []
    for result in results where !seen.contains(result.engine) { seen.append(result.engine) }
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
    for result in shown where result.valid {
      let name = result.name
      guard name.family == family, let text = name.parameters[parameter],
        let x = Double(text), let value = result[metric]
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
          .init(
            x: $0.x, y: $0.value.value, low: $0.value.low, high: $0.value.high,
            isHollow: $0.x > hollowAbove)
        }, ink: place)
    }
  }
}
