import CShims

/// Which space is free: one bit for each 16 bytes of the heap, in pages of 4 KiB.
///
/// A page stands in the list of its longest free run, by powers of two: finding a place, giving one
/// back and joining neighbours cost the same however many pieces there are. The page that was given
/// something last comes first, because it is in the processor's cache; a small commit lies in one
/// page, which is what the medium writes.
///
/// It lies in plain memory: a property of a class would cost an exclusivity check per access, and a
/// commit makes dozens.
///
/// Invariants: 1. a page stands in the list of its longest run, or among the whole ones, or is
/// full. 2. No bit is set at or behind the end.
final class FreeMap {
  @exclusivity(unchecked) var pages = 0
  @exclusivity(unchecked) var freeUnits = 0

  /// A `FreePage` for each page.
  @exclusivity(unchecked) var memory = FreeMap.allocate(pages: 0)
  @exclusivity(unchecked) var capacity = 0

  /// The first page of each list; -1: none.
  let heads: UnsafeMutablePointer<Int32>

  /// One bit for each page that is free as a whole, and the first word that may have one: the
  /// lowest is taken first, so that the end of the file becomes free and can be given back.
  @exclusivity(unchecked) var wholes: UnsafeMutablePointer<UInt64> = .allocate(capacity: 0)
  @exclusivity(unchecked) var wholesHint = 0
  /// Where the next run of some pages is looked for.
  @exclusivity(unchecked) private var sweep = 0

  /// A heap of which nothing is free.
  init(end: UInt64) {
    heads = .allocate(capacity: Int(FreePage.full))
    heads.initialize(repeating: -1, count: Int(FreePage.full))
    extend(toPages: Int((end + 4095) / 4096), free: false)
  }

  deinit {
    memory.deallocate()
    wholes.deallocate()
    heads.deallocate()
  }

  @inline(__always)
  func page(_ index: Int) -> FreePage { FreePage(memory: memory + index &* FreePage.stride) }

  /// Fetches what is known about the page of an offset, which will be given something soon.
  @inline(__always)
  func prefetch(_ offset: UInt64) {
    rb_prefetch(memory + Int(offset >> 12) &* FreePage.stride)
  }

  /// The end of the heap: no used unit lies behind it.
  var end: UInt64 { UInt64(pages) * 4096 }

  var freeBytes: Int { freeUnits << 4 }

  // MARK: taking

  /// A free run of at least `least` bytes, if possible of `wanted`; marked as used. nil if the heap
  /// has to grow.
  func take(atLeast least: Int, wanted: Int) -> Run? {
    if wanted <= FreePage.bytes {
      if let run = takeWithinPage(units: (wanted + 15) >> 4) { return run }
    }
    return takePages(atLeast: (least + 4095) / 4096, wanted: max(1, (wanted + 4095) / 4096))
  }

