import Foundation

/// What whoever starts the tests asks of a random one, by variables of the environment.
enum Wish {
  /// Where a random test begins: `SEED`, or else another one each time. It is printed, so that what
  /// has failed can be repeated.
  static func seed(orElse usual: UInt64 = .random(in: 1...999_999)) -> UInt64 {
    let seed = number("SEED", orElse: usual)
    print("SEED=\(seed)")
    return seed
  }

  /// How long it goes on, or another number of its own.
  static func number<Number: FixedWidthInteger>(
    _ name: String = "ROUNDS", orElse usual: Number
  ) -> Number {
    guard let said = ProcessInfo.processInfo.environment[name] else { return usual }
    // Another seed than was asked for would hold, and be taken for the one.
    guard let number = Number(said) else { fatalError("\(name)=\(said) is no whole number") }
    return number
  }

  /// Whether it is to do what it does not do otherwise.
  static func isThere(_ name: String) -> Bool {
    ProcessInfo.processInfo.environment[name] != nil
  }
}
