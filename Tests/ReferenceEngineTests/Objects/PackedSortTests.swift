import Testing

@testable import ReferenceEngine

@Suite struct PackedSortTests {
  private func order(_ words: [UInt64]) -> [Int] {
    words.withUnsafeBufferPointer { PackedSort.order(of: $0).map(Int.init) }
  }

  private func expected(_ words: [UInt64]) -> [Int] {
    words.indices.sorted { (words[$0], $0) < (words[$1], $1) }
  }

  @Test func `small cases sort stably`() {
    #expect(order([]) == [])
    #expect(order([7]) == [0])
    #expect(order([2, 1, 2, 1]) == [1, 3, 0, 2])
    #expect(order([.max, 0, .max, 1]) == [1, 3, 0, 2])
    #expect(order([5, 5, 5]) == [0, 1, 2])
  }

  @Test func `random words of every width sort like a comparison sort`() {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    for bits in [1, 3, 8, 11, 12, 20, 33, 47, 60, 64] {
      for count in [2, 10, 257, 3_000] {
        let mask: UInt64 = bits == 64 ? .max : (1 << UInt64(bits)) - 1
        let base = UInt64.random(in: 0...(.max - mask), using: &random)
        let words = (0..<count).map { _ in
          base + (UInt64.random(in: 0...(.max), using: &random) & mask)
        }
        #expect(order(words) == expected(words), "\(bits) bits, \(count) rows")
      }
    }
  }

  @Test func `numbers are sorted as by comparisons`() {
    var random = Dice(seed: Wish.seed())
    for bits in [1, 8, 17, 40, 63] {
      for count in [0, 1, 2, 255, 256, 3000] {
        let numbers = (0..<count).map { _ in
          Int64.random(in: .min ... .max, using: &random) >> Int64(64 - bits)
        }
        #expect(PackedSort.sorted(numbers) == numbers.sorted())
        #expect(PackedSort.sorted(numbers.sorted()) == numbers.sorted())
      }
    }
    let ends: [Int64] = [.max, .min, 0, .max, -1] + [Int64](repeating: .min, count: 300)
    #expect(PackedSort.sorted(ends) == ends.sorted())
  }

  @Test func `words sort as their values do`() {
    let doubles: [Double] = [
      .nan, -.infinity, -1e300, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1,
      .infinity,
    ]
    let words = doubles.map { PackedSort.word($0) }
    #expect(words == words.sorted())
    #expect(PackedSort.word(-0.0) == PackedSort.word(0.0))
    let integers: [Int64] = [.min, -1, 0, 1, .max]
    #expect(integers.map { PackedSort.word($0) } == integers.map { PackedSort.word($0) }.sorted())
  }

  @Test func `the first rows are those of the whole order`() {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    for limit in [1, 2, 7, 100] {
      for range in [UInt64(3), 1_000, .max] {
        let words = (0..<2_000).map { _ in UInt64.random(in: 0...range, using: &random) }
        var first = FirstRows(limit)
        for (row, word) in words.enumerated() { first.offer(word, UInt32(row)) }
        #expect(first.rows().map(Int.init) == Array(expected(words).prefix(limit)))
      }
    }
  }
}

@Suite struct StringMatcherTests {
  private func matches(
    _ text: String?, _ operation: Comparison.Operation, _ needle: String?,
    _ options: StringOptions = []
  ) -> Bool {
    StringMatcher(operation, needle, options: options).matches(text)
  }

  @Test func `patterns cover whole strings, character by character`() {
    #expect(matches("", .like, ""))
    #expect(matches("", .like, "*"))
    #expect(!matches("", .like, "?"))
    #expect(matches("abc", .like, "a?c"))
    #expect(matches("aébc", .like, "a?bc"))
    #expect(matches("a🦊c", .like, "a?c"))
    #expect(!matches("abbc", .like, "a?c"))
    #expect(matches("aXbXc", .like, "a*b*c"))
    #expect(matches("aabab", .like, "*ab"))
    #expect(!matches("ab", .like, "abc"))
    #expect(matches("ABC", .like, "a*", .caseInsensitive))
  }

  @Test func `options fold case and diacritics`() {
    #expect(matches("Émile", .beginsWith, "em", [.caseInsensitive, .diacriticInsensitive]))
    #expect(!matches("Émile", .beginsWith, "em", .caseInsensitive))
    #expect(matches("ÉMILE", .equal, "émile", .caseInsensitive))
    #expect(matches("naïve", .contains, "aiv", .diacriticInsensitive))
    #expect(!matches("NAIVE", .contains, "aiv", .diacriticInsensitive))
    #expect(matches("FOO", .endsWith, "oo", .caseInsensitive))
  }

  @Test func `null is not a string, but is part of every string`() {
    #expect(matches(nil, .equal, nil))
    #expect(!matches(nil, .equal, ""))
    #expect(matches(nil, .notEqual, "x"))
    #expect(matches("x", .beginsWith, nil))
    #expect(matches("x", .contains, ""))
    #expect(!matches(nil, .contains, "x"))
  }

  @Test func `strings are equal when their bytes are`() {
    #expect(!matches("e\u{301}", .equal, "\u{e9}"))
    #expect(matches("a\0b", .equal, "a\0b"))
    #expect(!matches("a\0b", .equal, "a"))
  }

  @Test func `a long string is searched to its end`() {
    let long = String(repeating: "ab", count: 500_000)
    #expect(matches(long + "x", .contains, "bx"))
    #expect(!matches(long, .contains, "x"))
    #expect(matches(long, .like, "*ba*"))
  }
}
