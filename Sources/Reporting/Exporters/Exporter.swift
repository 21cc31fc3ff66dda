import Evidence

/// A format of another tool: one file each, one function from a run to text.
package struct Exporter: Sendable {
  package struct File: Sendable {
    package let name: String
    package let text: String
  }

  package let name: String
  /// Which tool reads it.
  package let sentence: String
  package let files: @Sendable (Run) -> [File]

  package static let all: [Exporter] = [
    .init(name: "jmh", sentence: "JMH JSON, for jmh-visualizer and others") {
      [.init(name: "jmh.json", text: JMHExport.text($0))]
    },
    .init(name: "bmf", sentence: "Bencher Metric Format") {
      [.init(name: "bmf.json", text: BMFExport.text($0))]
    },
    .init(name: "github", sentence: "github-action-benchmark, one file per direction") {
      run in
      // A file without a row is a failure to who reads it.
      let directions = [("smaller", Metric.Direction.lower), ("bigger", .higher)]
      return directions.compactMap { name, better in
        let text = GitHubExport.text(run, better: better)
        return text.contains("{") ? File(name: "github-\(name).json", text: text) : nil
      }
    },
    .init(name: "openmetrics", sentence: "OpenMetrics text, for Prometheus") {
      [.init(name: "openmetrics.txt", text: OpenMetricsExport.text($0))]
    },
    .init(name: "benchfmt", sentence: "Go's benchmark format, for benchstat") {
      [.init(name: "benchfmt.txt", text: BenchfmtExport.text($0))]
    },
    .init(name: "hgrm", sentence: "HdrHistogram percentile text, one file per distribution") {
      HGRMExport.files($0)
    },
    .init(name: "otava", sentence: "CSV and configuration for Apache Otava") {
      OtavaExport.files([$0])
    },
    .init(name: "influx", sentence: "line protocol of InfluxDB") {
      [.init(name: "influx.txt", text: InfluxExport.text($0))]
    },
    .init(name: "junit", sentence: "JUnit XML") {
      [.init(name: "junit.xml", text: JUnitExport.text($0))]
    },
  ]

  package static func named(_ name: String) throws -> Exporter {
    guard let found = all.first(where: { $0.name == name }) else {
      throw RecordError(
        "unknown export '\(name)': expected \(all.map(\.name).joined(separator: ", "))", .misuse)
    }
    return found
  }

  /// A name that any tool takes: no spaces, no brackets, nothing but letters, digits and `._-=/`.
  static func plain(_ text: String) -> String {
    String(
      text.unicodeScalars.map { scalar in
        let isPlain =
          scalar.isASCII
          && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "._-=/%".unicodeScalars.contains(scalar))
        return isPlain ? Character(scalar) : "_"
      })
  }
}

/// JSON of a few shapes, written in the order given; numbers are finite or absent.
indirect enum Json {
  case text(String)
  case number(Double)
  case list([Json])
  case object([(String, Json)])

  var spelled: String { spelled(indent: 0) }

  private func spelled(indent: Int) -> String {
    let inner = String(repeating: "  ", count: indent + 1)
    let outer = String(repeating: "  ", count: indent)
    switch self {
    case .text(let text): return Json.quoted(text)
    case .number(let number): return CSV.number(number.isFinite ? number : 0)
    case .list(let items) where items.allSatisfy(\.isLeaf):
      return "[" + items.map { $0.spelled(indent: 0) }.joined(separator: ", ") + "]"
    case .list(let items):
      return "[\n" + items.map { inner + $0.spelled(indent: indent + 1) }.joined(separator: ",\n")
        + "\n\(outer)]"
    case .object(let fields) where fields.isEmpty: return "{}"
    case .object(let fields):
      return "{\n"
        + fields.map { "\(inner)\(Json.quoted($0.0)): \($0.1.spelled(indent: indent + 1))" }
        .joined(separator: ",\n") + "\n\(outer)}"
    }
  }

  private var isLeaf: Bool {
    switch self {
    case .text, .number: true
    case .list, .object: false
    }
  }

  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
