/// States and writes of a session are numbered in a circle: what is at most half of it ahead is
/// later.
extension UInt32 {
  @inline(__always)
  func isLater(than other: UInt32) -> Bool { Int32(bitPattern: self &- other) > 0 }
}
