import Testing

@testable import ReferenceEngine

@Suite struct `Short texts` {
  /// The text of bytes behind which others stand, which are none of it.
  private func made(_ bytes: [UInt8]) -> String {
    (bytes + [UInt8](repeating: 0xFF, count: 16)).withUnsafeBytes {
      SmallString.make(UnsafeRawBufferPointer(rebasing: $0[..<bytes.count]))
    }
  }

  private func words(_ text: String) -> [UInt64] {
    let (first, second) = unsafeBitCast(text, to: (UInt64, UInt64).self)
    return [first, second]
  }

  @Test func `of each length are those that Swift makes`() {
    #expect(SmallString.isAsExpected)
    for count in 0...20 {
      let plain = String("abcdefghijklmnopqrst".prefix(count))
      #expect(made(Array(plain.utf8)) == plain)
      if count < 2 { continue }
      // The last character takes two bytes.
      let accented = plain.dropLast(2) + "é"
      #expect(made(Array(accented.utf8)) == String(accented))
      if count > 15 { continue }
      for text in [plain, String(accented)] {
        #expect(words(made(Array(text.utf8))) == words(String(decoding: text.utf8, as: UTF8.self)))
      }
    }
  }

  @Test func `of what is no UTF-8 have it replaced`() {
    for count in 1...15 {
      let bytes = [UInt8](repeating: 0x61, count: count - 1) + [0xC3]
      #expect(made(bytes) == String(decoding: bytes, as: UTF8.self))
    }
  }
}
