import Evidence
import Foundation

/// Verdicts for other programs: JSON, TAP, JUnit, CSV, and a badge.
public enum ConformanceFiles {
  /// The shape of `conformance --json`; a public interface, only ever added to.
  public static func json(_ examination: Examination) -> String {
    var counts: [String: Int] = ["rules": examination.verdicts.count]
    for state in Verdict.State.allCases { counts[state.rawValue] = examination.count(state) }
    let document = Document(
      engine: .init(name: examination.engine, version: examination.engineVersion),
      seed: "0x" + String(examination.seed, radix: 16), mutant: examination.mutant, counts: counts,
      asked: examination.asked.map { .init(rules: $0.rules, suite: $0.suite) },
      levels: Dictionary(
        uniqueKeysWithValues: examination.weights.map {
          ($0.name, Document.Level(rules: $0.rules, holds: $0.holds))
        }),
      rules: examination.verdicts.map {
        .init(
          id: $0.id, tier: $0.tier, level: $0.level, state: $0.state.rawValue, reason: $0.reason,
          expected: $0.expected, observed: $0.observed, ms: ($0.milliseconds * 10).rounded() / 10,
          probes: $0.probes, assertions: $0.assertions, seed: "0x" + String($0.seed, radix: 16),
          known: $0.known, source: $0.source, repro: $0.repro,
          issue: $0.issue, skip: $0.skip.map { .init(kind: $0.kind.rawValue, code: $0.rawValue) },
          decidedBy: $0.decidedBy?.rawValue, marks: $0.marks)
      },
      moments: examination.moments.map { .init(all: $0, missed: examination.missedMoments) },
      coverage: examination.coverage, partial: examination.isPartial,
      mutants: examination.kills.map {
        .init(
          total: $0.rows.count, killed: $0.killed.count, survived: $0.survivors,
          untried: $0.untried,
          rulesWithoutMutant: $0.rulesWithoutMutant, rows: $0.rows)
      }, exploration: examination.explorations,
      anomalies: examination.anomalies.map {
        .init(kind: $0.kind.rawValue, state: $0.state.rawValue, told: $0.told)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    guard let data = try? encoder.encode(document) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    var schema = 1
    var engine: Engine
    var seed: String
    var mutant: String?
    var counts: [String: Int]
    /// How many rules were asked, and how many the suite has.
    var asked: Asked?

    struct Asked: Encodable {
      var rules: Int
      var suite: Int
    }

    /// MUST, SHOULD, MAY and DERIVED apart.
    var levels: [String: Level]

    struct Level: Encodable {
      var rules: Int
      var holds: Int
    }

    var rules: [Rule]
    var moments: Moments?
    var coverage: Examination.Coverage?
    var partial: Bool?
    var mutants: Mutants?
    var exploration: [Exploration]?
    var anomalies: [Anomaly]

    /// A kind of anomaly: seen, suspected, not-seen or not-asked, and what that stands on.
    struct Anomaly: Encodable {
      var kind: String
      var state: String
      var told: String
    }

    /// The named instants of the engine's work, and those that no rule came by.
    struct Moments: Encodable {
      var all: [String]
      var missed: [String]
    }

    struct Engine: Encodable {
      var name: String
      var version: String
    }

    struct Rule: Encodable {
      var id: String
      var tier: String
      var level: String
      var state: String
      var reason: String?
      var expected: String?
      var observed: String?
      var ms: Double
      var probes: Int
      var assertions: Int
      var seed: String
      var known: String?
      var source: String?
      var repro: String?
      var issue: Verdict.Issue?
      var skip: Skip?
      var decidedBy: String?
      var marks: [String]?
    }

    /// What was lacking: an engine, a machine, a build or luck, and a code that keeps its meaning.
    struct Skip: Encodable {
      var kind: String
      var code: String

      enum CodingKeys: String, CodingKey {
        case kind = "class"
        case code
      }
    }

    struct Mutants: Encodable {
      var total: Int
      var killed: Int
      var survived: [String]
      var untried: [String]
      var rulesWithoutMutant: [String]
      var rows: [KillMatrix.Row]
    }
  }

  /// Test Anything Protocol, version 14. What is untested or skipped says so and why.
  public static func tap(_ examination: Examination) -> String {
    var text = "TAP version 14\n1..\(examination.verdicts.count)\n"
    for (number, verdict) in examination.verdicts.enumerated() {
      let title = "\(number + 1) - \(verdict.id) \(escaped(verdict.wording))"
      switch verdict.state {
      case .holds: text += "ok \(title)\n"
      case .skipped, .untested:
        text += "ok \(title) # SKIP \(escaped(verdict.reason ?? verdict.state.rawValue))\n"
      case .violated, .vacuous, .flaky, .error:
        // TAP's own word, and no note of ours: what a producer knows to fall, so that its consumers
        // do not count it.
        let forgiven =
          verdict.isForgiven ? " # TODO \(escaped(verdict.known ?? verdict.level))" : ""
        text += "not ok \(title)\(forgiven)\n  ---\n  state: \(verdict.state.rawValue)\n"
        for (key, value) in [
          ("in", verdict.reason), ("expected", verdict.expected), ("observed", verdict.observed),
          ("known", verdict.known), ("again", verdict.repro),
        ] {
          if let value { text += "  \(key): \(quoted(value))\n" }
        }
        text += "  ...\n"
      }
    }
    return text
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "#", with: "\\#")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
  }

  /// JUnit's XML as CI systems read it: a suite per family. What is known to fall is told, but
  /// fails no build.
  public static func junit(_ examination: Examination) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"realm-bench\" \(totals(examination.verdicts))>\n"
    for (family, own) in examination.families {
      text += "  <testsuite name=\"\(attribute(family))\" \(totals(own))>\n"
      for verdict in own { text += testCase(verdict) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func totals(_ verdicts: [Verdict]) -> String {
    let fallen = verdicts.filter { $0.state.isBad && !$0.isForgiven }
    let failures = fallen.count { $0.state == .violated }
    let skipped = verdicts.count { $0.isForgiven || [.skipped, .untested].contains($0.state) }
    return "tests=\"\(verdicts.count)\" failures=\"\(failures)\" "
      + "errors=\"\(fallen.count - failures)\" skipped=\"\(skipped)\" time=\"\(seconds(verdicts))\""
  }

  private static func seconds(_ verdicts: [Verdict]) -> String {
    String(format: "%.3f", verdicts.reduce(0) { $0 + $1.milliseconds } / 1000)
  }

  private static func testCase(_ verdict: Verdict) -> String {
    let head =
      "    <testcase classname=\"\(attribute(verdict.family))\" name=\"\(verdict.id) "
      + "\(attribute(verdict.wording))\" time=\"\(seconds([verdict]))\""
    let told = [
      verdict.isForgiven ? "\(verdict.state.rawValue), known" : nil, verdict.known, verdict.reason,
      verdict.expected.map { "expected \($0)" }, verdict.observed.map { "observed \($0)" },
      verdict.repro.map { "again: \($0)" },
    ].compactMap(\.self)
    let message = "message=\"\(attribute(told.joined(separator: "; ")))\""
    let type = "type=\"\(verdict.state.rawValue)\""
    let inner =
      switch verdict.state {
      case .holds: ""
      case .skipped, .untested: "<skipped \(message)/>"
      case _ where verdict.isForgiven: "<skipped \(message)/>"
      case .violated: "<failure \(type) \(message)/>"
      case .vacuous, .flaky, .error: "<error \(type) \(message)/>"
      }
    return inner.isEmpty ? head + "/>\n" : head + ">\n      \(inner)\n    </testcase>\n"
  }

  /// XML attributes hold no bare markup and no control characters.
  private static func attribute(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default:
        if scalar.value >= 32, scalar.value < 0xFFFE || scalar.value > 0xFFFF {
          result.unicodeScalars.append(scalar)
        } else {
          result += " "
        }
      }
    }
    return result
  }

  /// verdicts.csv: one row per rule.
  public static func csv(_ examination: Examination) -> String {
    var text =
      "id,tier,level,state,milliseconds,probes,assertions,seed,reason,expected,observed,repro,"
      + "known,source,skip_class,skip_code,rfc_level,marks,issue,expires\n"
    for verdict in examination.verdicts {
      let fields: [String] = [
        verdict.id, verdict.tier, verdict.level, verdict.state.rawValue,
        String(format: "%.1f", verdict.milliseconds), "\(verdict.probes)", "\(verdict.assertions)",
        "0x" + String(verdict.seed, radix: 16), verdict.reason ?? "", verdict.expected ?? "",
        verdict.observed ?? "", verdict.repro ?? "", verdict.known ?? "", verdict.source ?? "",
        verdict.skip?.kind.rawValue ?? "", verdict.skip?.rawValue ?? "", verdict.weight.rawValue,
        (verdict.marks ?? []).joined(separator: " "), verdict.issue?.url ?? "",
        verdict.issue?.expires ?? "",
      ]
      text += CSV.row(fields)
    }
    return text
  }

  /// moments.csv: each named instant of the engine's work, and the rules that came by; nil for an
  /// engine that names none. What happens at one without a rule nobody has seen.
  public static func moments(_ examination: Examination) -> String? {
    guard let all = examination.moments else { return nil }
    return CSV.row(["moment", "count", "rules"])
      + all.map { name in
        let rules = examination.verdicts.filter { $0.marks?.contains(name) == true }.map(\.id)
        return CSV.row([name, "\(rules.count)", rules.joined(separator: " ")])
      }.joined()
  }

  /// Whether every rule was asked, of an engine that names its moments and is no broken one: only
  /// then has a moment that nobody came by been missed.
  static func isWhole(_ examination: Examination) -> Bool {
    examination.moments != nil && examination.mutant == nil
      && examination.verdicts.count == examination.coverage?.rules
      && !examination.verdicts.contains { $0.skip == .budget }
  }

  /// A badge for a README: how many of the documented rules hold.
  public static func badge(_ examination: Examination) -> String {
    let documented = examination.verdicts.filter { $0.tier == "documented" }
    let holding = documented.count { $0.state == .holds }
    let fallen = documented.contains { $0.state.isBad && !$0.isForgiven }
    let all = examination.coverage?.rules ?? 0
    let isPart = examination.isPartial == true || examination.verdicts.count < all
    let colour =
      fallen ? "#b3261e" : holding == documented.count && !isPart ? "#2e7d32" : "#8a6d00"
    let label = "Realm threading rules"
    let value = "\(holding)/\(documented.count)\(isPart ? ", a part" : "")"
    let left = 148
    let width = left + 16 + value.count * 8
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="20" role="img" \
      aria-label="\(label): \(value)">
        <title>\(label): \(value) documented rules hold, engine \(attribute(examination.engine)), \
      seed 0x\(String(examination.seed, radix: 16))</title>
        <rect width="\(left)" height="20" fill="#444"/>
        <rect x="\(left)" width="\(width - left)" height="20" fill="\(colour)"/>
        <g fill="#fff" font-family="sans-serif" font-size="12">
          <text x="8" y="14">\(label)</text>
          <text x="\(left + 8)" y="14">\(value)</text>
        </g>
      </svg>

      """
  }
}
