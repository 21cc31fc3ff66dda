import Evidence
import Foundation

/// The JSON of the Java Microbenchmark Harness; rounds are its forks, as each is a fresh process.
enum JMHExport {
  static func text(_ run: Run) -> String {
    let entries = run.own.filter { $0.valid && $0.headline != nil }.map { finding -> Json in
      let name = finding.name
      let head = finding.headline
      let threads = name.parameters["threads"].flatMap(Double.init) ?? 1
      var fields: [(String, Json)] = [
        ("jmhVersion", .text("1.37")),
        ("benchmark", .text(Exporter.plain("\(name.family).\(finding.engine)"))),
        ("mode", .text(head?.metric == "rate" ? "thrpt" : "avgt")), ("threads", .number(threads)),
        ("forks", .number(Double(finding.rounds))), ("jvm", .text("none")), ("jvmArgs", .list([])),
        ("jdkVersion", .text(Exporter.plain(run.environment.toolchain))),
        ("vmName", .text("swift")), ("vmVersion", .text(Exporter.plain(run.version))),
        ("warmupIterations", .number(1)), ("warmupTime", .text("1 s")),
        ("warmupBatchSize", .number(1)), ("measurementIterations", .number(1)),
        ("measurementTime", .text("1 s")), ("measurementBatchSize", .number(1)),
      ]
      if !name.parameters.isEmpty {
        fields.append(
          (
            "params",
            .object(
              name.parameters.sorted { $0.key < $1.key }.map {
                ($0.key, .text(Exporter.plain($0.value)))
              })
          ))
      }
      fields.append(("primaryMetric", head.map { metric($0, finding) } ?? .object([])))
      fields.append(
        (
          "secondaryMetrics",
          .object(
            finding.values.filter { $0.metric != head?.metric }.map {
              ($0.metric, metric($0, finding))
            })
        ))
      return .object(fields)
    }
    return Json.list(entries).spelled + "\n"
  }

  private static func metric(_ value: Finding.Value, _ finding: Finding) -> Json {
    let (mean, half) = interval(value.rounds)
    let histogram =
      value.metric == "time" ? finding.histogram.flatMap(Histogram.init(encoded:)) : nil
    let shares: [(String, Double)] = [
      ("0.0", 0), ("50.0", 0.5), ("90.0", 0.9), ("95.0", 0.95), ("99.0", 0.99), ("99.9", 0.999),
      ("99.99", 0.9999), ("99.999", 0.99999), ("99.9999", 0.999999), ("100.0", 1),
    ]
    return .object([
      ("score", .number(mean)), ("scoreError", number(half)),
      ("scoreConfidence", .list([number(mean - half), number(mean + half)])),
      (
        "scorePercentiles",
        .object(
          shares.map { name, share in
            (
              name,
              .number(
                histogram.map { Double($0.quantile(share)) }
                  ?? Quantiles.quantile(value.rounds, share))
            )
          })
      ), ("scoreUnit", .text(Metric.named(value.metric).unit.replacing(" ", with: "_"))),
      ("rawData", .list(value.rounds.map { .list([.number($0)]) })),
    ])
  }

  /// JMH writes what is not a number as a word.
  private static func number(_ value: Double) -> Json {
    value.isFinite ? .number(value) : .text("NaN")
  }

  /// The mean and the half-width of its 99.9 % interval by Student's t, as JMH has it.
  static func interval(_ values: [Double]) -> (mean: Double, half: Double) {
    let mean = Quantiles.mean(values)
    guard values.count > 1 else { return (mean, .nan) }
    let n = Double(values.count)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
    return (mean, (variance / n).squareRoot() * StudentT.quantile(0.9995, freedom: n - 1))
  }
}
