import Foundation
import Glibc

/// One string function of a predicate, made ready for many strings.
///
/// Works on the bytes as the file keeps them. Without options a string is its UTF-8 and nothing
/// else: `é` in one scalar and in two are different, as in Realm. With options, ASCII is folded in
/// place and only other strings are built and folded by Unicode's rules.
struct StringMatcher {
  let operation: Comparison.Operation
  let options: StringOptions
  /// The needle, folded; nil for null.
  private let needle: [UInt8]?

  init(_ operation: Comparison.Operation, _ needle: String?, options: StringOptions = []) {
    self.operation = operation
    self.options = options
    self.needle = needle.map { Array(StringMatcher.folded($0, options).utf8) }
  }

  /// Data knows no characters, so it is compared as it is.
  init(_ operation: Comparison.Operation, bytes: Data) {
    self.operation = operation
    options = []
    needle = Array(bytes)
  }

  /// Bytes that are looked for as they are.
  enum Exact {
    /// They are the string, or are not.
    case whole([UInt8])
    /// The string begins with them.
    case beginning([UInt8])
  }

  /// What is looked for, where nothing but its bytes matters.
  var exact: Exact? {
    guard options.isEmpty, let needle else { return nil }
    return switch operation {
    case .equal, .notEqual: .whole(needle)
    case .beginsWith: .beginning(needle)
    default: nil
    }
  }

  /// Whether a string, or null, satisfies the function.
  func matches(_ text: UnsafeRawBufferPointer?) -> Bool {
    guard let text else { return matchesNull }
    guard let needle else {
      // Everything begins with, ends with and contains null, as it does the empty string.
      switch operation {
      case .beginsWith, .endsWith, .contains, .notEqual: return true
      default: return false
      }
    }
    return needle.withUnsafeBytes { needle in
      if options.isEmpty { return compare(text, needle) }
      if text.allSatisfy({ $0 < 0x80 }) {
        guard options.contains(.caseInsensitive) else { return compare(text, needle) }
        return compareLowercased(text, needle)
      }
      let folded = Array(
        StringMatcher.folded(String(decoding: text, as: UTF8.self), options).utf8)
      return folded.withUnsafeBytes { compare($0, needle) }
    }
  }

  func matches(_ text: String?) -> Bool {
    guard var text else { return matchesNull }
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  private var matchesNull: Bool {
    switch operation {
    case .notEqual: needle != nil
    case .less, .greater: false
    default: needle == nil
    }
  }

  /// ASCII is lowered into a buffer on the stack, so that no string is made.
  private func compareLowercased(
    _ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: max(text.count, 1), alignment: 1) { lowered in
      for (index, byte) in text.enumerated() {
        lowered[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
      }
      return compare(UnsafeRawBufferPointer(rebasing: lowered[..<text.count]), needle)
    }
  }

  private func compare(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    switch operation {
    case .equal: return equal(text, needle)
    case .notEqual: return !equal(text, needle)
    case .beginsWith: return text.begins(with: needle)
    case .endsWith:
      return text.count >= needle.count
        && equal(
          UnsafeRawBufferPointer(rebasing: text[(text.count - needle.count)...]), needle)
    case .contains:
      guard !needle.isEmpty else { return true }
      guard text.count >= needle.count else { return false }
      return StringMatcher.find(needle, in: text)
    case .like: return StringMatcher.like(text, needle)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return ordered(text, needle)
    case .in, .between: return false
    }
  }

  private func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard left.count > 0 else { return true }
    return memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
  }

  private func ordered(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    let order = StringMatcher.order(left, right)
    return switch operation {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    default: order >= 0
    }
  }

  /// Looks for the first byte at the machine's speed, then for the rest. `memmem` is not visible to
  /// Swift.
  static func find(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Bool {
    var start = text.baseAddress!
    var candidates = text.count - needle.count + 1
    while candidates > 0, let found = memchr(start, Int32(needle[0]), candidates) {
      if memcmp(found, needle.baseAddress!, needle.count) == 0 { return true }
      let passed = start.distance(to: UnsafeRawPointer(found)) + 1
      start += passed
      candidates -= passed
    }
    return false
  }

  /// Negative, zero or positive as `left` sorts before, with or after `right`, byte by byte.
  static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    if common > 0 {
      let order = memcmp(left.baseAddress!, right.baseAddress!, common)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  static func folded(_ text: String, _ options: StringOptions) -> String {
    guard !options.isEmpty else { return text }
    if !options.contains(.diacriticInsensitive), text.utf8.allSatisfy({ $0 < 0x80 }) {
      return text.lowercased()
    }
    var comparing: String.CompareOptions = []
    if options.contains(.caseInsensitive) { comparing.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { comparing.insert(.diacriticInsensitive) }
    return text.folding(options: comparing, locale: nil)
  }

  /// Whether a pattern of `?` (one character) and `*` (any number) covers the whole text.
  ///
  /// Greedy with one place to return to: linear for the patterns people write, quadratic at worst.
  static func like(_ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer) -> Bool {
    var (at, place) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place + 1, at)
        place += 1
      } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") {
        at = after(at, in: text)
        place += 1
      } else if place < pattern.count, pattern[place] == text[at] {
        at += 1
        place += 1
      } else if let back = star {
        at = after(back.text, in: text)
        star = (back.pattern, at)
        place = back.pattern
      } else {
        return false
      }
    }
    while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
    return place == pattern.count
  }

  /// The place after the character at `index`: continuation bytes belong to it.
  private static func after(_ index: Int, in text: UnsafeRawBufferPointer) -> Int {
    var next = index + 1
    while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes begin with those, which may be none.
  @inline(__always)
  func begins(with wanted: UnsafeRawBufferPointer) -> Bool {
    guard count >= wanted.count else { return false }
    guard let first = wanted.first, let base = baseAddress, let start = wanted.baseAddress else {
      return true
    }
    // Most differ in the first.
    return self[0] == first && (wanted.count == 1 || memcmp(base, start, wanted.count) == 0)
  }
}
