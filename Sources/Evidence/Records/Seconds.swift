/// Times in words, for what no page draws: what a plan takes, what a budget holds.
package enum Seconds {
  /// Whole seconds, and no fewer than it is: `1 s`, `40 s`. Beyond two hours whole hours.
  package static func text(_ value: Double) -> String {
    value > 2 * 3600
      ? "\(Int((value / 3600).rounded(.up))) h" : "\(Int(value.rounded(.up))) s"
  }

  /// How much of a budget was used, where a tenth of it is left.
  package static func used(_ elapsed: Double, of budget: Double) -> String? {
    elapsed < budget * 0.9 ? "\(text(elapsed)) of \(text(budget))" : nil
  }
}
