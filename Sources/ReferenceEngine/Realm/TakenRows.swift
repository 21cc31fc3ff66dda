/// Rows of one table that came to nothing, and when they were there: between two numbers, of a
/// session's writes or of its states. Whoever was found under the key of one of them then never
/// was. The numbers go round in a circle.
struct TakenRows {
  struct Time {
    let first: UInt32
    let last: UInt32

    func contains(_ number: UInt32) -> Bool {
      !first.isLater(than: number) && !number.isLater(than: last)
    }
  }

  /// Few keys, each with its times, oldest first.
  private var rows: [Int64: [Time]] = [:]
  /// Many keys at once, oldest first.
  private var runs: [(keys: ClosedRange<Int64>, time: Time)] = []
  /// Of rows that are not there nobody needs to know when they were: all that was found under their
  /// keys is gone.
  private var gone = GoneRows<UInt32>()
  private var times = 0

  /// How much is remembered.
  var count: Int { times + runs.count + gone.count }

  /// What lies within a later time, or ends where that begins, is part of it.
  private static func joined(_ old: Time?, _ new: Time) -> Time? {
    guard let old else { return nil }
    if !new.first.isLater(than: old.first) { return new }
    return new.first.isLater(than: old.last &+ 1) ? nil : Time(first: old.first, last: new.last)
  }

  /// Notes rows that came to nothing after all that did before, though they may have come earlier.
  mutating func add(_ keys: ClosedRange<Int64>, _ time: Time) {
    if GoneRows<UInt32>.areFew(keys) {
      for key in keys { add(key, time) }
      return
    }
    var time = time
    while let last = runs.last, last.keys == keys, let joined = TakenRows.joined(last.time, time) {
      runs.removeLast()
      time = joined
    }
    runs.append((keys, time))
  }

  private mutating func add(_ key: Int64, _ time: Time) {
    var (time, known) = (time, rows[key] ?? [])
    times -= known.count
    while let joined = TakenRows.joined(known.last, time) {
      known.removeLast()
      time = joined
    }
    known.append(time)
    rows[key] = known
    times += known.count
  }

  /// Whether who was found under a key at a number never was.
  func contain(_ key: Int64, at number: UInt32) -> Bool {
    rows[key]?.contains { $0.contains(number) } == true
      || runs.contains { $0.keys.contains(key) && $0.time.contains(number) }
      || gone.contain(key) { !number.isLater(than: $0) }
  }

  /// Forgets when rows were there that are not there now.
  ///
  /// - Parameters:
  ///   - now: Whoever was found until this number is gone, where nobody is.
  ///   - isPast: Whether a number is so long ago that nobody can ask for it.
  ///   - position: How many keys of the table are smaller, and whether this one is there.
  mutating func forget(
    now: UInt32, isPast: (UInt32) -> Bool = { _ in false },
    at position: (Int64) -> (position: Int, isFound: Bool)
  ) {
    for key in Array(rows.keys) {
      if !position(key).isFound {
        rows[key] = nil
        gone.add(key...key, now)
      } else if let known = rows[key], known.contains(where: { isPast($0.last) }) {
        let recent = known.filter { !isPast($0.last) }
        rows[key] = recent.isEmpty ? nil : recent
      }
    }
    times = rows.values.reduce(0) { $0 + $1.count }
    runs.removeAll { run in
      if isPast(run.time.last) { return true }
      let (first, last) = (position(run.keys.lowerBound), position(run.keys.upperBound))
      guard first.position == last.position, !last.isFound else { return false }
      gone.add(run.keys, now)
      return true
    }
    gone.forget(now: now, isPast: isPast, at: position)
  }
}
