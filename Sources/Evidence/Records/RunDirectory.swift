import Foundation

/// The folder a run leaves behind.
///
/// 1. `run.json` is there from the first moment and always whole: it is replaced by renaming.
/// 2. `samples.csv` and `latencies.csv` only grow; a row is one write of the system, so a killed
///    run leaves whole rows and at most one torn last one, which readers leave out.
package final class RunDirectory {
  package let url: URL
  private var samples: FileHandle?
  private var latencies: FileHandle?
  /// For as long as it is written to.
  private var claim: RunClaim?

  private init(_ url: URL) { self.url = url }

  deinit {
    try? samples?.close()
    try? latencies?.close()
  }

  /// Makes the folder and its first files; refuses one that holds a run already.
  package static func create(at url: URL, run: Run) throws -> RunDirectory {
    let directory = RunDirectory(url)
    let manager = FileManager.default
    func refuseAnother() throws {
      guard manager.fileExists(atPath: url.appendingPathComponent("run.json").path) else { return }
      throw RecordError(
        "\(url.path) holds a run already; name another directory with --out", .misuse)
    }
    try refuseAnother()
    do {
      try manager.createDirectory(at: url, withIntermediateDirectories: true)
      directory.claim = try RunClaim(url, isNew: true)
      // Two that came at once: the other one's may be done by now.
      try refuseAnother()
      try directory.write(run)
      directory.samples = try directory.begin("samples.csv", Sample.columns)
      directory.latencies = try directory.begin("latencies.csv", LatencyRecord.columns)
    } catch let error as RecordError {
      throw error
    } catch {
      throw RecordError("cannot write to \(url.path): \(explanation(error))", .misuse)
    }
    return directory
  }

  /// Opens the folder of a run that was interrupted, to go on where it ended. What a killed writer
  /// left of its last row is cut off.
  ///
  /// - Parameter claim: That of whoever has read it already; else it is claimed here.
  package static func reopen(
    at url: URL, run: Run, claim: RunClaim? = nil
  ) throws -> RunDirectory {
    let directory = RunDirectory(url)
    do {
      directory.claim = try claim ?? RunClaim(url)
      directory.samples = try directory.goOn("samples.csv")
      directory.latencies = try directory.goOn("latencies.csv")
      try directory.write(run)
    } catch let error as RecordError {
      throw error
    } catch {
      throw RecordError("cannot go on in \(url.path): \(explanation(error))", .misuse)
    }
    return directory
  }

  private func goOn(_ name: String) throws -> FileHandle {
    let handle = try FileHandle(forUpdating: url.appendingPathComponent(name))
    let there = try handle.readToEnd() ?? Data()
    let whole = there.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    try handle.truncate(atOffset: UInt64(whole))
    return handle
  }

  private func begin(_ name: String, _ columns: [String]) throws -> FileHandle {
    let file = url.appendingPathComponent(name)
    try Data(CSV.row(columns).utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    return handle
  }

  /// Appends what one child measured.
  package func append(_ rows: [Sample], _ histograms: [LatencyRecord]) throws {
    do {
      try samples?.write(contentsOf: Data(rows.map { CSV.row($0.fields) }.joined().utf8))
      if !histograms.isEmpty {
        try latencies?.write(contentsOf: Data(histograms.map { CSV.row($0.fields) }.joined().utf8))
      }
    } catch {
      throw RecordError("cannot append to \(url.path): \(explanation(error))", .misuse)
    }
  }

  package func write(_ run: Run) throws {
    try write(try RunDirectory.encode(run), to: "run.json")
  }

  /// Replaces a file as a whole.
  package func write(_ text: String, to name: String) throws {
    try RunDirectory.write(text, to: url.appendingPathComponent(name))
  }

  package static func write(_ text: String, to file: URL) throws {
    do {
      try OutputFile.write(text, to: file)
    } catch {
      throw RecordError("cannot write \(file.path): \(explanation(error))", .misuse)
    }
  }

  /// Points `latest` beside the run at it; a directory that cannot hold links is no reason to fail.
  package func becomeLatest() {
    let link = url.deletingLastPathComponent().appendingPathComponent("latest")
    let manager = FileManager.default
    let kind = try? manager.attributesOfItem(atPath: link.path)[.type] as? FileAttributeType
    guard kind == nil || kind == .typeSymbolicLink else { return }
    try? manager.removeItem(at: link)
    try? manager.createSymbolicLink(
      atPath: link.path, withDestinationPath: url.lastPathComponent)
  }

  package static func encode(_ run: Run, pretty: Bool = true) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting =
      pretty
      ? [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      : [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(run), as: UTF8.self) + "\n"
    } catch {
      throw RecordError(
        "a result is not a number and cannot be stored: \(explanation(error))", .misuse)
    }
  }
}

