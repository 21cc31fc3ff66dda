import Foundation

@testable import ReferenceEngine

/// One way to damage a file. Those that seal what they have changed look whole to every checksum.
enum Mutation: Int, CaseIterable, Sendable {
  case bitAnywhere
  case bitInNode
  case bitInHeaders
  case bytesInNode
  case swappedNodes
  case swappedBlocks
  case cut
  case olderBlocks
  case foreignBlocks
  case sealedHeader
  case sealedField
  case sealedCount
  case sealedReference
  case sealedPayload
  case sealedSlot
  case sealedSchema
  case sealedRecord

  /// Whether whoever compares all checksums must find it.
  var isAlwaysFound: Bool {
    switch self {
    case .bitInNode, .bytesInNode, .swappedNodes: true
    default: false
    }
  }

  /// Whether what is damaged keeps a right checksum, or has the one that it had before, so that
  /// none can tell.
  var isSealed: Bool { rawValue >= Mutation.sealedHeader.rawValue || self == .olderBlocks }

  /// Damages the bytes. False if they are what they were.
  func apply(to bytes: inout [UInt8], _ victim: DamageVictim, _ dice: inout Dice) -> Bool {
    switch self {
    case .bitAnywhere: Mutation.flip(&bytes, 0..<victim.end, &dice)
    case .bitInHeaders: Mutation.flip(&bytes, 0..<1536, &dice)
    case .bitInNode:
      let node = victim.nodes.randomElement(using: &dice)!
      Mutation.flip(&bytes, node.place..<(node.place + node.bytes), &dice)
    case .bytesInNode:
      let node = victim.nodes.randomElement(using: &dice)!
      for _ in 0..<4 {
        let place = node.place + Int.random(in: 0..<node.bytes, using: &dice)
        bytes[place] = UInt8.random(in: 0...255, using: &dice)
      }
    case .swappedNodes:
      let one = victim.nodes.randomElement(using: &dice)!
      let alike = victim.nodes.filter { $0.bytes == one.bytes && $0.place != one.place }
      guard let other = alike.randomElement(using: &dice) else { return false }
      for index in 0..<one.bytes { bytes.swapAt(one.place + index, other.place + index) }
    case .swappedBlocks:
      let size = [16, 512, 4096].randomElement(using: &dice)!
      let count = victim.end / size
      let (one, other) = (
        Int.random(in: 0..<count, using: &dice) * size,
        Int.random(in: 0..<count, using: &dice) * size
      )
      if one != other { for index in 0..<size { bytes.swapAt(one + index, other + index) } }
    case .cut: bytes.removeLast(bytes.count - Int.random(in: 0..<victim.end, using: &dice))
    case .olderBlocks: Mutation.splice(&bytes, victim.older, victim, &dice)
    case .foreignBlocks: Mutation.splice(&bytes, victim.other, victim, &dice)
    case .sealedSlot: Mutation.changeSlot(&bytes, &dice)
    default: changeNode(&bytes, victim, &dice)
    }
    return bytes != victim.bytes
  }

  private static func flip(_ bytes: inout [UInt8], _ range: Range<Int>, _ dice: inout Dice) {
    bytes[Int.random(in: range, using: &dice)] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
  }

  private static func splice(
    _ bytes: inout [UInt8], _ source: [UInt8], _ victim: DamageVictim, _ dice: inout Dice
  ) {
    let size = [512, 4096, 16384].randomElement(using: &dice)!
    let start = Int.random(in: 0..<(min(victim.end, source.count) / size), using: &dice) * size
    let end = min(start + size, bytes.count, source.count)
    bytes.replaceSubrange(start..<end, with: source[start..<end])
  }

  private static func word(_ old: UInt64, _ dice: inout Dice) -> UInt64 {
    switch Int.random(in: 0..<8, using: &dice) {
    case 0: 0
    case 1: .max
    case 2: .max - 15
    case 3: 1 << UInt64.random(in: 0..<64, using: &dice)
    case 4: old &+ UInt64.random(in: 1...64, using: &dice)
    case 5: old &- UInt64.random(in: 1...64, using: &dice)
    case 6: old ^ 1 << UInt64.random(in: 0..<64, using: &dice)
    default: UInt64.random(in: 0...(.max), using: &dice)
    }
  }

