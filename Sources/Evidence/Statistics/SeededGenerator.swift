/// SplitMix64: the same numbers from the same seed on every machine, which the system's generator
/// cannot give.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  @inlinable package mutating func next() -> UInt64 { step() }

  @usableFromInline package mutating func step() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number below `bound` by multiplication: the bias is below one in 2⁴⁰ for the bounds used
  /// here.
  package mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number in [0, 1).
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// A seed for a named part of a seeded whole (FNV-1a over the name, mixed).
package func derivedSeed(_ seed: UInt64, _ name: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
  for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  var generator = SeededGenerator(seed: hash)
  return generator.next()
}
