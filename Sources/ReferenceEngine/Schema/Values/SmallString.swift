import CShims

/// Strings made from bytes in the file at the cost of two loads.
///
/// A Swift string of up to 15 bytes of UTF-8 lies in the string's own 16 bytes; they are built here
/// directly, which is four times as fast as decoding. That layout is private to Swift's library:
/// `isAsExpected` says whether it still holds, a test asks it, and so does the engine when it opens
/// its first file.
@usableFromInline
enum SmallString {
  /// Makes a string of bytes with 16 bytes readable from their start. What is no UTF-8 in them is
  /// replaced.
  @inlinable @inline(__always)
  static func make(_ bytes: UnsafeRawBufferPointer) -> String {
    let count = bytes.count
    if count <= 15, let start = bytes.baseAddress {
      let words = rb_small_string(start, count)
      if _fastPath(words.second != 0) { return string(of: words) }
    }
    return long(bytes)
  }

  /// The string that two words are.
  ///
  /// Moved out of them: cast, it would be a copy, and the call that counts a copy costs a quarter
  /// of reading a text, though it finds nothing to count.
  @inlinable @inline(__always)
  static func string(of words: rb_words) -> String {
    var words = words
    return _withUnprotectedUnsafeMutablePointer(to: &words) {
      UnsafeMutableRawPointer($0).bindMemory(to: String.self, capacity: 1).move()
    }
  }

  @inlinable @inline(never)
  static func long(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Whether strings made here equal those that Swift makes.
  static let isAsExpected: Bool = {
    guard MemoryLayout<String>.size == 16 else { return false }
    for sample in [
      "", "a", "åb", "1234567", "12345678", "123456789", "fifteen bytes!!", "øl og 日本",
    ] {
      var text = Array(sample.utf8)
      let count = text.count
      text += Array(repeating: 0xFF, count: 16)
      let made = text.withUnsafeBytes {
        make(UnsafeRawBufferPointer(start: $0.baseAddress, count: count))
      }
      let honest = String(decoding: sample.utf8, as: UTF8.self)
      let same =
        unsafeBitCast(made, to: (UInt64, UInt64).self)
        == unsafeBitCast(honest, to: (UInt64, UInt64).self)
      if !same && count <= 15 { return false }
    }
    return true
  }()
}
