import Evidence

/// How likely rounds are to decide something of a case on this machine, as far as is known before
/// any was measured; the likeliest is least.
///
/// A budget that is too small for all is spent on what it will decide: rounds that differ by more
/// than is asked end as *cannot tell*, however many there were time for.
enum Prospect: Int, Comparable {
  /// One thread at a time, and what it does is its time.
  case steady
  /// What the system does is in its time: who is woken when, or where threads meet.
  case restless
  /// More threads or processes than cores: who of them runs is the system's lot.
  case crowded

  static func < (a: Prospect, b: Prospect) -> Bool { a.rawValue < b.rawValue }

  init(of one: Case, cores: Double) {
    let name = one.name
    let crew = max(name.number("threads"), name.number("writers"))
    if crew > 1, crew > cores {
      self = .crowded
    } else if (crew > 1 && crew >= cores) || Prospect.isRestless(name) {
      self = .restless
    } else {
      self = .steady
    }
  }

  /// What waits for another thread or process, and what is about the longest or the last of many.
  private static func isRestless(_ name: BenchmarkName) -> Bool {
    let subject = Metric.named(Subjects.metric(of: name.family))
    return chapters.contains(name.chapter) || families.contains(name.family)
      || RestlessLimits.families.contains(name.family)
      || (subject.kind == .timed && subject.name != "time")
  }

  /// Nearly all of these hand something over to another thread.
  static let chapters: Set = ["async", "notify", "ways"]
  static let families: Set = [
    "macro.chat", "macro.classic-cross-thread-latency",
    "macro.classic-commit-with-cross-thread-notification", "reads.actor-int", "reads.queue-int",
    // Once in a fresh process: such rounds have no stretches that could lie side by side.
    "reads.open-cold", "writes.contention",
  ]

  /// Words for a plan; nil where there is nothing to say.
  var words: String? {
    switch self {
    case .steady: nil
    case .restless: "restless"
    case .crowded: "oversubscribed here"
    }
  }
}
