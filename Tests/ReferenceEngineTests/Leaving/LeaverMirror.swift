/// A copy of what is listened to, which only what is told changes.
final class LeaverMirror {
  struct Row: Equatable {
    let serial: Int
    let value: Int?
    let text: Int
    init<T: Leaver>(_ object: T) {
      (serial, value, text) = (object.serial, object.value, object.text.utf8.count)
    }
  }
  let name: String
  let walk: LeaverWalk
  var rows: [Row] = []
  init(name: String, _ walk: LeaverWalk) { (self.name, self.walk) = (name, walk) }

  func take(_ now: [Row], _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
    walk.told += 1
    let modified = Set(modifications.map { $0 < rows.count ? rows[$0].serial : -1 })
    if modified.contains(-1) { return walk.fail("\(name): a modification beyond the end") }
    for index in deletions.reversed() {
      if index >= rows.count { return walk.fail("\(name): a deletion beyond the end") }
      rows.remove(at: index)
    }
    for index in insertions {
      if index > rows.count || index >= now.count {
        return walk.fail("\(name): an insertion beyond the end")
      }
      rows.insert(now[index], at: index)
    }
    if rows.map(\.serial) != now.map(\.serial) {
      return walk.fail(
        "\(name): told \(deletions.count) deletions, \(insertions.count) insertions, which make "
          + "\(rows.count) rows of \(now.count), or others")
    }
    for (mine, other) in zip(rows, now) where mine != other && !modified.contains(mine.serial) {
      return walk.fail("\(name): \(mine.serial) has changed, which nobody told")
    }
    rows = now
  }
}
