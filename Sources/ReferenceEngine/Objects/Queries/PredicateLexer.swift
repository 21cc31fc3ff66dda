/// A word of a filter string, and where it began.
struct PredicateToken: Equatable {
  enum Kind: Equatable {
    /// A property name or a reserved word; `escaped` when written with `#`, which makes it a name.
    case word(String, escaped: Bool)
    /// `@count`, `@allValues`.
    case at(String)
    /// `$dog`.
    case variable(String)
    case string(String)
    case integer(Int64)
    case real(Double)
    /// `%@`, `%K`, `%d` and their like, by the letters after the percent sign.
    case argument(String)
    case symbol(String)
    case end
  }

  var kind: Kind
  /// The number of characters before it.
  var position: Int

  /// The token in words, for error sentences.
  var spelled: String {
    switch kind {
    case .word(let word, _): "\"\(word)\""
    case .at(let word): "\"@\(word)\""
    case .variable(let name): "\"$\(name)\""
    case .string(let text): "the string \(StoredValue.quoted(text))"
    case .integer(let number): "\"\(number)\""
    case .real(let number): "\"\(number)\""
    case .argument(let letters): "\"%\(letters)\""
    case .symbol(let symbol): "\"\(symbol)\""
    case .end: "the end"
    }
  }
}

/// Why a filter string was not understood.
struct PredicateSyntaxError: Error, CustomStringConvertible {
  var format: String
  var position: Int
  var expectation: String

  var description: String {
    "Unable to parse the format string \"\(format)\": \(expectation) at position \(position)"
  }
}

/// Cuts a filter string into tokens.
struct PredicateLexer {
  private let format: String
  private let characters: [Character]
  private var at = 0

  init(_ format: String) {
    self.format = format
    characters = Array(format)
  }

  static func tokens(of format: String) throws -> [PredicateToken] {
    var lexer = PredicateLexer(format)
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last!.kind != .end
    return tokens
  }

  private mutating func next() throws -> PredicateToken {
    while let character = peek(), character.isWhitespace { at += 1 }
    let start = at
    guard let character = peek() else { return PredicateToken(kind: .end, position: start) }
    return PredicateToken(kind: try kind(startingWith: character), position: start)
  }

  private mutating func kind(startingWith character: Character) throws -> PredicateToken.Kind {
    switch character {
    case "\"", "'": return .string(try string(until: character))
    case "0"..."9": return try number()
    case "." where peek(1)?.isNumber == true: return try number()
    case "@":
      at += 1
      return .at(try name(after: "@"))
    case "$":
      at += 1
      return .variable(try name(after: "$"))
    case "#":
      at += 1
      return .word(try name(after: "#"), escaped: true)
    case "%":
      at += 1
      return .argument(try argument())
    case _ where isNameStart(character): return .word(name(), escaped: false)
    default: return .symbol(try symbol())
    }
  }

  private func peek(_ ahead: Int = 0) -> Character? {
    at + ahead < characters.count ? characters[at + ahead] : nil
  }

  private func isNameStart(_ character: Character) -> Bool {
    character.isLetter || character == "_"
  }

  private mutating func name() -> String {
    let start = at
    while let character = peek(),
      isNameStart(character) || character.isNumber || character.unicodeScalars.first == "\u{200D}"
    {
      at += 1
    }
    return String(characters[start..<at])
  }

  private mutating func name(after mark: String) throws -> String {
    let found = name()
    guard !found.isEmpty else { throw failure("expected a name after \"\(mark)\"") }
    return found
  }

  private mutating func string(until quote: Character) throws -> String {
    let start = at
    at += 1
    var text = ""
    while let character = peek() {
      at += 1
      if character == quote { return text }
      text.append(character == "\\" ? try escape() : character)
    }
    at = start
    throw failure("expected a closing \(quote) for the string that begins")
  }

  private mutating func escape() throws -> Character {
    guard let character = peek() else { throw failure("expected a character after \"\\\"") }
    at += 1
    switch character {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "0": return "\0"
    case "u":
      let digits = String(characters[at..<min(at + 4, characters.count)])
      guard digits.count == 4, let code = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(code)
      else { throw failure("expected four hexadecimal digits after \"\\u\"") }
      at += 4
      return Character(scalar)
    default: return character
    }
  }

  private mutating func number() throws -> PredicateToken.Kind {
    let start = at
    if peek() == "0", peek(1) == "x" || peek(1) == "X" {
      at += 2
      let digits = name(of: { $0.isHexDigit })
      guard let value = UInt64(digits, radix: 16) else {
        throw failure("expected hexadecimal digits that fit 64 bits")
      }
      return .integer(Int64(bitPattern: value))
    }
    var isReal = false
    _ = name(of: \.isNumber)
    if peek() == ".", peek(1)?.isNumber == true {
      isReal = true
      at += 1
      _ = name(of: \.isNumber)
    }
    if peek() == "e" || peek() == "E" {
      let signed = peek(1) == "-" || peek(1) == "+"
      if peek(signed ? 2 : 1)?.isNumber == true {
        isReal = true
        at += signed ? 2 : 1
        _ = name(of: \.isNumber)
      }
    }
    let digits = String(characters[start..<at])
    if !isReal, let value = Int64(digits) { return .integer(value) }
    guard let value = Double(digits) else {
      at = start
      throw failure("expected a number")
    }
    return .real(value)
  }

  private mutating func name(of belongs: (Character) -> Bool) -> String {
    let start = at
    while let character = peek(), belongs(character) { at += 1 }
    return String(characters[start..<at])
  }

  /// The letters of a format argument, by C's rules for lengths: `%lld` is `%d` as far as Swift
  /// cares.
  private mutating func argument() throws -> String {
    var letters = ""
    while let character = peek(), "lhqzt".contains(character) {
      letters.append(character)
      at += 1
    }
    guard let character = peek(), "@KdiufgeEGDUxXsc".contains(character) else {
      throw failure("expected @, K or a number format after \"%\"")
    }
    at += 1
    return letters + String(character)
  }

  private mutating func symbol() throws -> String {
    let two = String(characters[at..<min(at + 2, characters.count)])
    if ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"].contains(two) {
      at += 2
      return two
    }
    let one = String(characters[at])
    guard "=<>!()[]{},.-+".contains(one) else { throw failure("unexpected character \"\(one)\"") }
    at += 1
    return one
  }

  private func failure(_ expectation: String) -> PredicateSyntaxError {
    PredicateSyntaxError(format: format, position: at, expectation: expectation)
  }
}