  /// Appends pages to the heap and takes a run of them, with the free pages just before the end.
  func takeAtEnd(bytes: Int) -> Run {
    var first = pages
    while first > 1, page(first - 1).isWhole { first -= 1 }
    invariant(bytes > 0, "\(bytes) bytes are taken at the end of the heap")
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
        let run = self.page(Int(page)).longestRun()
        if run.count >= units { return takeRun(run, in: Int(page)) }
        page = self.page(Int(page)).next
        tries -= 1
      }
    }
    // In these every longest run is.
    for list in exact..<max(exact, Int(FreePage.full)) where heads[list] >= 0 {
      let page = Int(heads[list])
      return takeRun(self.page(page).longestRun(), in: page)
    }
    return firstWhole(from: 0).map { takeRun(pages: $0, count: 1) }
  }

  private func takeRun(_ run: (first: Int, count: Int), in page: Int) -> Run {
    invariant(
      run.count > 0 && run.first + run.count <= FreePage.units,
      "page \(page) has no run of \(run.count) units at \(run.first)")
    let first = page * FreePage.units + run.first
    mark(used: first, run.count)
    return Run(offset: UInt64(first) << 4, bytes: run.count << 4)
  }

  private func takePages(atLeast least: Int, wanted: Int) -> Run? {
    var from = 0
    while let first = firstWhole(from: from) {
      var end = first + 1
      while end - first < wanted, end < pages, self.page(end).isWhole { end += 1 }
      if end - first >= least { return takeRun(pages: first, count: end - first) }
      from = end
    }
    return nil
  }

  /// So many runs of free pages are looked at.
  private static let patience = 256

  /// A run of so many free pages, looked for from where the last one ended: what is written one
  /// after the other comes to lie side by side, and is let go at about the same time.
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
      while end - first < count, end < pages, self.page(end).isWhole { end += 1 }
      if end - first == count {
        sweep = end
        return takeRun(pages: first, count: count)
      }
      page = end
    }
    return nil
  }

  private func takeRun(pages first: Int, count: Int) -> Run {
    invariant(count > 0, "\(count) pages are taken at page \(first)")
    mark(used: first * FreePage.units, count * FreePage.units)
    return Run(offset: UInt64(first) * 4096, bytes: count * FreePage.bytes)
  }

  // MARK: giving back

  func give(_ run: Run) {
    invariant(
      run.bytes >= 0 && run.bytes % 16 == 0 && run.offset % 16 == 0,
      "\(run.bytes) bytes at \(run.offset) are given back, which are no nodes")
    if run.bytes > 0 { mark(free: Int(run.offset >> 4), run.bytes >> 4) }
  }

  /// Gives up the free pages at the end, and returns whether there were any.
  func trimEnd() -> Bool {
    var last = pages
    while last > 1, page(last - 1).isWhole { last -= 1 }
    guard last < pages else { return false }
    for page in last..<pages {
      remove(page, from: FreePage.whole)
      freeUnits -= FreePage.units
    }
    pages = last
    return true
  }

  /// Gives up the free end if most of the heap is free, so that the file can be made shorter.
  func trimIfMostlyFree() {
    guard freeUnits > pages * FreePage.units / 2, pages > 256 else { return }
    _ = trimEnd()
  }

  // MARK: what others say

  /// Everything up to the end is free until a walk has marked what is used.
  func markAllFree() { for page in 1..<max(1, pages) { setWhole(page) } }

  /// Marks a run as used, with the heap made longer if it lies behind the end and `mayExtend`.
  /// False if it is in use already or out of bounds: whoever says that it is free is not to be
  /// trusted.
  func markUsed(_ run: Run, mayExtend: Bool = false) -> Bool {
    let last = Int(run.end + 4095) / FreePage.bytes
    if mayExtend, last > pages { extend(toPages: last, free: true) }
    let first = Int(run.offset >> 4)
    guard run.end <= end, isFree(first, run.bytes >> 4) else { return false }
    mark(used: first, run.bytes >> 4)
    return true
  }

  private func isFree(_ first: Int, _ count: Int) -> Bool {
    var isFree = true
    forEachWord(first, count) { word, mask in
      if page(word >> 2).words[word & 3] & mask != mask { isFree = false }
    }
    return isFree
  }

  // MARK: bits

  private func mark(free first: Int, _ count: Int) {
    forEachWord(first, count) { word, mask in
      let page = page(word >> 2)
      let bits = page.words[word & 3]
      invariant(bits & mask == 0, "space at \((word * 64) << 4) is freed twice")
      page.words[word & 3] = bits | mask
      page.free += mask.nonzeroBitCount
      invariant(
        page.free <= FreePage.units, "page \(word >> 2) has \(page.free) free units")
    }
    freeUnits += count
    forEachPage(first, count, file)
  }

  private func mark(used first: Int, _ count: Int) {
    forEachWord(first, count) { word, mask in
      let page = page(word >> 2)
      let bits = page.words[word & 3]
      invariant(bits & mask == mask, "space at \((word * 64) << 4) is taken twice")
      page.words[word & 3] = bits & ~mask
      invariant(
        page.free >= mask.nonzeroBitCount,
        "of the \(page.free) free units of page \(word >> 2) \(mask.nonzeroBitCount) are taken")
      page.free -= mask.nonzeroBitCount
    }
    freeUnits -= count
    invariant(freeUnits >= 0, "\(freeUnits) units of the heap are free")
    forEachPage(first, count, file)
  }

  @inline(__always)
  private func forEachWord(
    _ first: Int, _ count: Int, _ body: (_ word: Int, _ mask: UInt64) -> Void
  ) {
    invariant(
      first >= 0 && count >= 0 && first + count <= pages * FreePage.units,
      "\(count) units at \(first), in a heap of \(pages) pages")
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
}
