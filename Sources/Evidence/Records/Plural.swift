/// Counts in words, for what no page draws: `1 round`, `12 rounds`.
package enum Plural {
  /// So many of what a noun names; `plural` where it takes more than an s.
  package static func text(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
