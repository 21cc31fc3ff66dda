/// Which space may be written, exactly: one bit for each 16 bytes of the heap.
///
/// It is never stored. The writer keeps it in memory, true for one version; another process's writer brings its own up to
/// date from the records that commits leave, or rebuilds it by one walk over the nodes.
///
/// Space is handed out by pages of 4 KiB, kept by how much of a page is free, so that finding a place, giving
/// one back and joining neighbours cost the same however many pieces there are; and a small commit lies in one page,
/// which is what the medium writes.
///
/// A node freed by a commit first **waits**: it may be reused when no pinned version lies in [born, freed). Waiting nodes
/// are looked at in batches. One that is blocked is filed under the newest version that blocks it, and not looked at again
/// before that version is let go; so a commit costs the same with no version held and with a thousand.
///
/// Invariants: 1. a set bit is free space that no version reaches that may be read or recovered. 2. A page stands in the list
/// of its number of free units, or among the whole ones. 3. A waiting node's bits are not set.
final class FreeSpace {
  /// A node that no later version reaches, and that an earlier one still may.
  struct Waiting {
    var offset: UInt64
    var units: UInt32
    var born: VersionID
    var freed: VersionID
  }

  static let pageBytes = 4096
  private static let pageUnits = 256
  private static let classes = 17
  private static let whole = 16

  /// The version for which this is true.
  var version: VersionID

  private(set) var pages = 0
  private(set) var freeUnits = 0

  private var bits: UnsafeMutablePointer<UInt64>
  private var counts: UnsafeMutablePointer<UInt16>
  private var next: UnsafeMutablePointer<Int32>
  private var previous: UnsafeMutablePointer<Int32>
  private var heads = [Int32](repeating: -1, count: FreeSpace.classes)
  private var capacity = 0

  /// One bit for each page that is free as a whole, and the first word that may have one: the lowest is taken first, so
  /// that the end of the file becomes free and can be given back.
  private var wholes: [UInt64] = []
  private var wholesHint = 0

  private(set) var unexamined: [Waiting] = []
  private(set) var unexaminedBytes = 0
  /// How many versions were pinned when nodes were last looked at.
  private(set) var pinsSeen = 0
  private var blocked: [VersionID: [Waiting]] = [:]
  private(set) var blockedCount = 0

  init(version: VersionID, end: UInt64) {
    self.version = version
    bits = .allocate(capacity: 0)
    counts = .allocate(capacity: 0)
    next = .allocate(capacity: 0)
    previous = .allocate(capacity: 0)
    extend(toPages: Int((end + 4095) / 4096), free: false)
  }

  deinit {
    bits.deallocate()
    counts.deallocate()
    next.deallocate()
    previous.deallocate()
  }

  /// The end of the heap: no used unit lies behind it.
  var end: UInt64 { UInt64(pages) * 4096 }

  var freeBytes: Int { freeUnits << 4 }

  // MARK: taking

  /// A free run of at least `least` bytes, if possible of `wanted`; marked as used. nil if the heap has to grow.
  func take(atLeast least: Int, wanted: Int) -> Run? {
    if wanted <= FreeSpace.pageBytes {
      if let run = takeWithinPage(units: (wanted + 15) >> 4) { return run }
    }
    return takePages(
      atLeast: (least + 4095) / 4096, wanted: max(1, (wanted + 4095) / 4096))
  }

  /// Appends pages to the heap and takes a run of them, with the free pages just before the end.
  func takeAtEnd(bytes: Int) -> Run {
    var first = pages
    while first > 1, counts[first - 1] == FreeSpace.pageUnits { first -= 1 }
    let wanted = max(1, (bytes + 4095) / 4096)
    if pages - first < wanted { extend(toPages: first + wanted, free: true) }
    return takeRun(pages: first, count: wanted)
  }

  private func takeWithinPage(units: Int) -> Run? {
    var size = (units + 15) >> 4
    while size < FreeSpace.whole {
      var page = heads[size]
      // A page with enough free units need not have them in one piece: a few are tried, then emptier ones.
      var tries = 4
      while page >= 0, tries > 0 {
        if let start = longestRun(in: Int(page), atLeast: units) {
          let first = Int(page) * FreeSpace.pageUnits + start.first
          mark(used: first, start.count)
          return Run(offset: UInt64(first) << 4, bytes: start.count << 4)
        }
        page = next[Int(page)]
        tries -= 1
      }
      size += 1
    }
    return firstWhole(from: 0).map { takeRun(pages: $0, count: 1) }
  }

