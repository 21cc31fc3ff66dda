import Evidence
import Foundation

/// `results.csv`: tidy, one row per benchmark, engine and metric; columns are a public interface.
package enum ResultsCSV {
  package static let columns = [
    "schema", "run_id", "utc", "commit", "dirty", "engine", "engine_version", "machine_id", "cpu",
    "ncpu", "kernel", "fs", "durability_class", "toolchain", "build", "workload_hash", "benchmark",
    "params", "metric", "unit", "better", "stat", "value", "ci_lo", "ci_hi", "n_rounds",
    "n_samples",
    "side", "verdict", "change_pct", "change_lo_pct", "change_hi_pct", "p_bh", "tau_pct",
    "noise_floor_pct", "valid", "seed", "sees_pct",
  ]

  package static func text(_ run: Run) -> String {
    var out = CSV.row(columns)
    let e = run.environment
    for finding in run.measured {
      let name = finding.name
      let version = e.engines.first { $0.name == finding.engine }?.version ?? ""
      // Of several machines the record describes the first.
      let isHere = finding.machine == nil || finding.machine == e.machineID
      func here(_ fact: String) -> String { isHere ? fact : "" }
      func row(_ middle: [String], _ verdict: Comparison.Row?) -> String {
        let judged: [String] =
          verdict.map {
            [
              $0.verdict.rawValue, CSV.number($0.change * 100), CSV.number($0.low * 100),
              CSV.number($0.high * 100), CSV.number($0.p), CSV.number($0.tau * 100),
              CSV.number($0.noiseFloor * 100),
            ]
          } ?? Array(repeating: "", count: 7)
        return CSV.row(
          [
            String(Run.schema), run.id, run.started, run.commit(of: finding),
            String(run.isDirty(finding)), finding.engine, version,
            finding.machine ?? e.machineID, here(e.cpu), here(String(e.cores)), here(e.kernel),
            here(e.storage.filesystem), here(e.storage.durability.rawValue), e.toolchain, e.build,
            workloadHash(finding), name.family,
            name.suffix,
          ] + middle + [finding.side] + judged + [
            String(finding.valid), String(finding.seed),
            CSV.number((verdict?.sees).map { $0 * 100 }),
          ])
      }
      if !finding.valid {
        out += row(
          ["check", "", "", finding.reason, "", "", "", String(finding.rounds), ""], nil)
      }
      for value in finding.values {
        let metric = Metric.named(value.metric)
        // One round has no interval.
        let ends =
          value.rounds.count > 1 ? [value.low, value.high].map { CSV.number($0) } : ["", ""]
        let verdict = run.comparison?.rows.first {
          $0.benchmark == finding.benchmark && $0.engine == finding.engine
            && $0.metric == value.metric
        }
        out += row(
          [
            value.metric, metric.unit, metric.better.rawValue, "median", CSV.number(value.value),
          ] + ends + [String(value.rounds.count), String(value.samples)], verdict)
      }
    }
    return out
  }

  /// Tells workloads of the same name apart if ever one changed its meaning: name, parameters and
  /// seed.
  static func workloadHash(_ finding: Finding) -> String {
    let digest = SHA256.digest(Array("\(finding.benchmark) \(finding.seed)".utf8))
    return digest.prefix(6).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// `rounds.csv`: the raw pairs of a comparison, so that anyone can redo the statistics; and
  /// behind them B over A as it was judged, by the stretches that lay side by side, where there are
  /// any.
  package static func rounds(_ comparison: Comparison) -> String {
    var out = CSV.row(["benchmark", "engine", "metric", "round", "a", "b", "ratio"])
    for row in comparison.rows {
      for (round, pair) in zip(row.pairsA, row.pairsB).enumerated() {
        out += CSV.row([
          row.benchmark, row.engine, row.metric, String(round), CSV.number(pair.0),
          CSV.number(pair.1), CSV.number(row.ratios.map { exp($0[round]) }),
        ])
      }
    }
    return out
  }
}
