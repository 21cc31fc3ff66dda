import Evidence

/// The percentile text of HdrHistogram, which its plotter draws.
enum HGRMExport {
  static func files(_ run: Run) -> [Exporter.File] {
    run.own.compactMap { finding in
      guard finding.valid, let encoded = finding.histogram,
        let histogram = Histogram(encoded: encoded)
      else { return nil }
      let name = Exporter.plain("\(finding.benchmark)-\(finding.engine)").map {
        "/=%".contains($0) ? "_" : $0
      }
      return .init(name: "hgrm/\(String(name)).hgrm", text: text(histogram))
    }
  }

  static func text(_ histogram: Histogram) -> String {
    var out = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
    // Five steps to each halving of what is left, as the original prints.
    var shares: [Double] = []
    var rest = 1.0
    while rest * Double(histogram.total) >= 1 {
      for step in 0..<5 { shares.append(1 - rest + rest / 2 * Double(step) / 5) }
      rest /= 2
    }
    for share in shares {
      let value = histogram.quantile(share)
      let count = Int(nearest: histogram.share(atMost: value) * Double(histogram.total))
      out +=
        pad(Figures.fixed(Double(value), 3), 12) + " " + Figures.fixed(share, 12) + " "
        + pad(String(count), 10) + " " + pad(Figures.fixed(1 / (1 - share), 2), 14) + "\n"
    }
    out +=
      pad(Figures.fixed(Double(histogram.largest), 3), 12) + " 1.000000000000 "
      + pad(String(histogram.total), 10) + "\n"
    out +=
      "#[Mean    = \(pad(Figures.fixed(histogram.mean, 3), 12)), StdDeviation   "
      + "= \(pad(Figures.fixed(histogram.deviation, 3), 12))]\n"
    out +=
      "#[Max     = \(pad(Figures.fixed(Double(histogram.largest), 3), 12)), Total count    "
      + "= \(pad(String(histogram.total), 12))]\n"
    out += "#[Buckets =           36, SubBuckets     =         2048]\n"
    return out
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
