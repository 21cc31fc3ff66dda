/// A value as `distinct`, sections and keys tell values apart: texts by their bytes, all NaNs the
/// same.
struct DistinctValue: Hashable {
  let value: StoredValue

  init(_ value: StoredValue) { self.value = value }

  static func == (left: DistinctValue, right: DistinctValue) -> Bool {
    switch (left.value, right.value) {
    case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
    case (.double(let one), .double(let other)): one == other || one.isNaN && other.isNaN
    case (.float(let one), .float(let other)): one == other || one.isNaN && other.isNaN
    case (.date(let one), .date(let other)):
      DistinctValue(.double(one.timeIntervalSinceReferenceDate))
        == DistinctValue(.double(other.timeIntervalSinceReferenceDate))
    default: left.value == right.value
    }
  }

  func hash(into hasher: inout Hasher) {
    switch value {
    case .string(var text):
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      // No byte of a text: one that begins another has a hash of its own.
      hasher.combine(UInt8.max)
    case .double(let number): hasher.combine(number.isNaN ? 0 : number)
    case .float(let number): hasher.combine(number.isNaN ? 0 : number)
    case .date(let date):
      let number = date.timeIntervalSinceReferenceDate
      hasher.combine(number.isNaN ? 0 : number)
    default: hasher.combine(value)
    }
  }
}
