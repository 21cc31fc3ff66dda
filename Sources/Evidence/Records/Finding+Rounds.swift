// Whether what a finding says rests on all of its rounds.

extension Finding {
  /// How many timed rounds there were: as many as it says, or as its fullest duration has.
  private var timedRounds: Int {
    let fullest = values.filter { Metric.named($0.metric).kind == .timed }.map(\.rounds.count).max()
    return max(rounds, fullest ?? 0)
  }

  /// Why a value has fewer rounds than were measured; nil of one that has all. Rounds that are not
  /// there are those in which it could not be had, and seldom the good ones.
  package func shortage(of value: Value) -> String? {
    let all = timedRounds
    guard value.rounds.count < all else { return nil }
    if let idle = Finding.idleness(self["rate"]?.rounds.count { $0 == 0 } ?? 0, of: all) {
      return idle
    }
    return "it is of \(value.rounds.count) of \(Plural.text(all, "round")): the others had none"
  }

  /// That so many rounds of several workers have no time; nil where all have one.
  static func idleness(_ idle: Int, of rounds: Int) -> String? {
    guard idle > 0 else { return nil }
    return "in \(idle) of \(Plural.text(rounds, "round")) nobody finished anything: lengthen "
      + "--round-length"
  }
}
