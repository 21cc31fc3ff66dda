import Evidence

/// Who answered in a probe, of an engine that is two: a library, and what stands before it.
struct Deciders: OptionSet, Hashable {
  let rawValue: Int

  static let library = Deciders(rawValue: 1)
  static let facade = Deciders(rawValue: 2)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// What a child said of it; nil of an engine that is one.
  init?(_ said: [Testimony]) {
    let parts = said.compactMap { if case .answered(let part) = $0 { part } else { nil } }
    guard !parts.isEmpty else { return nil }
    // Words that end the process are the answer, whoever was asked before.
    if parts.contains("refusal") {
      self = .facade
      return
    }
    self = []
    if parts.contains("core") { insert(.library) }
    if parts.contains("facade") { insert(.facade) }
  }

  /// As a verdict has it.
  var words: Verdict.Decider {
    self == .library ? .library : self == .facade || isEmpty ? .facade : .both
  }
}
