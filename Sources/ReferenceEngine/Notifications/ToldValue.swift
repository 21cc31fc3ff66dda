/// A value as whoever listens tells it from another: by what lies in the file.
///
/// Swift finds NaN different from itself, and texts the same that are written in other letters.
struct ToldValue: Hashable {
  let value: StoredValue

  init(_ value: StoredValue) { self.value = value }

  static func == (left: ToldValue, right: ToldValue) -> Bool {
    left.value.isStored(as: right.value)
  }

  // What is stored alike is equal to Swift, too, but for NaN, whose hash is that of its bits.
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
