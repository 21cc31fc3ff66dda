import Evidence

/// Which rules to examine: globs over their ids, those with `!` taking away again. Case does not
/// matter.
public struct Filter: Sendable {
  private let globs: [Glob]

  /// A glob that matches nothing is most likely a slip, so it is refused and the nearest id is
  /// named.
  public struct MatchesNothing: Error, CustomStringConvertible {
    public let description: String

    /// Each matches something, and nothing is left of it.
    static func afterAll(_ globs: [String]) -> MatchesNothing {
      MatchesNothing(
        description: "no rule is left of '\(globs.joined(separator: " "))': what is taken away, or "
          + "is not documented, is all that was chosen")
    }
  }

  public init(_ globs: [String], over ids: [String]) throws {
    self.globs = try globs.map { text in
      let glob = Glob(text.lowercased())
      guard ids.contains(where: { glob.matches($0.lowercased()) }) else {
        let pattern = glob.excludes ? String(text.dropFirst()) : text
        let families = Set(ids.map { String($0.prefix { $0 != "-" }) + "-*" }).sorted()
        throw MatchesNothing(
          description: "no rule matches '\(pattern)'"
            + NearestWord.suggestion(for: pattern, among: families + ids))
      }
      return glob
    }
  }

  public func admits(_ id: String) -> Bool { Glob.select(globs, id.lowercased()) }
}
