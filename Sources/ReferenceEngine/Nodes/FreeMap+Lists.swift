/// The lists of pages, and the memory that they lie in.
extension FreeMap {
  /// Puts a page into the list that it belongs to now.
  func file(_ index: Int) {
    let page = page(index)
    let (old, new) = (page.list, page.rightList())
    if old == new { return }
    remove(index, from: old)
    insert(index, into: new)
  }

  func remove(_ index: Int, from list: UInt8) {
    if list == FreePage.full { return }
    if list == FreePage.whole {
      wholes[index >> 6] &= ~(1 << UInt64(index & 63))
      return
    }
    let page = page(index)
    let (previous, next) = (page.previous, page.next)
    invariant(
      previous < pages && next < pages,
      "page \(index) stands between \(previous) and \(next), of \(pages)")
    if previous >= 0 {
      self.page(Int(previous)).next = next
    } else {
      invariant(
        heads[Int(list)] == index,
        "page \(index) is the first of list \(list), which begins with \(heads[Int(list)])")
      heads[Int(list)] = next
    }
    if next >= 0 { self.page(Int(next)).previous = previous }
  }

  private func insert(_ index: Int, into list: UInt8) {
    invariant(list <= FreePage.whole, "page \(index) belongs to list \(list)")
    let page = page(index)
    page.list = list
    if list == FreePage.full { return }
    if list == FreePage.whole {
      wholes[index >> 6] |= 1 << UInt64(index & 63)
      wholesHint = min(wholesHint, index >> 6)
      return
    }
    let head = heads[Int(list)]
    invariant(
      head < pages && head != index, "list \(list) begins with \(head) already, of \(pages)")
    page.previous = -1
    page.next = head
    if head >= 0 { self.page(Int(head)).previous = Int32(index) }
    heads[Int(list)] = Int32(index)
  }

  /// The first page from one on that is free as a whole.
  func firstWhole(from index: Int) -> Int? {
    let words = (pages + 63) >> 6
    var word = max(wholesHint, index >> 6)
    if word >= words { return nil }
    var bits = wholes[word]
    if word == index >> 6 { bits &= .max << UInt64(index & 63) }
    while bits == 0 {
      word += 1
      if word == words {
        if index == 0 { wholesHint = words }
        return nil
      }
      bits = wholes[word]
    }
    if index == 0 { wholesHint = word }
    return word << 6 + bits.trailingZeroBitCount
  }

  // MARK: growing

  func extend(toPages count: Int, free isFree: Bool) {
    if count > capacity { reserve(max(count, capacity * 2, 64)) }
    while pages < count {
      page(pages).clear()
      pages += 1
      if isFree, pages > 1 { setWhole(pages - 1) }
    }
  }

  func setWhole(_ index: Int) {
    let page = page(index)
    freeUnits += FreePage.units - page.free
    page.setWhole()
    file(index)
  }

  /// Gets its memory for the pages to come before it has to: for a thread that nobody waits for. To
  /// move all there is takes a large heap milliseconds.
  func reserveAhead() {
    if pages > capacity - capacity / 4 { reserve(max(capacity * 2, 64)) }
  }

  private func reserve(_ count: Int) {
    invariant(count >= pages, "\(pages) pages move to where \(count) have room")
    let moved = FreeMap.allocate(pages: count)
    moved.copyMemory(from: memory, byteCount: pages * FreePage.stride)
    memory.deallocate()
    memory = moved
    let (used, words) = ((capacity + 63) >> 6, (count + 63) >> 6)
    let bits = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    bits.update(from: wholes, count: used)
    (bits + used).initialize(repeating: 0, count: words - used)
    wholes.deallocate()
    wholes = bits
    capacity = count
  }

  static func allocate(pages: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: pages * FreePage.stride, alignment: FreePage.stride)
  }
}
