import Foundation

// How a list or a dictionary lies in the cell of a mixed value: its number, how many elements it
// has, then each with its length in front; of a dictionary the key before it likewise.

extension NestedValue {
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(number, to: &bytes)
    append(UInt32(truncatingIfNeeded: elements.count), to: &bytes)
    for (position, element) in elements.enumerated() {
      if let keys { append(Array(keys[position].utf8), to: &bytes) }
      append(element.taggedBytes, to: &bytes)
    }
    return bytes
  }

  private func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private func append(_ value: [UInt8], to bytes: inout [UInt8]) {
    append(UInt32(truncatingIfNeeded: value.count), to: &bytes)
    bytes += value
  }

  /// Reads what `bytes` wrote; nil for what it never writes.
  convenience init?(bytes: UnsafeRawBufferPointer, hasKeys: Bool, level: Int) {
    guard level <= NestedValue.mostLevels, bytes.count >= 12 else { return nil }
    let number = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    let count = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    var rest = bytes[12...]
    func part() -> UnsafeRawBufferPointer? {
      guard rest.count >= 4 else { return nil }
      let length = Int(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: rest.startIndex, as: UInt32.self)))
      guard length <= rest.count - 4 else { return nil }
      let part = UnsafeRawBufferPointer(rebasing: rest.dropFirst(4).prefix(length))
      rest = rest.dropFirst(4 + length)
      return part
    }
    var (keys, elements): ([String], [StoredValue]) = ([], [])
    for _ in 0..<count {
      if hasKeys {
        guard let key = part() else { return nil }
        keys.append(String(decoding: key, as: UTF8.self))
      }
      guard let part = part(), let value = StoredValue(tagged: part, level: level) else {
        return nil
      }
      elements.append(value)
    }
    guard rest.isEmpty else { return nil }
    self.init(number: number, keys: hasKeys ? keys : nil, elements)
  }
}
