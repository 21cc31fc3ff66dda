/// Which space is free: one bit for each 16 bytes of the heap, in pages of 4 KiB.
///
/// A page stands in the list of its longest free run, by powers of two: finding a place, giving one back and joining
/// neighbours cost the same however many pieces there are. The page that was given something last comes first, because
/// it is in the processor's cache; a small commit lies in one page, which is what the medium writes.
///
/// It lies in plain memory: a property of a class would cost an exclusivity check per access, and a commit makes dozens.
///
/// Invariants: 1. a page stands in the list of its longest run, or among the whole ones, or is full. 2. No bit is set at
/// or behind the end.
final class FreeMap {
  static let pageBytes = 4096
  private static let pageUnits = 256
  /// Runs from 1, 2, 4 … 128 units, and pages that are full: 256 units are a whole page, which has a list of its own.
  private static let full = 8
  private static let whole = 9

  private(set) var pages = 0
  private(set) var freeUnits = 0

  private var bits: UnsafeMutablePointer<UInt64>
  private var free: UnsafeMutablePointer<UInt16>
  private var classes: UnsafeMutablePointer<UInt8>
  private var next: UnsafeMutablePointer<Int32>
  private var previous: UnsafeMutablePointer<Int32>
  private let heads: UnsafeMutablePointer<Int32>
  private var capacity = 0

  /// One bit for each page that is free as a whole, and the first word that may have one: the lowest is taken first, so
  /// that the end of the file becomes free and can be given back.
  private var wholes: UnsafeMutablePointer<UInt64>
  private var wholesHint = 0
  /// Where the next run of some pages is looked for.
  private var sweep = 0

  /// A heap of which nothing is free.
  init(end: UInt64) {
    bits = .allocate(capacity: 0)
    free = .allocate(capacity: 0)
    classes = .allocate(capacity: 0)
    next = .allocate(capacity: 0)
    previous = .allocate(capacity: 0)
    wholes = .allocate(capacity: 0)
    heads = .allocate(capacity: FreeMap.full)
    heads.initialize(repeating: -1, count: FreeMap.full)
    extend(toPages: Int((end + 4095) / 4096), free: false)
  }

  deinit {
    bits.deallocate()
    free.deallocate()
    classes.deallocate()
    next.deallocate()
    previous.deallocate()
    wholes.deallocate()
    heads.deallocate()
  }

  /// The end of the heap: no used unit lies behind it.
  var end: UInt64 { UInt64(pages) * 4096 }

  var freeBytes: Int { freeUnits << 4 }

  // MARK: taking

  /// A free run of at least `least` bytes, if possible of `wanted`; marked as used. nil if the heap has to grow.
  func take(atLeast least: Int, wanted: Int) -> Run? {
    if wanted <= FreeMap.pageBytes {
      if let run = takeWithinPage(units: (wanted + 15) >> 4) { return run }
    }
    return takePages(atLeast: (least + 4095) / 4096, wanted: max(1, (wanted + 4095) / 4096))
  }

  /// Appends pages to the heap and takes a run of them, with the free pages just before the end.
  func takeAtEnd(bytes: Int) -> Run {
    var first = pages
    while first > 1, free[first - 1] == FreeMap.pageUnits { first -= 1 }
    let wanted = max(1, (bytes + 4095) / 4096)
    if pages - first < wanted { extend(toPages: first + wanted, free: true) }
    return takeRun(pages: first, count: wanted)
  }

  private func takeWithinPage(units: Int) -> Run? {
    let exact = max(0, units - 1).bitWidth - max(0, units - 1).leadingZeroBitCount
    // Of pages whose longest run is of the same power of two some are long enough: a few are tried.
    if exact > 0 {
      var page = heads[exact - 1]
      var tries = 4
      while page >= 0, tries > 0 {
        let run = longestRun(in: Int(page))
        if run.count >= units { return takeRun(run, in: Int(page)) }
        page = next[Int(page)]
        tries -= 1
      }
    }
    // In these every longest run is.
    for size in exact..<max(exact, FreeMap.full) where heads[size] >= 0 {
      let page = Int(heads[size])
      return takeRun(longestRun(in: page), in: page)
    }
    return firstWhole(from: 0).map { takeRun(pages: $0, count: 1) }
  }

  private func takeRun(_ run: (first: Int, count: Int), in page: Int) -> Run {
    let first = page * FreeMap.pageUnits + run.first
    mark(used: first, run.count)
    return Run(offset: UInt64(first) << 4, bytes: run.count << 4)
  }

