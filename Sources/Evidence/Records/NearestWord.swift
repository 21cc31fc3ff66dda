/// The word that somebody most likely meant, for "did you mean".
package enum NearestWord {
  /// Nearer than half the length of what is known, without regard to case, or nothing.
  package static func of(_ word: String, among known: [String]) -> String? {
    let meant = word.lowercased()
    let scored = known.map { (distance(meant, $0.lowercased()), $0) }
    guard let best = scored.min(by: { $0.0 < $1.0 }) else { return nil }
    return best.0 <= max(2, best.1.count / 2) ? best.1 : nil
  }

  /// "; did you mean 'run'?", or nothing: what a refusal ends with.
  package static func suggestion(for word: String, among known: [String]) -> String {
    of(word, among: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Levenshtein's distance: how many letters to insert, delete or replace.
  private static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for (i, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in other.indices {
        let replace = diagonal + (letter == other[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replace, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[other.count]
  }
}
