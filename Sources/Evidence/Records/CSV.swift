/// Comma-separated values after RFC 4180: LF rows, a quote doubled inside quotes, `.` decimals, no
/// BOM.
package enum CSV {
  /// One row with its line end.
  package static func row(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\n"
  }

  /// A field, quoted where it must be and made harmless where a spreadsheet would run it as a
  /// formula.
  ///
  /// A number may begin with a sign; anything else that begins with `= + - @` or a tab gets a
  /// leading `'`.
  package static func field(_ text: String) -> String {
    var text = text
    if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first),
      Double(text) == nil
    {
      text = "'" + text
    }
    guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else {
      return text
    }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// A number in the shortest form that reads back the same; whole ones without a fraction.
  ///
  /// Not a number is never written: an empty field means not applicable.
  package static func number(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return "\(value)"
  }

  /// Reads rows back; a last row without its line end is the trace of a killed writer and is left
  /// out.
  package static func rows(of text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field: [UInt8] = []
    var quoted = false
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\"") where quoted:
        if bytes.first == UInt8(ascii: "\"") {
          field.append(byte)
          bytes.removeFirst()
        } else {
          quoted = false
        }
      case UInt8(ascii: "\"") where field.isEmpty:
        quoted = true
      case UInt8(ascii: ",") where !quoted:
        row.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
      case UInt8(ascii: "\n") where !quoted:
        if field.last == UInt8(ascii: "\r") { field.removeLast() }
        row.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
        rows.append(row)
        row = []
      default:
        field.append(byte)
      }
    }
    return rows
  }
}
