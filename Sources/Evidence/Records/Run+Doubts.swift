// What a record says that nobody can have measured.

extension Run {
  /// Sizes beyond which nothing was ever measured, in any unit. What is made of two numbers, such
  /// as how often one is in the other, is a number within them, and may be none beyond.
  private static let sizes = 1e-18...1e18

  /// The first number that cannot have been measured, with its place; nil where all can.
  var refusal: String? {
    for (place, row) in (control?.rows ?? []).enumerated() {
      for (end, values) in [("first", row.first), ("last", row.last)] {
        let found = Run.refusal("control.rows[\(place)].\(end)", values, isSigned: false)
        if let found { return found }
      }
    }
    for (place, finding) in results.enumerated() {
      for (index, value) in finding.values.enumerated() {
        let name = "results[\(place)].values[\(index)]"
        if !Run.isPossible(value.value) { return Run.refusal("\(name).value", value.value) }
        if let found = Run.refusal("\(name).rounds", value.rounds) { return found }
      }
    }
    return nil
  }

  /// A negative one is told by whoever judges it; of a control nobody would.
  private static func refusal(
    _ list: String, _ values: [Double], isSigned: Bool = true
  ) -> String? {
    let at = values.firstIndex { !isPossible($0) || ($0 < 0 && !isSigned) }
    return at.map { refusal("\(list)[\($0)]", values[$0]) }
  }

  private static func refusal(_ place: String, _ value: Double) -> String {
    "\(place) is \(value), expected what can be measured: 0, or \(sizes.lowerBound) to "
      + "\(sizes.upperBound)"
  }

  private static func isPossible(_ value: Double) -> Bool {
    value == 0 || sizes.contains(abs(value))
  }
}

extension Finding {
  /// What is computed from the rounds must be what they say: whoever changed the one has not
  /// changed the other, and which of them was measured nobody knows. Nil where nothing contradicts.
  ///
  /// Percentiles are of all operations together, and the longest of them of one round.
  var contradiction: String? {
    guard valid else { return nil }
    for value in values
    where !value.rounds.isEmpty && !Finding.ofOperations.contains(value.metric) {
      let middle = Quantiles.median(value.rounds)
      guard abs(value.value - middle) > Finding.rounding * max(abs(value.value), abs(middle)) else {
        continue
      }
      return "the \(value.metric) \(CSV.number(value.value)) is not the median of its "
        + "\(Plural.text(value.rounds.count, "round")), which is \(CSV.number(middle))"
    }
    return nil
  }

  private static let ofOperations: Set = ["p50", "p90", "p99", "p999", "max"]
  private static let rounding = 1e-6

  /// The same without a number where what it says contradicts itself.
  var settled: Finding {
    guard let contradiction else { return self }
    var found = self
    (found.valid, found.reason, found.values, found.histogram) = (false, contradiction, [], nil)
    return found
  }
}
