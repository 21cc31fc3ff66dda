/// Benchmarks that end before what they began is paid for, and those that include the first use.
/// Old names keep their meaning, so that histories go on; reports speak of the successors.
package enum Successors {
  private static let register = [
    "reads.refresh-after-commit": "reads.refresh-and-read",
    "reads.open-cached": "reads.open-configured",
    "frozen.freeze-realm": "frozen.freeze-and-read",
    "frozen.freeze-object": "frozen.freeze-object-and-read",
    "frozen.thaw": "frozen.thaw-and-read",
  ]

  /// The family that tells the whole cost of what `family` begins; nil where that does so itself.
  package static func successor(of family: String) -> String? { register[family] }

  package static let all = register
}

extension Run {
  /// The results that a report speaks of: of two that measure the same beginning, the one with the
  /// first use.
  package var current: [Finding] {
    let there = Set(results.filter(\.valid).map { "\($0.name.family) \($0.engine)" })
    return results.filter { finding in
      guard let heir = Successors.successor(of: finding.name.family) else { return true }
      return !there.contains("\(heir) \(finding.engine)")
    }
  }
}
