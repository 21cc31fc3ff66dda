import Foundation

/// What stands in a JSON document where a finite number should: `NaN`, or a number like `1e999`
/// that is larger than any. Readers of JSON say of it that an object was expected, or nothing.
struct Unnumbered: Equatable {
  let word: String
  let line: Int
  /// Where in the document: `results[0].values[2].value`; empty for the document itself.
  let place: String

  /// `holds 1e999 at results[0].seed in line 12, expected a finite number`
  var sentence: String {
    "holds \(word.prefix(40))\(place.isEmpty ? "" : " at \(place)") in line \(line), expected a "
      + "finite number"
  }

  /// The first in a document, outside of its texts; nil where there is none.
  init?(in document: Data) {
    var scan = Scan()
    for byte in document + [UInt8(ascii: "\n")] {
      if let word = scan.word(endedBy: byte), Unnumbered.isNone(word) {
        (self.word, line, place) = (word, scan.line, scan.place)
        return
      }
      scan.take(byte)
    }
    return nil
  }

  private static func isNone(_ word: String) -> Bool {
    let plain = word.lowercased().drop { "+-".contains($0) }
    if ["nan", "inf", "infinity"].contains(plain) { return true }
    return plain.first?.isNumber == true && Double(word)?.isFinite == false
  }

  /// How far a document has been read.
  private struct Scan {
    /// An object or a list that is open, and where in it the reader is.
    private struct Level {
      var isList: Bool
      var key = ""
      var index = 0
    }

    private(set) var line = 1
    private var levels: [Level] = []
    private var text: [UInt8]?
    private var isEscaped = false
    private var plain: [UInt8] = []

    /// A word that is no text, once it is over.
    func word(endedBy byte: UInt8) -> String? {
      guard text == nil, !plain.isEmpty, Scan.isBetween(byte) else { return nil }
      return String(decoding: plain, as: UTF8.self)
    }

    var place: String {
      levels.reduce("") { path, level in
        level.isList
          ? "\(path)[\(level.index)]" : path.isEmpty ? level.key : "\(path).\(level.key)"
      }
    }

    mutating func take(_ byte: UInt8) {
      if byte == UInt8(ascii: "\n") { line += 1 }
      if text != nil { return takeText(byte) }
      guard Scan.isBetween(byte) else { return plain.append(byte) }
      plain = []
      switch byte {
      case UInt8(ascii: "\""): text = []
      case UInt8(ascii: "{"): levels.append(Level(isList: false))
      case UInt8(ascii: "["): levels.append(Level(isList: true))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
      case UInt8(ascii: ","):
        if let last = levels.indices.last {
          levels[last].index += 1
          levels[last].key = ""
        }
      default: break
      }
    }

    /// The first text of an object's member is its name.
    private mutating func takeText(_ byte: UInt8) {
      if isEscaped || byte != UInt8(ascii: "\"") {
        text?.append(byte)
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        return
      }
      if let last = levels.indices.last, levels[last].key.isEmpty {
        levels[last].key = String(decoding: text ?? [], as: UTF8.self)
      }
      text = nil
    }

    private static func isBetween(_ byte: UInt8) -> Bool { " \t\r\n{}[],:\"".utf8.contains(byte) }
  }
}
