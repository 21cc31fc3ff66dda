import CShims

/// The snapshots that whoever asks for one of the same version and for the same purpose is given,
/// too. It keeps none of them: a snapshot takes itself out when it ends.
///
/// Instead of weak references, as `Tie` is: all who share a snapshot count it.
struct KnownSnapshots: ~Copyable {
  private struct Entry {
    let version: VersionID
    /// A version that was lost may have the number of one that was not.
    let top: NodeRef
    /// The records of changes stay for a notifier's version, not for a frozen one.
    let kind: PinKind
    let snapshot: UnsafeMutableRawPointer

    func isOf(_ root: Root, _ kind: PinKind) -> Bool {
      version == root.version && top == root.top && self.kind == kind
    }
  }
  /// Ascending by version: mostly it is one of the newest that is asked for.
  private var entries: [Entry] = []

  func find(_ root: Root, _ kind: PinKind) -> Snapshot? {
    var index = end(of: root.version)
    while index > 0, entries[index - 1].version == root.version {
      index -= 1
      // One that is about to end waits for the lock under which this is called.
      guard entries[index].isOf(root, kind), let kept = rb_try_retain(entries[index].snapshot)
      else { continue }
      return Unmanaged<Snapshot>.fromOpaque(kept).takeRetainedValue()
    }
    return nil
  }

  mutating func add(_ snapshot: Snapshot, _ kind: PinKind) {
    let entry = Entry(
      version: snapshot.version, top: snapshot.top, kind: kind,
      snapshot: Unmanaged.passUnretained(snapshot).toOpaque())
    entries.insert(entry, at: end(of: snapshot.version))
  }

  /// The snapshot's last act.
  mutating func remove(_ snapshot: Snapshot) {
    let address = Unmanaged.passUnretained(snapshot).toOpaque()
    var index = end(of: snapshot.version)
    while index > 0, entries[index - 1].version == snapshot.version {
      index -= 1
      if entries[index].snapshot == address {
        entries.remove(at: index)
        return
      }
    }
  }

  /// Behind the last entry of a version.
  private func end(of version: VersionID) -> Int {
    if let last = entries.last, last.version <= version { return entries.count }
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].version <= version { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
