import Foundation

/// What a repository has agreed on: how much some measurements may differ, and which changes for
/// the worse are known.
///
/// `.realm-bench/thresholds.json`, found upwards from where the tool is started:
///
///     {"schema": 1,
///      "tolerances": [{"benchmark": "ways.*", "metric": "time", "tolerance": 0.1},
///                     {"benchmark": "reads.held-*", "metric": "time", "absolute": 0.5}],
///      "acknowledged": [{"benchmark": "writes.commit/*", "metric": "flushes",
///                        "reason": "the second flush is worth it", "until": "2027-01-31"}]}
package struct Thresholds: Codable, Hashable, Sendable {
  /// A wider margin for what a glob selects: as a share, as an amount in the metric's own unit, or
  /// whichever of both is wider; of every metric where none is named.
  package struct Tolerance: Codable, Hashable, Sendable {
    package var benchmark: String
    package var metric: String?
    package var tolerance: Double?
    package var absolute: Double?

    /// What it allows from a value on, as a share of that.
    func share(from base: Double) -> Double {
      max(tolerance ?? 0, absolute.map { base > 0 ? $0 / base : 0 } ?? 0)
    }

    var spelled: String {
      let amount = absolute.map { amount in
        CSV.number(amount) + (metric.map { " \(Metric.named($0).unit)" } ?? "")
      }
      return [tolerance.map(Decision.percent), amount].compactMap(\.self).joined(separator: " or ")
    }
  }

  /// A change for the worse that somebody has accepted, why, and until which day.
  package struct Acknowledgement: Codable, Hashable, Sendable {
    package var benchmark: String
    package var metric: String?
    package var reason: String
    package var until: String

    /// The reason in one line: what ends one would begin a command that a GitHub job reads from
    /// its output, and what moves a cursor or turns the direction hides what it stands beside.
    var spelled: String {
      reason.unicodeScalars.map { scalar in
        let kind = scalar.properties.generalCategory
        let isHarmful = [.control, .lineSeparator, .paragraphSeparator].contains(kind)
        return isHarmful || scalar.properties.isBidiControl
          ? scalar.escaped(asASCII: true) : String(scalar)
      }.joined()
    }
  }

  package var schema = 1
  package var tolerances: [Tolerance]?
  package var acknowledged: [Acknowledgement]?

  package init() {}

  package static let place = ".realm-bench/thresholds.json"

  /// The file nearest to a directory, in it or above; nil where there is none.
  package static func find(from directory: URL) -> URL? {
    RepositoryPlace.nearest(place, from: directory)
  }

  package static func load(_ file: URL) throws -> Thresholds {
    guard let data = try? Data(contentsOf: file) else {
      throw RecordError("cannot read \(file.path): expected thresholds of realm-bench", .misuse)
    }
    do {
      let found = try JSONDecoder().decode(Thresholds.self, from: data).checked(file.path)
      try requireKnownKeys(of: data, file.path)
      return found
    } catch let error as DecodingError {
      if let found = Unnumbered(in: data) {
        throw RecordError("\(file.path) \(found.sentence)", .misuse)
      }
      throw RecordError("\(file.path) holds no thresholds: \(sentence(error))", .misuse)
    }
  }

  /// A key that is misspelt would be obeyed by nobody, without a word.
  private static func requireKnownKeys(of data: Data, _ path: String) throws {
    guard let all = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { return }
    func check(_ found: some Sequence<String>, _ known: [String], _ place: String) throws {
      for key in found.sorted() where !known.contains(key) {
        throw RecordError(
          "\(path): unknown key '\(key)'\(place), expected \(known.joined(separator: ", "))",
          .misuse)
      }
    }
    try check(all.keys, ["schema", "tolerances", "acknowledged"], "")
    for (name, known) in [
      ("tolerances", ["benchmark", "metric", "tolerance", "absolute"]),
      ("acknowledged", ["benchmark", "metric", "reason", "until"]),
    ] {
      for (index, one) in (all[name] as? [[String: Any]] ?? []).enumerated() {
        try check(one.keys, known, " in \(name)[\(index)]")
      }
    }
  }

  private static func sentence(_ error: DecodingError) -> String {
    func path(_ keys: [any CodingKey]) -> String {
      keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
    return switch error {
    case .keyNotFound(let key, let context):
      "\(path(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      context.codingPath.isEmpty
        ? "expected an object with schema, tolerances and acknowledged"
        : "\(path(context.codingPath)) is not what it should be"
    case .dataCorrupted: "it is no JSON document"
    @unknown default: "it cannot be read"
    }
  }

  /// Refuses what would be obeyed in another sense than it was meant.
  private func checked(_ path: String) throws -> Thresholds {
    guard schema == 1 else {
      throw RecordError("\(path) is of schema \(schema), this build reads 1", .misuse)
    }
    for one in tolerances ?? [] {
      guard one.tolerance != nil || one.absolute != nil else {
        throw RecordError(
          "\(path): the tolerance of \(one.benchmark) is missing: expected tolerance, a share, or "
            + "absolute, an amount", .misuse)
      }
      if let share = one.tolerance, !(share > 0 && share <= 10) {
        throw RecordError(
          "\(path): the tolerance of \(one.benchmark) is \(share), expected a share from 0 "
            + "to 10, such as 0.1 for 10 %", .misuse)
      }
      if let amount = one.absolute, !(amount > 0) || one.metric == nil {
        throw RecordError(
          "\(path): the absolute tolerance of \(one.benchmark) is \(CSV.number(amount)) of "
            + "\(one.metric ?? "every metric"), expected an amount above 0 of one metric", .misuse)
      }
    }
    try requireAgreement(path)
    for metric in (tolerances ?? []).compactMap(\.metric)
      + (acknowledged ?? []).compactMap(\.metric)
    where Metric.rank(metric) == Metric.all.count {
      let known = Metric.all.map(\.name)
      throw RecordError(
        "\(path): unknown metric '\(metric)'\(NearestWord.suggestion(for: metric, among: known))",
        .misuse)
    }
    for one in acknowledged ?? [] {
      // Blank is none, to whoever reads it.
      if one.reason.allSatisfy(\.isWhitespace) {
        throw RecordError("\(path): the acknowledgement of \(one.benchmark) has no reason", .misuse)
      }
      guard Timestamp.isDay(one.until) else {
        throw RecordError(
          "\(path): the acknowledgement of \(one.benchmark) ends on '\(one.until)', expected a day "
            + "such as 2027-01-31", .misuse)
      }
    }
    return self
  }

  /// One of two that say differently of the same would be obeyed, and nobody knows which was meant.
  /// A narrower pattern behind a wider one is no contradiction: of several the last counts.
  private func requireAgreement(_ path: String) throws {
    var said: [[String?]: Tolerance] = [:]
    for one in tolerances ?? [] {
      guard let other = said.updateValue(one, forKey: [one.benchmark, one.metric]), other != one
      else { continue }
      throw RecordError(
        "\(path): two tolerances of \(one.benchmark), \(one.metric ?? "every metric"), "
          + "contradict each other: \(other.spelled) and \(one.spelled); expected one of them",
        .misuse)
    }
  }

  /// Patterns that name none of the benchmarks there are: they were mistyped, or outlived theirs.
  package func strangers(among families: [String]) -> [String] {
    let patterns = (tolerances ?? []).map(\.benchmark) + (acknowledged ?? []).map(\.benchmark)
    return patterns.filter { pattern in
      let glob = Glob(String(pattern.prefix { $0 != "/" }))
      return !families.contains(where: glob.matches)
    }
  }

  /// What may be meant in another sense, a sentence each: who writes 10 for 10 % would have a gate
  /// that nothing fails. More than a share of 1 is obeyed, for something may be that restless.
  package var doubts: [String] {
    (tolerances ?? []).compactMap { one in
      guard let share = one.tolerance, share > 1 else { return nil }
      return "the tolerance of \(one.benchmark), \(one.metric ?? "every metric"), is "
        + "\(CSV.number(share)), which is a share: up to \(Decision.percent(share)) worse is "
        + "tolerated; expected 1 at most, as most are: if you mean \(CSV.number(share)) %, write "
        + CSV.number(share / 100)
    }
  }

  // MARK: Obeying

  private static func selects(
    _ pattern: String, _ named: String?, _ benchmark: String, _ metric: String
  ) -> Bool {
    (named == nil || named == metric)
      && Glob.select([Glob(pattern)], BenchmarkName(parsing: benchmark).family, benchmark)
  }

  /// How much this may differ from what it was, as a share of that; nil where nothing was agreed
  /// on. Of several the last.
  package func tolerance(_ benchmark: String, _ metric: String, from base: [Double]) -> Double? {
    tolerances?.last { Thresholds.selects($0.benchmark, $0.metric, benchmark, metric) }?
      .share(from: base.isEmpty ? 0 : Quantiles.median(base))
  }

  /// Marks what is acknowledged, and says what is and what no longer is. `today` as `2026-11-22`.
  package func applied(to comparison: Comparison, today: String) -> Comparison {
    var comparison = comparison
    var said: [String] = []
    for one in tolerances ?? []
    where comparison.rows.contains(where: {
      Thresholds.selects(one.benchmark, one.metric, $0.benchmark, $0.metric)
    }) {
      said.append(
        "tolerated: \(one.benchmark) \(one.metric ?? "everything") within "
          + one.spelled)
    }
    for place in comparison.rows.indices where comparison.rows[place].verdict == .regressed {
      let row = comparison.rows[place]
      let all = (acknowledged ?? []).filter {
        Thresholds.selects($0.benchmark, $0.metric, row.benchmark, row.metric)
      }
      let what = "\(row.benchmark) (\(row.engine)) \(row.metric)"
      if let valid = all.last(where: { today <= $0.until }) {
        comparison.rows[place].acknowledged = valid.spelled
        said.append("acknowledged until \(valid.until): \(what): \(valid.spelled)")
      } else if let expired = all.last {
        said.append("no longer acknowledged since \(expired.until): \(what): \(expired.spelled)")
      }
    }
    comparison.agreed = said.isEmpty ? nil : said
    return comparison
  }
}