extension RunDirectory {
  /// Reads a run from its directory, or from its `run.json`.
  ///
  /// A run that did not finish gets its results from the samples it left.
  package static func load(_ path: String) throws -> Run {
    var url = URL(fileURLWithPath: path)
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
      throw RecordError("no results at \(path): expected a run directory or its run.json")
    }
    if isDirectory.boolValue { url.appendPathComponent("run.json") }
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw RecordError("no run.json in \(path): expected a run directory of realm-bench")
    }
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw RecordError("cannot read \(url.path): \(explanation(error))")
    }
    var run = try decode(data, path: url.path)
    if run.state != .finished || run.results.isEmpty {
      let directory = url.deletingLastPathComponent()
      let samples = try samples(in: directory)
      if !samples.isEmpty {
        run.results = Summary.results(samples, latencies: latencies(in: directory))
        run.control = RunControl(samples)
      }
      if run.state == .running { run.state = .interrupted }
    }
    return run
  }

  /// What is wrong with a document that no reader takes: a word that is no number, or an end that
  /// is missing.
  private static func broken(_ data: Data, path: String) -> String {
    if let found = Unnumbered(in: data) {
      return "\(path) \(found.sentence): measure again, or mend the file"
    }
    // A document that ends as it should was not cut off.
    let last = data.last { !" \n\r\t".utf8.contains($0) }
    return last == UInt8(ascii: "}")
      ? "\(path) is no JSON document: expected the run.json of a run"
      : "\(path) is no whole JSON document: it may be truncated"
  }

  package static func decode(_ data: Data, path: String) throws -> Run {
    guard !data.isEmpty else {
      throw RecordError("\(path) is empty: expected the run.json of a run")
    }
    struct Head: Decodable {
      var schema: Int?
      var tool: String?
    }
    let head: Head
    do {
      head = try JSONDecoder().decode(Head.self, from: data)
    } catch {
      throw RecordError(broken(data, path: path))
    }
    guard let schema = head.schema, head.tool == "realm-bench" else {
      throw RecordError(
        "\(path) was written by \(head.tool ?? "another tool"): expected a run of realm-bench")
    }
    guard schema <= Run.schema else {
      throw RecordError(
        "\(path) is of schema \(schema), this build reads up to \(Run.schema): use a newer build")
    }
    guard schema >= 1 else {
      throw RecordError("\(path) is of schema \(schema), which no build wrote: measure again")
    }
    do {
      var run = try JSONDecoder().decode(Run.self, from: data)
      if let refusal = run.asked.refusal ?? run.refusal {
        throw RecordError("\(path) is no run of realm-bench: \(refusal)")
      }
      run.results = run.results.map(\.settled)
      return run
    } catch let error as DecodingError {
      if Unnumbered(in: data) != nil { throw RecordError(broken(data, path: path)) }
      throw RecordError("\(path) is no run of realm-bench: \(RunDirectory.sentence(error))")
    }
  }

  private static func sentence(_ error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "expected an object"
        : "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is not what it should be"
    case .keyNotFound(let key, _): "\(key.stringValue) is missing"
    @unknown default: "it cannot be read"
    }
  }

  package static func samples(in directory: URL) throws -> [Sample] {
    let file = directory.appendingPathComponent("samples.csv")
    guard let data = try? Data(contentsOf: file) else { return [] }
    let rows = CSV.rows(of: String(decoding: data, as: UTF8.self))
    guard let head = rows.first else { return [] }
    let columns = Dictionary(
      head.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    guard columns["benchmark"] != nil, columns["value"] != nil else {
      throw RecordError(
        "\(file.path) has no columns benchmark and value: expected samples of a run")
    }
    return try rows.dropFirst().enumerated().compactMap { place, row in
      // A run that was killed may end within a line, which is none then.
      guard row.count >= columns.count else { return nil }
      let said = row[columns["value"] ?? 0]
      let sample = Sample(row, columns: columns)
      if let value = Double(said), value.isFinite, sample.map(RunDirectory.isPossible) ?? true {
        return sample
      }
      let expected = Double(said).map(\.isFinite) ?? false ? "no less than 0" : "a finite number"
      throw RecordError(
        "\(file.path) holds \(said) in line \(place + 2), expected \(expected): leave the line "
          + "out, or measure again")
    }
  }

  /// Nothing takes less than no time.
  private static func isPossible(_ sample: Sample) -> Bool {
    sample.value >= 0 || !Metric.named(sample.metric).unit.hasPrefix("ns")
  }

  package static func latencies(in directory: URL) -> [LatencyRecord] {
    let file = directory.appendingPathComponent("latencies.csv")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return CSV.rows(of: String(decoding: data, as: UTF8.self)).dropFirst().compactMap { row in
      guard row.count >= 5, let round = Int(row[3]) else { return nil }
      return LatencyRecord(
        benchmark: row[0], engine: row[1], side: row[2], round: round, histogram: row[4])
    }
  }
}
