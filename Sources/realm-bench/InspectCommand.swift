import Foundation
import ReferenceEngine
import Reporting

/// Checks a file offline: headers, every node of every version that is held, checksums.
let verifyVerb = Verb(
  name: "verify",
  summary: "checks a realm file offline and says what is wrong and where",
  operands: "FILE",
  operandCount: 1...1,
  notes:
    "  Reads only; a file that is in use may be verified. Ends with 5 if the file is damaged or no "
    + "realm."
) { arguments in
  guard let inspection = inspect(arguments.operands[0]) else { return .baseline }
  Terminal.lines(
    "\(inspection.path): whole at version \(inspection.version); \(inspection.nodes) nodes, "
      + "\(size(inspection.usedBytes)) used, \(size(inspection.otherBytes)) free or kept by older "
      + "versions, \(inspection.holders.count) older versions held and checked\n")
  return .fine
}

/// Answers "why is my file growing?": who holds which version, and what lies where.
let inspectVerb = Verb(
  name: "inspect",
  summary: "versions, who holds them, sizes per table, free space: why a file grows",
  operands: "FILE",
  operandCount: 1...1,
  options: [.flag("json", "as JSON")]
) { arguments in
  guard let inspection = inspect(arguments.operands[0]) else { return .baseline }
  let portrait = Portrait(inspection)
  Terminal.out(arguments.has("json") ? try portrait.json : TextTable.within(portrait.text))
  return .fine
}

/// Looks into a file; says in one sentence why that cannot be done.
private func inspect(_ path: String) -> Inspection? {
  do { return try Inspection(verifying: path) } catch {
    Terminal.say("realm-bench: \(error)")
    return nil
  }
}

func size(_ bytes: Int) -> String {
  switch bytes {
  case ..<1024: return "\(bytes) B"
  case ..<(1 << 20): return String(format: "%.1f KiB", Double(bytes) / 1024)
  case ..<(1 << 30): return String(format: "%.1f MiB", Double(bytes) / 1_048_576)
  default: return String(format: "%.2f GiB", Double(bytes) / 1_073_741_824)
  }
}

/// What `inspect` shows, as plain values.
private struct Portrait: Encodable {
  struct Table: Encodable {
    let name: String
    let rows: Int
    let nodes: Int
    let bytes: Int
  }

  struct Holder: Encodable {
    let version: UInt64
    let kind: String
    let process: Int32
    let thread: UInt32
    let behind: UInt64
    let ageSeconds: Double
  }

  let path: String
  let fileBytes: UInt64
  let version: UInt64
  let durableVersion: UInt64
  let usedBytes: Int
  let otherBytes: Int
  let commitRecords: Int
  let tables: [Table]
  let holders: [Holder]

  init(_ inspection: Inspection) {
    path = inspection.path
    fileBytes = inspection.fileSize
    version = inspection.version
    durableVersion = inspection.durableVersion
    usedBytes = inspection.usedBytes
    otherBytes = inspection.otherBytes
    commitRecords = inspection.records
    tables = inspection.tables.map {
      Table(
        name: inspection.className(ofTable: $0.number) ?? "table \($0.number)", rows: $0.rows,
        nodes: $0.nodes, bytes: $0.bytes)
    }
    let now = Date().timeIntervalSince1970
    holders = inspection.holders.sorted { $0.version < $1.version }.map {
      Holder(
        version: $0.version.number, kind: "\($0.kind)", process: $0.process, thread: $0.thread,
        behind: inspection.version - min(inspection.version, $0.version.number),
        ageSeconds: $0.since == 0 ? 0 : max(0, now - Double($0.since) / 1e9))
    }
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }

  var text: String {
    var lines = [
      path,
      "  version \(version), durable \(durableVersion)",
      "  file \(size(Int(fileBytes))): \(size(usedBytes)) in use by the newest version, "
        + "\(size(otherBytes)) free or kept by older versions; \(commitRecords) commit records",
      "",
    ]
    let width = max(5, tables.map(\.name.count).max() ?? 0)
    func column(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    lines.append("  table" + column("rows", width + 7) + column("size", 13) + column("nodes", 10))
    for table in tables {
      lines.append(
        "  " + table.name + String(repeating: " ", count: width - table.name.count)
          + column("\(table.rows)", 12) + column(size(table.bytes), 13)
          + column("\(table.nodes)", 10))
    }
    lines.append("")
    if holders.isEmpty {
      lines.append("  no version is held: all space but the newest version's can be used again")
    } else {
      lines.append("  held versions, oldest first: each keeps what was in use when it was newest")
      for holder in holders {
        lines.append(
          "    version \(holder.version) (\(holder.behind) behind, committed "
            + "\(Int(holder.ageSeconds)) s ago): \(holder.kind), process \(holder.process), "
            + "thread \(holder.thread)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
