/// The places that a listener of a collection was told.
struct ToldPlaces {
  let deletions: [Int]
  let insertions: [Int]
  let modifications: [Int]

  /// What is wrong with them: the rows that were there, changed as they say, must be those that are
  /// there now. Of a row that came or changed only the place is known.
  func faults<Row>(from old: [Row], to now: [Row], isSame: (Row, Row) -> Bool) -> [String] {
    var faults: [String] = []
    for list in [deletions, insertions, modifications] where list != Set(list).sorted() {
      faults.append("not ascending")
    }
    var mirror = old.map(Optional.some)
    guard (deletions + modifications).allSatisfy(mirror.indices.contains) else {
      return faults + ["places beyond \(old.count)"]
    }
    for place in modifications { mirror[place] = nil }
    for place in deletions.reversed() { mirror.remove(at: place) }
    for place in insertions {
      guard place <= mirror.count else { return faults + ["insertion at \(place)"] }
      mirror.insert(nil, at: place)
    }
    if mirror.count != now.count { faults.append("\(mirror.count) instead of \(now.count)") }
    for (mine, theirs) in zip(mirror, now) {
      if let mine, !isSame(mine, theirs) { return faults + ["\(mine) instead of \(theirs)"] }
    }
    return faults
  }
}