  private func firstWhole(from page: Int) -> Int? {
    let words = (pages + 63) >> 6
    var word = max(wholesHint, page >> 6)
    if word >= words { return nil }
    var bits = wholes[word]
    if word == page >> 6 { bits &= .max << UInt64(page & 63) }
    while bits == 0 {
      word += 1
      if word == words {
        if page == 0 { wholesHint = words }
        return nil
      }
      bits = wholes[word]
    }
    if page == 0 { wholesHint = word }
    return word << 6 + bits.trailingZeroBitCount
  }

  private func takePages(atLeast least: Int, wanted: Int) -> Run? {
    var from = 0
    while let first = firstWhole(from: from) {
      var end = first + 1
      while end - first < wanted, end < pages, free[end] == FreeMap.pageUnits { end += 1 }
      if end - first >= least { return takeRun(pages: first, count: end - first) }
      from = end
    }
    return nil
  }

  /// So many runs of free pages are looked at.
  private static let patience = 256

  /// A run of so many free pages, looked for from where the last one ended: what is written one after the other comes to lie
  /// side by side, and is let go at about the same time.
  func takePages(sideBySide count: Int) -> Run? {
    var page = sweep < pages ? sweep : 0
    var hasWrapped = page == 0
    for _ in 0..<FreeMap.patience {
      guard let first = firstWhole(from: page), !hasWrapped || sweep == 0 || first < sweep else {
        if hasWrapped { return nil }
        hasWrapped = true
        page = 0
        continue
      }
      var end = first + 1
      while end - first < count, end < pages, free[end] == FreeMap.pageUnits { end += 1 }
      if end - first == count {
        sweep = end
        return takeRun(pages: first, count: count)
      }
      page = end
    }
    return nil
  }

  private func takeRun(pages first: Int, count: Int) -> Run {
    mark(used: first * FreeMap.pageUnits, count * FreeMap.pageUnits)
    return Run(offset: UInt64(first) * 4096, bytes: count * FreeMap.pageBytes)
  }

  // MARK: giving back

  func give(_ run: Run) {
    if run.bytes > 0 { mark(free: Int(run.offset >> 4), run.bytes >> 4) }
  }

  /// Gives up the free pages at the end, and returns whether there were any.
  func trimEnd() -> Bool {
    var last = pages
    while last > 1, free[last - 1] == FreeMap.pageUnits { last -= 1 }
    guard last < pages else { return false }
    for page in last..<pages {
      remove(page, from: FreeMap.whole)
      freeUnits -= FreeMap.pageUnits
    }
    pages = last
    return true
  }

  /// Gives up the free end if most of the heap is free, so that the file can be made shorter.
  func trimIfMostlyFree() {
    guard freeUnits > pages * FreeMap.pageUnits / 2, pages > 256 else { return }
    _ = trimEnd()
  }

  // MARK: what others say

  /// Everything up to the end is free until a walk has marked what is used.
  func markAllFree() { for page in 1..<max(1, pages) { setWhole(page) } }

  /// Marks a run as used, with the heap made longer if it lies behind the end and `mayExtend`. False if it is in use already
  /// or out of bounds: whoever says that it is free is not to be trusted.
  func markUsed(_ run: Run, mayExtend: Bool = false) -> Bool {
    let last = Int(run.end + 4095) / FreeMap.pageBytes
    if mayExtend, last > pages { extend(toPages: last, free: true) }
    let first = Int(run.offset >> 4)
    guard run.end <= end, isFree(first, run.bytes >> 4) else { return false }
    mark(used: first, run.bytes >> 4)
    return true
  }

  private func isFree(_ first: Int, _ count: Int) -> Bool {
    var isFree = true
    forEachWord(first, count) { word, mask in
      if bits[word] & mask != mask { isFree = false }
    }
    return isFree
  }

  // MARK: bits

  private func mark(free first: Int, _ count: Int) {
    forEachWord(first, count) { word, mask in
      invariant(bits[word] & mask == 0, "space at \((word * 64) << 4) is freed twice")
      bits[word] |= mask
      free[word >> 2] &+= UInt16(truncatingIfNeeded: mask.nonzeroBitCount)
    }
    freeUnits += count
    forEachPage(first, count, file)
  }

  private func mark(used first: Int, _ count: Int) {
    forEachWord(first, count) { word, mask in
      invariant(bits[word] & mask == mask, "space at \((word * 64) << 4) is taken twice")
      bits[word] &= ~mask
      free[word >> 2] &-= UInt16(truncatingIfNeeded: mask.nonzeroBitCount)
    }
    freeUnits -= count
    forEachPage(first, count, file)
  }

  @inline(__always)
  private func forEachWord(
    _ first: Int, _ count: Int, _ body: (_ word: Int, _ mask: UInt64) -> Void
  ) {
    invariant(first + count <= pages * FreeMap.pageUnits, "space past the end of the heap")
    var unit = first
    let end = first + count
    while unit < end {
      let low = unit & 63
      let width = min(64 - low, end - unit)
      let mask = width == 64 ? UInt64.max : ((1 << UInt64(width)) - 1) << UInt64(low)
      body(unit >> 6, mask)
      unit += width
    }
  }

