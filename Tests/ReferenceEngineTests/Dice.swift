/// Random numbers that a seed repeats.
struct Dice: RandomNumberGenerator {
  private var state: UInt64
  let seed: UInt64

  /// The seed of a test that is to do the same each time, unless one asks for another.
  static let usual: UInt64 = 0x5EED_0F_0E57

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int {
    limit <= 0 ? 0 : Int(next() >> 33) % limit
  }

  mutating func bytes(upTo count: Int) -> [UInt8] {
    let length = Int.random(in: 1...count, using: &self)
    return (0..<length).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