  private static func change<Value: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: inout [UInt8], _ place: Int, as type: Value.Type, _ dice: inout Dice
  ) {
    bytes.withUnsafeMutableBytes {
      let old = UInt64(
        truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: place, as: Value.self))
      $0.storeBytes(
        of: Value(truncatingIfNeeded: word(old, &dice)), toByteOffset: place, as: Value.self)
    }
  }

  private static func changeSlot(_ bytes: inout [UInt8], _ dice: inout Dice) {
    for slot in Int.random(in: 0...2, using: &dice) == 0
      ? [0, 1] : [Int.random(in: 0...1, using: &dice)]
    {
      let start = 512 * (slot + 1)
      for _ in 0..<Int.random(in: 1...2, using: &dice) {
        let (field, size) = [
          (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 8), (48, 4), (56, 8), (64, 8), (72, 8),
        ].randomElement(using: &dice)!
        if size == 4 {
          change(&bytes, start + field, as: UInt32.self, &dice)
        } else {
          change(&bytes, start + field, as: UInt64.self, &dice)
        }
      }
      bytes.withUnsafeMutableBytes {
        FileHeader.seal(UnsafeMutableRawBufferPointer(rebasing: $0[start..<(start + 512)]))
      }
    }
  }

  private func changeNode(
    _ bytes: inout [UInt8], _ victim: DamageVictim, _ dice: inout Dice
  ) {
    let candidates: [DamageVictim.Node] =
      switch self {
      case .sealedReference: victim.nodes.filter { !$0.references.isEmpty }
      case .sealedRecord: victim.nodes.filter { $0.kind == ChangeLog.kind }
      case .sealedSchema:
        [victim.nodes.first { $0.place == Mutation.schemaPlace(victim) }!]
      default: victim.nodes
      }
    let node = candidates.randomElement(using: &dice)!
    let place = node.place
    func inside(_ size: Int) -> Int {
      node.bytes == 16
        ? place
        : place + 16 + Int.random(in: 0...((node.bytes - 16) / size - 1), using: &dice) * size
    }
    switch self {
    case .sealedHeader:
      bytes[place + [0, 1].randomElement(using: &dice)!] =
        UInt8.random(in: 0...13, using: &dice)
    case .sealedField:
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: Mutation.change(&bytes, place, as: UInt16.self, &dice)
      case 1: Mutation.change(&bytes, place + 8, as: UInt64.self, &dice)
      default: bytes[place + 1] = UInt8.random(in: 0...255, using: &dice)
      }
    case .sealedCount: Mutation.change(&bytes, place + 2, as: UInt16.self, &dice)
    case .sealedReference:
      let reference = node.references.randomElement(using: &dice)!
      let target = UInt64(victim.nodes.randomElement(using: &dice)!.place)
      let isRedirected = Int.random(in: 0...2, using: &dice) > 0
      if isRedirected {
        bytes.withUnsafeMutableBytes {
          let old = $0.loadUnaligned(fromByteOffset: reference, as: UInt64.self)
          $0.storeBytes(of: target | old & 15, toByteOffset: reference, as: UInt64.self)
        }
      } else {
        Mutation.change(&bytes, reference, as: UInt64.self, &dice)
      }
    default:
      for _ in 0..<Int.random(in: 1...2, using: &dice) {
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: bytes[inside(1)] = UInt8.random(in: 0...255, using: &dice)
        case 1: Mutation.change(&bytes, inside(2), as: UInt16.self, &dice)
        case 2: Mutation.change(&bytes, inside(4), as: UInt32.self, &dice)
        default: Mutation.change(&bytes, inside(8), as: UInt64.self, &dice)
        }
      }
    }
    Mutation.seal(&bytes, place)
  }

  private static func schemaPlace(_ victim: DamageVictim) -> Int {
    let top = victim.nodes.first { $0.kind == NodeKind.top }!
    return victim.bytes.withUnsafeBytes {
      Int($0.loadUnaligned(fromByteOffset: top.place + 16, as: UInt64.self))
    }
  }

  /// Gives a node the checksum of what it is now, as far as it lies in the file.
  static func seal(_ bytes: inout [UInt8], _ place: Int) {
    bytes.withUnsafeMutableBytes { file in
      let node = file.baseAddress! + place
      var header = node.loadUnaligned(as: NodeHeader.self)
      guard header.units > 0, place + header.bytes <= file.count else { return }
      header.checksum = Checksum.ofNode(
        node, bytes: header.bytes, at: NodeRef(raw: UInt64(place)),
        of: FileNumber(ofFile: file.baseAddress!))
      node.storeBytes(of: header, as: NodeHeader.self)
    }
  }
}
