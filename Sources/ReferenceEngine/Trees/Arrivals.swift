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
  /// For as many keys there is room from the beginning.
  private static let leastRoom = 2048

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
  @exclusivity(unchecked) private var slots: KeySlots

  /// - Parameter first: the key from which on all rows are here.
  init(_ clusters: [Cluster], from first: Int64, in space: NodeSpace) {
    self.clusters = clusters
    self.first = first
    brought = clusters.count
    next = clusters.count << 8
    keyRoom = next * 2
    keys = .allocate(capacity: max(keyRoom, 1))
    count = clusters.reduce(0) { $0 + $1.count }
    slots = KeySlots(for: max(count, Arrivals.leastRoom))
    for (place, cluster) in clusters.enumerated() {
      for row in 0..<cluster.count { keys[place << 8 | row] = cluster.key(row, in: space) }
    }
    fillSlots()
  }

  deinit { keys.deallocate() }

  // MARK: Finding

  /// Whether a row with a key is here, if it is anywhere.
  @inline(__always)
  func take(_ key: Int64) -> Bool { key >= first }

  func key(_ number: UInt32) -> Int64 { keys[Int(number)] }

  /// The place of a row; nil if there is none with the key.
  func place(of key: Int64) -> RowPlace? {
    slots.number(in: slot(of: key)).map(place)
  }

  @inline(__always)
  private func place(_ number: Int) -> RowPlace {
    RowPlace(cluster: clusters[number >> 8], index: number & 255)
  }

  @inline(__always)
  private func slot(of key: Int64) -> Int { slots.slot(of: key) { keys[$0] } }

  // MARK: Arriving

  /// Whether the next row needs another cluster.
  @inline(__always)
  var isFull: Bool { next &>> 8 == clusters.count }

  /// Keeps a row of nulls and zeros; nil if there is one with its key already.
  @inline(__always)
  func insert(_ key: Int64) -> RowPlace? {
    let slot = slot(of: key)
    if slots.number(in: slot) != nil { return nil }
    let number = next
    keys[number] = key
    slots.put(number, into: slot)
    next = number &+ 1
    count &+= 1
    let place = place(number)
    if !slots.haveRoom(for: count) { makeRoom() }
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

  @inline(never)
  private func makeRoom() {
    slots.clear(for: max(count, Arrivals.leastRoom))
    fillSlots()
  }

  private func fillSlots() { forEachNumber { slots.put($0, into: slot(of: keys[$0])) } }

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
    var found: [Int64] = []
    numbers.reserveCapacity(count)
    found.reserveCapacity(count)
    forEachNumber {
      numbers.append(UInt32(truncatingIfNeeded: $0))
      found.append(keys[$0])
    }
    return PackedSort.order(of: found).map { numbers[Int($0)] }
  }
}
