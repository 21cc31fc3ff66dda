import Evidence

/// Numbers with their units, as pages hold them together: no line ends between 12.3 and µs.
///
/// Found in the finished page, whoever has written a sentence of it; what terminals and other
/// programs get is as it was written.
enum Quantities {
  /// What may stand behind a number, the longest first, or `ns/op` would be taken for `ns`.
  static let units: [String] = {
    // As `Figures` scales them, from the smallest to the largest.
    let scaled = Metric.all.flatMap { metric in
      [1, 1e3, 0x1p10, 1e6, 0x1p20, 1e9, 0x1p30].map { Figures.scale($0, metric.unit).name }
    }
    return Set(scaled + ["%", "Hz", "kHz", "MHz", "GHz", "kB", "MB", "GB", "min", "h"])
      .filter { !$0.isEmpty }.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }()

  private static let spelled = units.map { Array($0.utf8) }

  /// Markup in which each of them is one word.
  ///
  /// What no line ends in is left alone, as drawings and what is one word already, and commands,
  /// which have rules of their own.
  static func whole(_ markup: String) -> String {
    let bytes = Array(markup.utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + bytes.count / 8)
    var place = 0
    while place < bytes.count {
      let tag = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      append(bytes[place..<tag], to: &out)
      place = end(ofTagAt: tag, in: bytes)
      out += bytes[tag..<place]
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Text for an attribute that a style shows, where there can be no element.
  static func joined(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var place = 0
    for one in ranges(in: bytes[...]) {
      out += bytes[place..<one.lowerBound]
      for byte in bytes[one] {
        if byte == UInt8(ascii: " ") { out += [0xC2, 0xA0] } else { out.append(byte) }
      }
      place = one.upperBound
    }
    return String(decoding: out + bytes[place...], as: UTF8.self)
  }

  private static func append(_ text: ArraySlice<UInt8>, to out: inout [UInt8]) {
    var place = text.startIndex
    for one in ranges(in: text) {
      out += text[place..<one.lowerBound]
      out += Array(wrapping.utf8) + text[one] + Array("</span>".utf8)
      place = one.upperBound
    }
    out += text[place...]
  }

  /// Where a tag ends, or with what is left alone the whole element.
  private static func end(ofTagAt start: Int, in bytes: [UInt8]) -> Int {
    guard let one = alone.first(where: { bytes[start...].starts(with: $0.opening) }) else {
      return bytes[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
    }
    var place = start + one.opening.count
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "<"), bytes[place...].starts(with: one.closing) {
        return place + one.closing.count
      }
      place += 1
    }
    return place
  }

  private static let alone: [(opening: [UInt8], closing: [UInt8])] =
    ["svg", "pre", "code"].map { (Array("<\($0)".utf8), Array("</\($0)>".utf8)) }
    + [(Array(wrapping.utf8), Array("</span>".utf8))]

  private static let wrapping = "<span class=\"nowrap\">"

  /// Where they stand: from the first digit, or the sign before it, to the end of the unit.
  private static func ranges(in text: ArraySlice<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for space in text.indices.dropFirst()
    where text[space] == UInt8(ascii: " ") && isDigit(text[space - 1]) {
      guard let length = unit(in: text[(space + 1)...]) else { continue }
      let least = found.last?.upperBound ?? text.startIndex
      found.append(start(ofNumberBefore: space, in: text[least...])..<space + 1 + length)
    }
    return found
  }

  /// How long a unit is that these bytes begin with; nil where they begin with another word.
  private static func unit(in text: ArraySlice<UInt8>) -> Int? {
    spelled.first { unit in
      guard text.starts(with: unit) else { return false }
      let rest = text.dropFirst(unit.count).first ?? 0
      return !isDigit(rest) && !isLetter(rest)
    }?.count
  }

  private static func start(ofNumberBefore end: Int, in text: ArraySlice<UInt8>) -> Int {
    var start = end
    while start > text.startIndex {
      let before = text[..<start]
      if isDigit(text[start - 1]) || ".,+".utf8.contains(text[start - 1]) {
        start -= 1
      } else if let part = parts.first(where: { before.suffix($0.count).elementsEqual($0) }) {
        start -= part.count
      } else {
        break
      }
    }
    return start
  }

  /// The space between thousands, and signs.
  private static let parts = ["\u{202F}", "−", "±"].map { Array($0.utf8) }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
  }
}
