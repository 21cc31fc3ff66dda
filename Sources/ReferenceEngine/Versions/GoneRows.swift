/// Rows of one table that have gone, each with the last time that it did: a session's state, or a
/// version.
///
/// Only of a row whose key was given again anybody has to know when it went; of what is not there
/// everybody sees that. So it can always be brought down to about as much as the table has rows.
struct GoneRows<Time> {
  /// Many rows at once, ascending, each in one run at most. Long runs, but for what was forgotten:
  /// where one comes between others all behind it are moved.
  private var runs: [(keys: ClosedRange<Int64>, time: Time)] = []
  private var rows = KeyTimes<Time>()

  var isEmpty: Bool { runs.isEmpty && rows.isEmpty }

  /// How much is remembered.
  var count: Int { runs.count + rows.count }

  /// Whether rows are remembered one by one.
  static func areFew(_ keys: ClosedRange<Int64>) -> Bool {
    UInt64(bitPattern: keys.upperBound &- keys.lowerBound) < 64
  }

  /// The first run that does not end before a key.
  private func place(of key: Int64) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].keys.upperBound < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func run(with key: Int64) -> Time? {
    let place = place(of: key)
    return place < runs.count && runs[place].keys.contains(key) ? runs[place].time : nil
  }

  /// All that is remembered, in no order.
  func each(_ body: (ClosedRange<Int64>, Time) -> Void) {
    for row in rows.entries { body(row.key...row.key, row.time) }
    for run in runs { body(run.keys, run.time) }
  }

  /// When a row has gone, as far as that is known.
  func times(of key: Int64) -> [Time] { [rows.time(of: key), run(with: key)].compactMap { $0 } }

  /// Whether a row has gone at some time that is asked for.
  func contain(_ key: Int64, where isMeant: (Time) -> Bool) -> Bool {
    if let time = rows.time(of: key), isMeant(time) { return true }
    return run(with: key).map(isMeant) ?? false
  }

  /// What is known and no longer will be when later rows are added.
  func replaced(by keys: ClosedRange<Int64>) -> [(keys: ClosedRange<Int64>, time: Time)] {
    if GoneRows.areFew(keys) {
      return keys.compactMap { key in rows.time(of: key).map { (keys: key...key, time: $0) } }
    }
    return runs[place(of: keys.lowerBound)...].prefix { $0.keys.lowerBound <= keys.upperBound }
      .map { (keys: $0.keys.clamped(to: keys), time: $0.time) }
  }

  /// Takes note of rows that went, later than all that is known.
  mutating func add(_ keys: ClosedRange<Int64>, _ time: Time) {
    if GoneRows.areFew(keys) {
      for key in keys { rows.set(key, time) }
    } else {
      addRun(keys, time)
    }
  }

  /// Takes note of rows that went, which may be known to have gone again since.
  mutating func add(
    _ keys: ClosedRange<Int64>, _ time: Time, inOrderOf isLater: (Time, Time) -> Bool
  ) {
    if GoneRows.areFew(keys) {
      for key in keys where rows.time(of: key).map({ isLater($0, time) }) != true {
        rows.set(key, time)
      }
      return
    }
    let later = replaced(by: keys).filter { isLater($0.time, time) }.map(\.keys)
    for run in GoneRows.without(later, [(keys, time)]) {
      if GoneRows.areFew(run.keys) {
        add(run.keys, time, inOrderOf: isLater)
      } else {
        addRun(run.keys, time)
      }
    }
  }

  /// All of another, where nothing later is known.
  mutating func add(_ other: GoneRows, inOrderOf isLater: (Time, Time) -> Bool) {
    // Of a large write it is most that there is.
    if isEmpty {
      self = other
      return
    }
    for run in other.runs { add(run.keys, run.time, inOrderOf: isLater) }
    if rows.isEmpty {
      rows = other.rows
    } else {
      for row in other.rows.entries { add(row.key...row.key, row.time, inOrderOf: isLater) }
    }
  }

  private mutating func addRun(_ keys: ClosedRange<Int64>, _ time: Time) {
    let first = place(of: keys.lowerBound)
    var end = first
    while end < runs.count, runs[end].keys.lowerBound <= keys.upperBound { end += 1 }
    var new = [(keys: keys, time: time)]
    if first < end {
      let (head, tail) = (runs[first], runs[end - 1])
      if head.keys.lowerBound < keys.lowerBound {
        new.insert((head.keys.lowerBound...(keys.lowerBound - 1), head.time), at: 0)
      }
      if tail.keys.upperBound > keys.upperBound {
        new.append(((keys.upperBound + 1)...tail.keys.upperBound, tail.time))
      }
    }
    runs.replaceSubrange(first..<end, with: new)
  }

  // MARK: Forgetting

  /// Forgets when rows went that are not there now. Between two that are there, one run stands for
  /// all that have gone, as if they had gone now: whoever comes later under their keys is new to
  /// everybody.
  ///
  /// - Parameters:
  ///   - isPast: Whether a time is so long ago that nobody can ask for it.
  ///   - position: How many keys of the table are smaller, and whether this one is there.
  mutating func forget(
    now: Time, isPast: (Time) -> Bool = { _ in false },
    at position: (Int64) -> (position: Int, isFound: Bool)
  ) {
    var gone: [(keys: ClosedRange<Int64>, place: Int)] = []
    var keptRows = KeyTimes<Time>()
    var keptRuns: [(keys: ClosedRange<Int64>, time: Time)] = []
    // By ascending keys: each is looked up beside the one before.
    for index in PackedSort.order(of: rows.entries.map(\.key)) {
      let (key, time) = rows.entries[Int(index)]
      let (place, isThere) = position(key)
      if !isThere {
        gone.append((key...key, place))
      } else if !isPast(time) {
        keptRows.set(key, time)
      }
    }
    for run in runs {
      let first = position(run.keys.lowerBound)
      let last = run.keys.lowerBound < run.keys.upperBound ? position(run.keys.upperBound) : first
      if first.position == last.position, !last.isFound {
        gone.append((run.keys, first.position))
      } else if !isPast(run.time) {
        keptRuns.append(run)
      }
    }
    gone.sort { $0.keys.lowerBound < $1.keys.lowerBound }
    var joined: [(keys: ClosedRange<Int64>, place: Int)] = []
    for run in gone {
      if let last = joined.last, last.place == run.place {
        let end = max(last.keys.upperBound, run.keys.upperBound)
        joined[joined.count - 1].keys = last.keys.lowerBound...end
      } else {
        joined.append(run)
      }
    }
    rows = keptRows
    runs = GoneRows.without(joined.map(\.keys), keptRuns) + joined.map { ($0.keys, now) }
    runs.sort { $0.keys.lowerBound < $1.keys.lowerBound }
  }

  /// What is left of ascending runs where others take their places.
  private static func without(
    _ others: [ClosedRange<Int64>], _ runs: [(keys: ClosedRange<Int64>, time: Time)]
  ) -> [(keys: ClosedRange<Int64>, time: Time)] {
    var left: [(keys: ClosedRange<Int64>, time: Time)] = []
    var next = 0
    for run in runs {
      var first = run.keys.lowerBound
      while next < others.count, others[next].upperBound < first { next += 1 }
      var index = next
      var isCut = false
      while index < others.count, others[index].lowerBound <= run.keys.upperBound {
        let other = others[index]
        if other.lowerBound > first { left.append((first...(other.lowerBound - 1), run.time)) }
        if other.upperBound >= run.keys.upperBound {
          isCut = true
          break
        }
        first = other.upperBound + 1
        index += 1
      }
      if !isCut { left.append((first...run.keys.upperBound, run.time)) }
    }
    return left
  }
}
