/// What a version must hold, in plain Swift.
struct ModelState: Equatable {
  struct Row: Equatable {
    var number: Int
    var text: String
    var numbers: [Int] = []
    var next: Int?

    var description: String {
      "number \(number), \(text.utf8.count) bytes of text that begin with '\(text.prefix(1))', "
        + "numbers \(numbers), next \(next.map(String.init) ?? "nobody")"
    }
  }

  private(set) var rows: [Int: Row] = [:]
  /// Which of all the rows that ever had a key is there now.
  private(set) var births: [Int: Int] = [:]

  /// Does what an act does to rows; `number` is the act's own.
  mutating func apply(_ act: ModelProgram.Act, number: Int) {
    let key = act.key
    switch act.verb {
    case .put: put(act, number)
    case .delete:
      rows[key] = nil
      births[key] = nil
      // Links to what is gone lead nowhere.
      for (other, row) in rows where row.next == key { rows[other]?.next = nil }
    case .otherWrites where rows[key] == nil: put(act, number)
    case .setNumber, .otherWrites: rows[key]?.number = act.number
    case .setText: rows[key]?.text = act.words
    case .append: rows[key]?.numbers.append(act.number)
    case .insert:
      guard let count = rows[key]?.numbers.count else { return }
      rows[key]?.numbers.insert(act.number, at: act.value % (count + 1))
    case .remove:
      guard let count = rows[key]?.numbers.count, count > 0 else { return }
      rows[key]?.numbers.remove(at: act.value % count)
    case .link:
      let target = act.value % ModelProgram.keys.count
      let isThere = rows[target] != nil
      rows[key]?.next = isThere ? target : nil
    default: break
    }
  }

  private mutating func put(_ act: ModelProgram.Act, _ number: Int) {
    if rows[act.key] == nil { births[act.key] = number }
    rows[act.key] = Row(number: act.number, text: act.words)
  }

  /// The rows that a question is answered with, in order of their numbers and keys.
  func keys(from least: Int) -> [Int] {
    rows.filter { $0.value.number >= least }
      .sorted { ($0.value.number, $0.key) < ($1.value.number, $1.key) }.map(\.key)
  }
}
