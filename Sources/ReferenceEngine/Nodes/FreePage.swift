/// What is known about 4 KiB of the heap: which of its 256 units of 16 bytes are free, and its
/// place among pages like it.
///
///     0   4 × u64  one bit for each unit, set if it is free
///     32  i32 next, i32 previous page of the list that it stands in; -1: none
///     40  u16 free units
///     42  u8 the list
///
/// All of it lies in one line of the cache: in a large file space is let go here and there, and
/// each line that has to be fetched for it costs more than all that is done with it.
struct FreePage {
  static let bytes = 4096
  static let units = 256
  static let stride = 64

  /// The lists: pages whose longest run is of 1, 2, 4 … 128 units, and more; pages that are full,
  /// which stand in none; and those that are free as a whole, which have bits instead.
  static let full: UInt8 = 8
  static let whole: UInt8 = 9

  let memory: UnsafeMutableRawPointer

  /// A page of which nothing is free.
  func clear() {
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: FreePage.stride)
    list = FreePage.full
  }

  var words: UnsafeMutablePointer<UInt64> { memory.assumingMemoryBound(to: UInt64.self) }

  var next: Int32 {
    get { memory.load(fromByteOffset: 32, as: Int32.self) }
    nonmutating set { memory.storeBytes(of: newValue, toByteOffset: 32, as: Int32.self) }
  }

  var previous: Int32 {
    get { memory.load(fromByteOffset: 36, as: Int32.self) }
    nonmutating set { memory.storeBytes(of: newValue, toByteOffset: 36, as: Int32.self) }
  }

  var free: Int {
    get { Int(memory.load(fromByteOffset: 40, as: UInt16.self)) }
    nonmutating set {
      memory.storeBytes(
        of: UInt16(truncatingIfNeeded: newValue), toByteOffset: 40, as: UInt16.self)
    }
  }

  var list: UInt8 {
    get { memory.load(fromByteOffset: 42, as: UInt8.self) }
    nonmutating set { memory.storeBytes(of: newValue, toByteOffset: 42, as: UInt8.self) }
  }

  var isWhole: Bool { free == FreePage.units }

  func setWhole() {
    for word in 0..<4 { words[word] = .max }
    free = FreePage.units
  }

  // MARK: runs

  /// The longest run of free units.
  func longestRun() -> (first: Int, count: Int) {
    var best = (first: 0, count: 0)
    var start = 0
    var length = 0
    for index in 0..<4 {
      var word = words[index]
      var position = index * 64
      var left = 64
      while left > 0 {
        if word & 1 == 0 {
          let gap = min(left, word.trailingZeroBitCount)
          if length > best.count { best = (start, length) }
          length = 0
          word = gap == 64 ? 0 : word >> UInt64(gap)
          position += gap
          left -= gap
        } else {
          let run = min(left, (~word).trailingZeroBitCount)
          if length == 0 { start = position }
          length += run
          word = run == 64 ? 0 : word >> UInt64(run)
          position += run
          left -= run
        }
      }
    }
    if length > best.count { best = (start, length) }
    return best
  }

  /// The list that the page belongs to: of the longest run's power of two.
  ///
  /// After each step a bit is left where a run of twice the length begins; so it takes as many
  /// steps as the list's number.
  func rightList() -> UInt8 {
    if free == 0 { return FreePage.full }
    if isWhole { return FreePage.whole }
    var (a, b, c, d) = (words[0], words[1], words[2], words[3])
    var list: UInt8 = 0
    while list < 6 {
      let by = UInt64(1) << UInt64(list)
      let (e, f) = (a & (a >> by | b << (64 - by)), b & (b >> by | c << (64 - by)))
      let (g, h) = (c & (c >> by | d << (64 - by)), d & d >> by)
      if e | f | g | h == 0 { return list }
      (a, b, c, d) = (e, f, g, h)
      list += 1
    }
    // A bit is where 64 free units begin.
    return a & b | b & c | c & d == 0 ? 6 : 7
  }
}
