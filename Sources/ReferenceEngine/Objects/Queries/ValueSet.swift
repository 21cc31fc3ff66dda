import Foundation

/// The values after IN, made ready to be asked about many: whether one of them equals a value.
///
/// Equal means what `==` in a predicate means: numbers by value whatever their kind, strings by
/// their bytes or, with options, as the options fold them, null to null, NaN to nothing.
struct ValueSet {
  let hasNull: Bool
  /// The strings, folded.
  private let texts: ByteSet
  private let datas: ByteSet
  private let integers: Set<Int64>
  /// Numbers that are no whole ones, and values of the kinds that are seldom asked for: compared
  /// one by one.
  private let others: [StoredValue]
  private let options: StringOptions

  init(_ values: [StoredValue], options: StringOptions = []) {
    self.options = options
    hasNull = values.contains(.null)
    texts = ByteSet(
      values.compactMap { value in
        guard case .string(let text) = value else { return nil }
        return Array(StringMatcher.folded(text, options).utf8)
      })
    datas = ByteSet(
      values.compactMap { if case .data(let data) = $0 { Array(data) } else { nil } })
    integers = Set(values.compactMap { if case .int(let number) = $0 { number } else { nil } })
    others = values.filter { value in
      switch value {
      case .null, .string, .data, .int: false
      default: true
      }
    }
  }

  func contains(_ value: StoredValue) -> Bool {
    switch value {
    case .null: return hasNull
    case .string(var text):
      // What stands in a set is folded, so what is asked about has to be.
      if !options.isEmpty { text = StringMatcher.folded(text, options) }
      return text.withUTF8 { texts.contains(UnsafeRawBufferPointer($0)) }
    case .data(let data): return data.withUnsafeBytes { datas.contains($0) }
    case .int(let number) where integers.contains(number): return true
    case .float, .double, .decimal:
      if integers.contains(where: { value.satisfies(.equal, .int($0)) }) { return true }
    default: break
    }
    return others.contains { value.satisfies(.equal, $0) }
  }

  /// Whether one of the strings has these bytes, folded if need be.
  @inline(__always)
  func contains(text: UnsafeRawBufferPointer) -> Bool {
    options.isEmpty
      ? texts.contains(text) : contains(.string(String(decoding: text, as: UTF8.self)))
  }

  /// Whether one of the data has these bytes.
  @inline(__always)
  func contains(data: UnsafeRawBufferPointer) -> Bool { datas.contains(data) }
}