  @inline(__always)
  private func forEachPage(_ first: Int, _ count: Int, _ body: (_ page: Int) -> Void) {
    if count == 0 { return }
    for page in first >> 8...(first + count - 1) >> 8 { body(page) }
  }

  private func setWhole(_ page: Int) {
    for word in page * 4..<page * 4 + 4 { bits[word] = .max }
    freeUnits += FreeMap.pageUnits - Int(free[page])
    free[page] = UInt16(FreeMap.pageUnits)
    file(page)
  }

  // MARK: runs

  /// The longest run of free units in a page.
  private func longestRun(in page: Int) -> (first: Int, count: Int) {
    var best = (first: 0, count: 0)
    var start = 0
    var length = 0
    for index in 0..<4 {
      var word = bits[page * 4 + index]
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

  /// The class of a page: of the longest run's power of two.
  ///
  /// After each step a bit is left where a run of twice the length begins; so it takes as many steps as the class.
  private func size(of page: Int) -> Int {
    let count = free[page]
    if count == 0 { return FreeMap.full }
    if count == FreeMap.pageUnits { return FreeMap.whole }
    var (a, b) = (bits[page * 4], bits[page * 4 + 1])
    var (c, d) = (bits[page * 4 + 2], bits[page * 4 + 3])
    var size = 0
    while size < 6 {
      let by = UInt64(1) << UInt64(size)
      let (e, f) = (a & (a >> by | b << (64 - by)), b & (b >> by | c << (64 - by)))
      let (g, h) = (c & (c >> by | d << (64 - by)), d & d >> by)
      if e | f | g | h == 0 { return size }
      (a, b, c, d) = (e, f, g, h)
      size += 1
    }
    // A bit is where 64 free units begin.
    return a & b | b & c | c & d == 0 ? 6 : 7
  }

  // MARK: lists

  /// Puts a page into the list that it belongs to now.
  private func file(_ page: Int) {
    let old = Int(classes[page])
    let new = size(of: page)
    if old == new { return }
    remove(page, from: old)
    insert(page, into: new)
  }

  private func remove(_ page: Int, from size: Int) {
    if size == FreeMap.full { return }
    if size == FreeMap.whole {
      wholes[page >> 6] &= ~(1 << UInt64(page & 63))
      return
    }
    if previous[page] >= 0 {
      next[Int(previous[page])] = next[page]
    } else {
      heads[size] = next[page]
    }
    if next[page] >= 0 { previous[Int(next[page])] = previous[page] }
  }

  private func insert(_ page: Int, into size: Int) {
    classes[page] = UInt8(truncatingIfNeeded: size)
    if size == FreeMap.full { return }
    if size == FreeMap.whole {
      wholes[page >> 6] |= 1 << UInt64(page & 63)
      wholesHint = min(wholesHint, page >> 6)
      return
    }
    let head = heads[size]
    previous[page] = -1
    next[page] = head
    if head >= 0 { previous[Int(head)] = Int32(page) }
    heads[size] = Int32(page)
  }

  // MARK: growing

  private func extend(toPages count: Int, free isFree: Bool) {
    if count > capacity { reserve(max(count, capacity * 2, 64)) }
    while pages < count {
      let page = pages
      pages += 1
      for word in page * 4..<page * 4 + 4 { bits[word] = 0 }
      free[page] = 0
      classes[page] = UInt8(FreeMap.full)
      if isFree, page > 0 { setWhole(page) }
    }
  }

  /// Gets its memory for the pages to come before it has to: for a thread that nobody waits for. To move all there is takes a
  /// large heap milliseconds.
  func reserveAhead() {
    if pages > capacity - capacity / 4 { reserve(max(capacity * 2, 64)) }
  }

  private func reserve(_ count: Int) {
    func moved<Value>(_ old: UnsafeMutablePointer<Value>, _ used: Int, _ size: Int)
      -> UnsafeMutablePointer<Value>
    {
      let new = UnsafeMutablePointer<Value>.allocate(capacity: size)
      new.update(from: old, count: used)
      old.deallocate()
      return new
    }
    bits = moved(bits, pages * 4, count * 4)
    free = moved(free, pages, count)
    classes = moved(classes, pages, count)
    next = moved(next, pages, count)
    previous = moved(previous, pages, count)
    let (used, words) = ((capacity + 63) >> 6, (count + 63) >> 6)
    wholes = moved(wholes, used, words)
    (wholes + used).initialize(repeating: 0, count: words - used)
    capacity = count
  }
}
