import Harness

/// Which rules to examine: globs over their ids, those with `!` taking away again.
public struct Filter: Sendable {
  private let wanted: [String]
  private let unwanted: [String]

  /// A glob that matches nothing is most likely a slip, so it is refused and the nearest id is named.
  public struct MatchesNothing: Error, CustomStringConvertible {
    public let glob: String
    public let nearest: String?

    public var description: String {
      "no rule matches '\(glob)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }
  }

  public init(_ globs: [String], over ids: [String]) throws {
    var wanted: [String] = []
    var unwanted: [String] = []
    for glob in globs {
      let takesAway = glob.hasPrefix("!")
      let pattern = takesAway ? String(glob.dropFirst()) : glob
      guard ids.contains(where: { Filter.matches($0, pattern) }) else {
        throw MatchesNothing(glob: pattern, nearest: Filter.nearest(pattern, among: ids))
      }
      if takesAway { unwanted.append(pattern) } else { wanted.append(pattern) }
    }
    self.wanted = wanted
    self.unwanted = unwanted
  }

  public func admits(_ id: String) -> Bool {
    (wanted.isEmpty || wanted.contains { Filter.matches(id, $0) })
      && !unwanted.contains { Filter.matches(id, $0) }
  }

  /// `*` stands for any run of characters, `?` for one; case does not matter.
  static func matches(_ text: String, _ glob: String) -> Bool {
    matches(Array(text.lowercased())[...], Array(glob.lowercased())[...])
  }

  private static func matches(_ text: ArraySlice<Character>, _ glob: ArraySlice<Character>) -> Bool
  {
    guard let first = glob.first else { return text.isEmpty }
    if first == "*" {
      return matches(text, glob.dropFirst()) || (!text.isEmpty && matches(text.dropFirst(), glob))
    }
    guard let next = text.first, first == "?" || first == next else { return false }
    return matches(text.dropFirst(), glob.dropFirst())
  }

  /// The id that takes the fewest edits.
  static func nearest(_ word: String, among ids: [String]) -> String? {
    ids.map { ($0, distance(word.lowercased(), $0.lowercased())) }
      .filter { $0.1 <= max(2, word.count / 2) }
      .min { $0.1 < $1.1 }?.0
  }

  private static func distance(_ one: String, _ other: String) -> Int {
    let b = Array(other)
    var row = Array(0...b.count)
    for (i, left) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let substituted = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
