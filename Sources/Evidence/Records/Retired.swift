/// Rules and benchmarks that are no more: their names are never given again, and `list retired`
/// says why. docs/names.txt has the same lines beside all names in use, and tests hold the two
/// together.
package enum Retired {
  package struct Entry: Hashable, Sendable {
    /// `rule` or `benchmark`.
    package let kind: String
    package let name: String
    /// The day, as `2026-11-24`.
    package let date: String
    package let reason: String

    package init(kind: String, name: String, date: String, reason: String) {
      (self.kind, self.name, self.date, self.reason) = (kind, name, date, reason)
    }
  }

  /// None so far: a rule that was wrong has been reworded, a benchmark that ends too early has a
  /// successor beside it.
  package static let all: [Entry] = []

  /// The numbers of a family of rules that nobody may be given.
  package static func numbers(of family: String) -> [Int] {
    all.filter { $0.kind == "rule" && $0.name.hasPrefix("\(family)-") }
      .compactMap { Int($0.name.dropFirst(family.count + 1)) }
  }
}