  private func firstWhole(from page: Int) -> Int? {
    var word = max(wholesHint, page >> 6)
    if word >= wholes.count { return nil }
    var bits = wholes[word]
    if word == page >> 6 { bits &= .max << UInt64(page & 63) }
    while bits == 0 {
      word += 1
      if word == wholes.count { return nil }
      bits = wholes[word]
    }
    if page == 0 { wholesHint = word }
    return word << 6 + bits.trailingZeroBitCount
  }

  private func takePages(atLeast least: Int, wanted: Int) -> Run? {
    var from = 0
    while let first = firstWhole(from: from) {
      var end = first + 1
      while end - first < wanted, end < pages, counts[end] == FreeSpace.pageUnits { end += 1 }
      if end - first >= least { return takeRun(pages: first, count: end - first) }
      from = end
    }
    return nil
  }

  private func takeRun(pages first: Int, count: Int) -> Run {
    mark(used: first * FreeSpace.pageUnits, count * FreeSpace.pageUnits)
    return Run(offset: UInt64(first) * 4096, bytes: count * FreeSpace.pageBytes)
  }

  /// The longest run of free units in a page, if it is long enough.
  private func longestRun(in page: Int, atLeast least: Int) -> (first: Int, count: Int)? {
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
    return best.count >= least ? best : nil
  }

  // MARK: giving back

  /// Space that nobody ever saw, or nobody can see any more.
  func give(_ run: Run) {
    if run.bytes > 0 { mark(free: Int(run.offset >> 4), run.bytes >> 4) }
  }

  /// A node that `freed` no longer reaches: it waits until no pinned version does.
  func wait(_ node: Waiting) {
    unexamined.append(node)
    unexaminedBytes += Int(node.units) << 4
  }

  /// Space that another process's commit took. False if it was not free here: this map is not to be trusted.
  func takeForeign(_ run: Run) -> Bool {
    let last = Int(run.end + 4095) / FreeSpace.pageBytes
    if last > pages { extend(toPages: last, free: true) }
    let first = Int(run.offset >> 4)
    guard isFree(first, run.bytes >> 4) else { return false }
    mark(used: first, run.bytes >> 4)
    return true
  }

  private func isFree(_ first: Int, _ count: Int) -> Bool {
    var isFree = true
    forEachPage(first, count) { _, word, mask in
      if bits[word] & mask != mask { isFree = false }
    }
    return isFree
  }

  /// Looks at the waiting nodes, given the pinned versions in ascending order.
  func examine(pins: [VersionID], rulings: any Rulings) {
    let fresh = unexamined
    unexamined.removeAll(keepingCapacity: true)
    unexaminedBytes = 0
    file(fresh, pins, rulings)
    pinsSeen = pins.count
    if blocked.isEmpty { return }
    for version in blocked.keys
    where FreeSpace.newest(of: pins, from: version, before: version.next) == nil {
      guard let nodes = blocked.removeValue(forKey: version) else { continue }
      blockedCount -= nodes.count
      file(nodes, pins, rulings)
    }
  }

  private func file(_ nodes: [Waiting], _ pins: [VersionID], _ rulings: any Rulings) {
    for node in nodes {
      let blocking = FreeSpace.newest(of: pins, from: node.born, before: node.freed)
      if rulings.mayReuse(born: node.born, freed: node.freed, blocking: blocking) {
        mark(free: Int(node.offset >> 4), Int(node.units))
      } else {
        blocked[blocking ?? node.born, default: []].append(node)
        blockedCount += 1
      }
    }
  }

  /// The newest of the ascending versions in [from, before).
  static func newest(
    of versions: [VersionID], from: VersionID, before: VersionID
  ) -> VersionID? {
    var low = 0
    var high = versions.count
    while low < high {
      let middle = (low + high) / 2
      if versions[middle] < before { low = middle + 1 } else { high = middle }
    }
    guard low > 0, versions[low - 1] >= from else { return nil }
    return versions[low - 1]
  }

  /// Gives up the free pages at the end, and returns whether there were any.
  func trimEnd() -> Bool {
    var last = pages
    while last > 1, counts[last - 1] == FreeSpace.pageUnits { last -= 1 }
    guard last < pages else { return false }
    for page in last..<pages {
      unlink(page)
      freeUnits -= FreeSpace.pageUnits
    }
    pages = last
    return true
  }

