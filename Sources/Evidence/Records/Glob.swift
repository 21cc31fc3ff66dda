/// A pattern of names as shells write them: `*` any run of characters, `?` any one.
package struct Glob: Sendable {
  private let pattern: [Character]
  /// A pattern that began with `!` takes names away.
  package let excludes: Bool

  package init(_ text: String) {
    excludes = text.hasPrefix("!")
    pattern = Array(excludes ? text.dropFirst() : text[...])
  }

  package func matches(_ name: String) -> Bool {
    let name = Array(name)
    // Greedy with one point of return: linear in practice, quadratic at worst.
    var p = 0
    var n = 0
    var star = -1
    var resume = 0
    while n < name.count {
      if p < pattern.count, pattern[p] == "*" {
        star = p
        resume = n
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == name[n] {
        p += 1
        n += 1
      } else if star >= 0 {
        p = star + 1
        resume += 1
        n = resume
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }

  /// Whether a list of patterns selects a name: any inclusion (or none given) and no exclusion.
  ///
  /// A pattern may name the family or the full name with parameters.
  package static func select(_ patterns: [Glob], _ names: String...) -> Bool {
    let inclusions = patterns.filter { !$0.excludes }
    let exclusions = patterns.filter(\.excludes)
    return
      (inclusions.isEmpty || inclusions.contains { glob in names.contains(where: glob.matches) })
      && !exclusions.contains { glob in names.contains(where: glob.matches) }
  }
}
