import Glibc

/// Byte strings that are looked for all at once: the strings after IN, as the file keeps them.
///
/// Places in a table by hash, half of them free; the bytes of all lie one after the other. Asking
/// makes nothing.
struct ByteSet {
  private struct Member {
    let hash: UInt64
    let start: Int
    let count: Int
  }

  private var members: [Member] = []
  private var bytes: [UInt8] = []
  /// Indices of members and -1; a power of two of them.
  private var places: [Int32]
  /// One bit for each length that a member has, those from 63 on together.
  private var lengths: UInt64 = 0

  init(_ strings: [[UInt8]]) {
    var room = 4
    while room < strings.count * 2 { room *= 2 }
    places = Array(repeating: -1, count: room)
    members.reserveCapacity(strings.count)
    for string in strings { string.withUnsafeBytes { insert($0) } }
  }

  private mutating func insert(_ string: UnsafeRawBufferPointer) {
    if contains(string) { return }
    let hash = StoredValue.hash(string)
    var place = Int(truncatingIfNeeded: hash) & (places.count &- 1)
    while places[place] >= 0 { place = (place &+ 1) & (places.count &- 1) }
    places[place] = Int32(members.count)
    members.append(Member(hash: hash, start: bytes.count, count: string.count))
    bytes += string
    lengths |= ByteSet.bit(of: string.count)
  }

  /// Whether one of the strings is nothing but zeros.
  var containsZero: Bool {
    members.contains { member in
      bytes[member.start..<(member.start + member.count)].allSatisfy { $0 == 0 }
    }
  }

  @inline(__always)
  private static func bit(of count: Int) -> UInt64 { 1 &<< UInt64(min(count, 63)) }

  @inline(__always)
  func contains(_ string: UnsafeRawBufferPointer) -> Bool {
    lengths & ByteSet.bit(of: string.count) != 0 && isFound(string)
  }

  private func isFound(_ string: UnsafeRawBufferPointer) -> Bool {
    let hash = StoredValue.hash(string)
    var place = Int(truncatingIfNeeded: hash) & (places.count &- 1)
    while places[place] >= 0 {
      let member = members[Int(places[place])]
      if member.hash == hash, member.count == string.count, isEqual(member, string) { return true }
      place = (place &+ 1) & (places.count &- 1)
    }
    return false
  }

  private func isEqual(_ member: Member, _ string: UnsafeRawBufferPointer) -> Bool {
    guard let start = string.baseAddress, member.count > 0 else { return true }
    return bytes.withUnsafeBytes {
      memcmp($0.baseAddress! + member.start, start, member.count) == 0
    }
  }
}
