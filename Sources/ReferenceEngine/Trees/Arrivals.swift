import Glibc

/// The rows of a large write in the order of their arrival, until somebody asks for them in the
/// order of their keys.
///
/// In a tree each row would have to find a place far from the last one's, and move half a cluster
/// aside there. Here it goes behind the one that came before, and a table of hashes finds it by its
/// key. Sorting all in the end moves each row once.
///
/// Invariants: 1. No key is there twice. 2. All clusters and their columns are pending. 3. Clusters
/// that were not in the tree before have 256 rows, of which those behind the last arrival are nulls
/// and zeros. 4. All keys are from one on that is behind what is left in the tree.
final class Arrivals {
  /// As many rows must have come in no order before the next ones are kept here.
  static let least = 256

  /// Where the rows lie. Those of the tree come first, as they were.
  @exclusivity(unchecked) private(set) var clusters: [Cluster]
  /// How many clusters were in the tree.
  let brought: Int
  private let first: Int64
  @exclusivity(unchecked) private(set) var count = 0

  // A row's number is its place in its cluster and, from bit 8 on, its cluster's in the list.
  private var keys: UnsafeMutablePointer<Int64>
  private var keyRoom: Int
  private var next: Int
  /// The rows' numbers and 1, by the hashes of their keys; 0 where there is none.
  private var slots: UnsafeMutablePointer<UInt32>
  private var bits: UInt64

  /// - Parameter first: the key from which on all rows are here.
  init(_ clusters: [Cluster], from first: Int64, in space: NodeSpace) {
    self.clusters = clusters
    self.first = first
    brought = clusters.count
    next = clusters.count << 8
    keyRoom = next * 2
    keys = .allocate(capacity: max(keyRoom, 1))
    bits = 12
    slots = Arrivals.cleared(bits)
    for (place, cluster) in clusters.enumerated() {
      for row in 0..<cluster.count { keys[place << 8 | row] = cluster.key(row, in: space) }
      count += cluster.count
    }
    makeRoom()
  }

  deinit {
    keys.deallocate()
    free(slots)
  }

  /// Memory that the system clears when it is touched.
  private static func cleared(_ bits: UInt64) -> UnsafeMutablePointer<UInt32> {
    guard let memory = calloc(1 << Int(bits), 4) else { fatalError("out of memory") }
    return memory.bindMemory(to: UInt32.self, capacity: 1 << Int(bits))
  }

  // MARK: Finding

  /// Whether a row with a key is here, if it is anywhere.
  @inline(__always)
  func take(_ key: Int64) -> Bool { key >= first }

  func key(_ number: UInt32) -> Int64 { keys[Int(number)] }

  /// The place of a row; nil if there is none with the key.
  func place(of key: Int64) -> RowPlace? {
    let entry = slots[slot(of: key)]
    return entry == 0 ? nil : place(Int(entry) - 1)
  }

  @inline(__always)
  private func place(_ number: Int) -> RowPlace {
    RowPlace(cluster: clusters[number >> 8], index: number & 255)
  }

  /// The slot that a key has, or would have.
  @inline(__always)
  private func slot(of key: Int64) -> Int {
    let mask = 1 &<< Int(bits) &- 1
    var at = Int(
      truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) &>> (64 &- bits))
    while slots[at] != 0, keys[Int(slots[at]) &- 1] != key { at = (at &+ 1) & mask }
    return at
  }

  // MARK: Arriving

  /// Whether the next row needs another cluster.
  @inline(__always)
  var isFull: Bool { next &>> 8 == clusters.count }

  /// Keeps a row of nulls and zeros; nil if there is one with its key already.
  @inline(__always)
  func insert(_ key: Int64) -> RowPlace? {
    let slot = slot(of: key)
    if slots[slot] != 0 { return nil }
    let number = next
    keys[number] = key
    slots[slot] = UInt32(truncatingIfNeeded: number &+ 1)
    next = number &+ 1
    count &+= 1
    let place = place(number)
    if count &* 4 > 3 &<< Int(bits) { makeRoom() }
    return place
  }

  func add(_ cluster: Cluster) {
    clusters.append(cluster)
    if next + 256 <= keyRoom { return }
    let larger = UnsafeMutablePointer<Int64>.allocate(capacity: keyRoom * 2)
    larger.update(from: keys, count: next)
    keys.deallocate()
    (keys, keyRoom) = (larger, keyRoom * 2)
  }

  /// Makes the table of hashes at least twice as large as the rows are many.
  @inline(never)
  private func makeRoom() {
    free(slots)
    while count << 1 > 1 << Int(bits) { bits += 1 }
    slots = Arrivals.cleared(bits)
    forEachNumber { slots[slot(of: keys[$0])] = UInt32(truncatingIfNeeded: $0 &+ 1) }
  }

  // MARK: In order

  @inline(__always)
  private func forEachNumber(_ body: (Int) -> Void) {
    for (place, cluster) in clusters.enumerated() {
      let rows = place < brought ? cluster.count : min(256, next - place << 8)
      for row in 0..<rows { body(place << 8 | row) }
    }
  }

  /// The numbers of all rows in the order of their keys.
  func sorted() -> [UInt32] {
    var numbers: [UInt32] = []
    var words: [UInt64] = []
    numbers.reserveCapacity(count)
    words.reserveCapacity(count)
    forEachNumber {
      numbers.append(UInt32(truncatingIfNeeded: $0))
      words.append(PackedSort.word(keys[$0]))
    }
    return words.withUnsafeBufferPointer { words in
      PackedSort.order(of: words).map { numbers[Int($0)] }
    }
  }
}
