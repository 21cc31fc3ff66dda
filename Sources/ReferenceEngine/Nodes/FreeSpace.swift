/// Which space may be written, exactly: what is free, and what is not yet because somebody may
/// still read it.
///
/// It is never stored. The writer keeps it in memory, true for one version; another process's
/// writer brings its own up to date from the records that commits leave, or rebuilds it by one walk
/// over the nodes.
///
/// A node freed by a commit first **waits**: it may be reused when no pinned version lies in [born,
/// freed). Waiting nodes are looked at in batches. One that is blocked is filed under the newest
/// version that blocks it, and not looked at again before that version is let go; so a commit costs
/// the same with no version held and with a thousand.
///
/// Invariants: 1. free space is reached by no version that may be read or recovered. 2. A waiting
/// node's space is not free.
final class FreeSpace {
  /// A node that no later version reaches, and that an earlier one still may.
  struct Waiting {
    var offset: UInt64
    var units: UInt32
    var born: VersionID
    var freed: VersionID
  }

  /// The version for which this is true.
  @exclusivity(unchecked) var version: VersionID

  let map: FreeMap

  @exclusivity(unchecked) private(set) var unexamined: [Waiting] = []
  @exclusivity(unchecked) private(set) var unexaminedBytes = 0
  /// How many versions were pinned when nodes were last looked at.
  private(set) var pinsSeen = 0
  @exclusivity(unchecked) private var blocked: [VersionID: [Waiting]] = [:]

  init(version: VersionID, map: FreeMap) {
    self.version = version
    self.map = map
  }

  // MARK: waiting

  /// Nodes that version `freed` no longer reaches: they wait until no pinned version does.
  func wait(_ nodes: [FreedNode], freed: VersionID) {
    wait(
      nodes.lazy.map {
        Waiting(offset: $0.ref.raw, units: UInt32($0.units), born: $0.born, freed: freed)
      })
  }

  func wait(_ nodes: some Collection<Waiting>) {
    invariant(
      nodes.allSatisfy { $0.offset >= FileHeader.heapStart && $0.offset % 16 == 0 },
      "a node waits where none can lie")
    unexamined.append(contentsOf: nodes)
    unexaminedBytes += nodes.reduce(0) { $0 + Int($1.units) << 4 }
  }

  /// Looks at the waiting nodes, given the pinned versions in ascending order.
  func examine(pins: [VersionID]) {
    invariant(
      zip(pins, pins.dropFirst()).allSatisfy(<), "the pinned versions \(pins) are in no order")
    let fresh = unexamined
    unexamined.removeAll(keepingCapacity: true)
    unexaminedBytes = 0
    file(fresh, pins)
    pinsSeen = pins.count
    invariant(unexamined.isEmpty, "\(unexamined.count) nodes began to wait while others were filed")
    if blocked.isEmpty { return }
    for version in blocked.keys
    where FreeSpace.newest(of: pins, from: version, before: version.next) == nil {
      guard let nodes = blocked.removeValue(forKey: version) else { continue }
      file(nodes, pins)
    }
  }

  private static let ahead = 8

  private func file(_ nodes: [Waiting], _ pins: [VersionID]) {
    for (index, node) in nodes.enumerated() {
      // They lie here and there: what is known about their pages comes together instead of one
      // after the other.
      if index + FreeSpace.ahead < nodes.count {
        map.prefetch(nodes[index + FreeSpace.ahead].offset)
      }
      if let pinned = FreeSpace.newest(of: pins, from: node.born, before: node.freed) {
        invariant(
          node.born <= pinned && pinned < node.freed,
          "version \(pinned) keeps a node of \(node.born) to \(node.freed)")
        blocked[pinned, default: []].append(node)
      } else {
        map.give(Run(offset: node.offset, bytes: Int(node.units) << 4))
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

  /// Bytes that wait for a pin, or for being looked at.
  var waitingBytes: Int {
    unexamined.reduce(0) { $0 + Int($1.units) << 4 }
      + blocked.values.reduce(0) { $0 + $1.reduce(0) { $0 + Int($1.units) << 4 } }
  }
}
