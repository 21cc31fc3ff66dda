/// Rows of one table by their keys, each with a time.
///
/// Each row that a write deletes is noted in one, in an app's loop: a dictionary, which hashes a
/// number against those who choose numbers that meet, took a sixth of such a loop. Keys are
/// multiplied once, as in `KeySlots`; what is asked for nearly always has to be compared with one
/// or two.
struct KeyTimes<Time> {
  /// In the order in which the keys came first.
  private(set) var entries: [(key: Int64, time: Time)] = []
  /// The numbers of entries and 1; 0 where there is none. Empty if there is no entry.
  private var slots: [UInt32] = []
  /// How far the product of a key is moved down to be its slot.
  private var shift: UInt64 = 64

  private static var leastBits: UInt64 { 5 }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// The slot that a key has, or would have.
  @inline(__always)
  private func slot(of key: Int64) -> Int {
    let mask = slots.count &- 1
    let product = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    var at = Int(truncatingIfNeeded: product &>> shift)
    while slots[at] != 0, entries[Int(slots[at]) &- 1].key != key { at = (at &+ 1) & mask }
    return at
  }

  /// The time of a row; nil if it has none.
  @inline(__always)
  func time(of key: Int64) -> Time? {
    if entries.isEmpty { return nil }
    let number = slots[slot(of: key)]
    return number == 0 ? nil : entries[Int(number) &- 1].time
  }

  /// Gives a row a time, whether or not it had one.
  mutating func set(_ key: Int64, _ time: Time) {
    // A quarter of the slots stays free, so that a search is short.
    if entries.count &* 4 >= slots.count &* 3 { makeRoom() }
    let slot = slot(of: key)
    let number = slots[slot]
    if number != 0 {
      entries[Int(number) &- 1].time = time
      return
    }
    entries.append((key, time))
    slots[slot] = UInt32(truncatingIfNeeded: entries.count)
  }

  @inline(never)
  private mutating func makeRoom() {
    let bits = slots.isEmpty ? KeyTimes.leastBits : 65 - shift
    shift = 64 - bits
    slots = [UInt32](repeating: 0, count: 1 << Int(bits))
    for (number, entry) in entries.enumerated() {
      slots[slot(of: entry.key)] = UInt32(truncatingIfNeeded: number + 1)
    }
  }
}
