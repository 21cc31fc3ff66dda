#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Finds the number under which somebody else keeps a key, by the key's hash.
///
/// An open table of numbers alone: the keys are where they are kept, and are asked for there.
struct KeySlots: ~Copyable {
  /// The numbers and 1; 0 where there is none. Memory that the system clears when it is touched.
  private var slots: UnsafeMutablePointer<UInt32>
  private var bits: UInt64

  /// - Parameter count: There is room for as many keys, and for half as many again.
  init(for count: Int) {
    bits = KeySlots.bits(for: count)
    slots = KeySlots.cleared(bits)
  }

  deinit { free(slots) }

  private static func bits(for count: Int) -> UInt64 {
    UInt64(Int.bitWidth - (2 * max(count, 16) - 1).leadingZeroBitCount)
  }

  private static func cleared(_ bits: UInt64) -> UnsafeMutablePointer<UInt32> {
    guard let memory = calloc(1 << Int(bits), 4) else { fatalError("out of memory") }
    return memory.bindMemory(to: UInt32.self, capacity: 1 << Int(bits))
  }

  /// The slot that a key has, or would have.
  @inline(__always)
  func slot(of key: Int64, _ keyOf: (Int) -> Int64) -> Int {
    let mask = 1 &<< Int(bits) &- 1
    var at = Int(
      truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) &>> (64 &- bits))
    while slots[at] != 0, keyOf(Int(slots[at]) &- 1) != key { at = (at &+ 1) & mask }
    return at
  }

  /// The number in a slot; nil if no key has it.
  @inline(__always)
  func number(in slot: Int) -> Int? { slots[slot] == 0 ? nil : Int(slots[slot]) &- 1 }

  @inline(__always)
  func put(_ number: Int, into slot: Int) {
    slots[slot] = UInt32(truncatingIfNeeded: number &+ 1)
  }

  /// Whether so many keys leave enough slots free that a search is short.
  @inline(__always)
  func haveRoom(for count: Int) -> Bool { count &* 4 <= 3 &<< Int(bits) }

  /// Forgets all, and makes room for as many keys and half as many again.
  mutating func clear(for count: Int) {
    free(slots)
    bits = KeySlots.bits(for: count)
    slots = KeySlots.cleared(bits)
  }
}
