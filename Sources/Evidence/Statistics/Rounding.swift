extension Int {
  /// The nearest whole number; of what is beyond them all the last one, and of what is none zero.
  ///
  /// Numbers come out of files that anybody may have written.
  package init(nearest value: Double) {
    let limit = 9.2e18
    self = value.isNaN ? 0 : Int(Swift.min(limit, Swift.max(-limit, value.rounded())))
  }
}