  /// Gives up the free end if most of the heap is free, so that the file can be made shorter.
  func trimIfMostlyFree() {
    guard freeUnits > pages * FreeSpace.pageUnits / 2, pages > 256 else { return }
    _ = trimEnd()
  }

  /// Bytes that wait for a pin, or for being looked at.
  var waitingBytes: Int {
    unexamined.reduce(0) { $0 + Int($1.units) << 4 }
      + blocked.values.reduce(0) { $0 + $1.reduce(0) { $0 + Int($1.units) << 4 } }
  }

  func forEachWaiting(_ body: (Waiting) -> Void) {
    unexamined.forEach(body)
    for nodes in blocked.values { nodes.forEach(body) }
  }

  // MARK: bits

  /// For a rebuild: everything up to the end is free until a walk has marked what is used.
  func markAllFree() { for page in 1..<max(1, pages) { setWhole(page) } }

  /// Marks a node as used, in a rebuild. False if it is in use already or out of bounds.
  func markUsed(_ run: Run) -> Bool {
    let first = Int(run.offset >> 4)
    guard run.end <= end, isFree(first, run.bytes >> 4) else { return false }
    mark(used: first, run.bytes >> 4)
    return true
  }

  private func setWhole(_ page: Int) {
    let missing = FreeSpace.pageUnits - Int(counts[page])
    if missing == 0 { return }
    for word in page * 4..<page * 4 + 4 { bits[word] = .max }
    freeUnits += missing
    move(page, to: FreeSpace.pageUnits)
  }

  private func mark(free first: Int, _ count: Int) {
    forEachPage(first, count) { page, word, mask in
      invariant(bits[word] & mask == 0, "space at \((word * 64) << 4) is freed twice")
      bits[word] |= mask
      freeUnits += mask.nonzeroBitCount
      move(page, to: Int(counts[page]) + mask.nonzeroBitCount)
    }
  }

  private func mark(used first: Int, _ count: Int) {
    forEachPage(first, count) { page, word, mask in
      invariant(bits[word] & mask == mask, "space at \((word * 64) << 4) is taken twice")
      bits[word] &= ~mask
      freeUnits -= mask.nonzeroBitCount
      move(page, to: Int(counts[page]) - mask.nonzeroBitCount)
    }
  }

  @inline(__always)
  private func forEachPage(
    _ first: Int, _ count: Int, _ body: (_ page: Int, _ word: Int, _ mask: UInt64) -> Void
  ) {
    invariant(first + count <= pages * FreeSpace.pageUnits, "space past the end of the heap")
    var unit = first
    let end = first + count
    while unit < end {
      let low = unit & 63
      let width = min(64 - low, end - unit)
      let mask = width == 64 ? UInt64.max : ((1 << UInt64(width)) - 1) << UInt64(low)
      body(unit >> 8, unit >> 6, mask)
      unit += width
    }
  }

  private func move(_ page: Int, to count: Int) {
    let old = Int(counts[page]) >> 4
    let new = count >> 4
    counts[page] = UInt16(count)
    if old == new { return }
    remove(page, from: old)
    insert(page, into: new)
  }

  private func unlink(_ page: Int) { remove(page, from: Int(counts[page]) >> 4) }

  private func remove(_ page: Int, from size: Int) {
    if size == FreeSpace.whole {
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
    if size == FreeSpace.whole {
      wholes[page >> 6] |= 1 << UInt64(page & 63)
      wholesHint = min(wholesHint, page >> 6)
      return
    }
    // A low page comes first, a high one second: roughly, low pages are filled and high ones become empty.
    let head = heads[size]
    if head >= 0, Int(head) < page {
      previous[page] = head
      next[page] = next[Int(head)]
      next[Int(head)] = Int32(page)
    } else {
      previous[page] = -1
      next[page] = head
      heads[size] = Int32(page)
    }
    if next[page] >= 0 { previous[Int(next[page])] = Int32(page) }
  }

  private func extend(toPages count: Int, free: Bool) {
    if count > capacity { reserve(max(count, capacity * 2, 64)) }
    while pages < count {
      let page = pages
      pages += 1
      for word in page * 4..<page * 4 + 4 { bits[word] = 0 }
      counts[page] = 0
      insert(page, into: 0)
      if free, page > 0 { setWhole(page) }
    }
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
    counts = moved(counts, pages, count)
    next = moved(next, pages, count)
    previous = moved(previous, pages, count)
    wholes.append(contentsOf: repeatElement(0, count: (count + 63) / 64 - wholes.count))
    capacity = count
  }
}
