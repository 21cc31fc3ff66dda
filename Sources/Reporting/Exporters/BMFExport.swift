import Evidence
import Foundation

/// Bencher Metric Format: a benchmark's measures with their intervals.
enum BMFExport {
  private static let slugs = ["time": "latency", "rate": "throughput"]

  static func text(_ run: Run) -> String {
    let entries = run.own.filter(\.valid).map { finding -> (String, Json) in
      let measures = finding.values.map { value -> (String, Json) in
        (slugs[value.metric] ?? value.metric, .object(fields(value)))
      }
      return (
        String("\(finding.benchmark)/engine=\(finding.engine)".prefix(1024)), .object(measures)
      )
    }
    return Json.object(entries).spelled + "\n"
  }

  /// One round has no interval, and no digit that only an interval could vouch for.
  private static func fields(_ value: Finding.Value) -> [(String, Json)] {
    guard value.rounds.count > 1 else { return [("value", .number(value.told))] }
    return [
      ("value", .number(value.value)), ("lower_value", .number(min(value.low, value.value))),
      ("upper_value", .number(max(value.high, value.value))),
    ]
  }
}

extension Finding.Value {
  /// The value as far as its rounds tell it.
  var told: Double {
    Metric.named(metric).isRestless && rounds.count < 2 ? Self.twoDigits(value) : value
  }

  /// Rounded to what one round may say.
  static func twoDigits(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value }
    let unit = pow(10, floor(log10(abs(value))) - 1)
    return unit < 1
      ? (value * (1 / unit).rounded()).rounded() / (1 / unit).rounded()
      : (value / unit).rounded() * unit
  }
}
