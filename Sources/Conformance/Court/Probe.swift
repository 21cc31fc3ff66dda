/// One experiment: what to do with the engine, and what must be left of the process that did it.
public struct Probe: Sendable {
  /// What must be seen.
  enum Expectation: Sendable, Equatable {
    /// The body returns and everything it asserted was so.
    case holds
    /// The act ends the process, with one of these texts on stderr.
    case dies(saying: [String])
    /// The act ends the process or throws, with one of these texts either way.
    case refuses(saying: [String])
  }

  typealias Body = @Sendable (Stage) throws -> Void
  typealias AsyncBody = @Sendable (Stage) async throws -> Void

  enum Script: Sendable {
    /// Runs on the main thread.
    case plain(Body)
    /// Runs in a task that is isolated to no actor, while the main thread runs its loop.
    case task(AsyncBody)
  }

  public let name: String
  let expectation: Expectation
  let script: Script
  /// What other processes do for this probe, by the name of their role.
  let companions: [String: Body]
  /// How long the child may take.
  let deadline: Duration
  /// What it leaves on purpose that its files cannot be used with, in words: `a write under way`.
  /// Nobody asks it what every other probe is asked at its end.
  let leaves: String?

  /// Whether it draws programs, any of which can be run again by its text.
  var runsPrograms: Bool { name.hasPrefix(Programs.title) }

  private init(
    _ name: String, _ expectation: Expectation, _ script: Script, companions: [String: Body],
    deadline: Duration, leaves: String? = nil
  ) {
    self.name = name
    self.expectation = expectation
    self.script = script
    self.companions = companions
    self.deadline = deadline
    self.leaves = leaves
  }

  /// Longer than two waits of a probe: who hangs says what for, unless it hangs in the engine.
  static let usualDeadline = Duration.seconds(75)

  /// An experiment that ends well, on the main thread.
  init(
    _ name: String, deadline: Duration = usualDeadline, companions: [String: Body] = [:],
    leaves: String? = nil, _ body: @escaping Body
  ) {
    self.init(
      name, .holds, .plain(body), companions: companions, deadline: deadline, leaves: leaves)
  }

  /// An experiment that ends well, in a task.
  static func task(
    _ name: String, deadline: Duration = usualDeadline, companions: [String: Body] = [:],
    leaves: String? = nil, _ body: @escaping AsyncBody
  ) -> Probe {
    Probe(name, .holds, .task(body), companions: companions, deadline: deadline, leaves: leaves)
  }

  /// An experiment whose `stage.act` must end the process.
  static func dies(
    _ name: String, saying words: String..., companions: [String: Body] = [:],
    body: @escaping Body
  ) -> Probe {
    Probe(
      name, .dies(saying: words), .plain(body), companions: companions, deadline: usualDeadline)
  }

  /// The same in a task.
  static func diesInTask(
    _ name: String, saying words: String..., body: @escaping AsyncBody
  ) -> Probe {
    Probe(name, .dies(saying: words), .task(body), companions: [:], deadline: usualDeadline)
  }

  /// An experiment whose `stage.act` must end the process or throw, by a list of texts.
  init(_ name: String, refusing words: [String], body: @escaping Body) {
    self.init(
      name, .refuses(saying: words), .plain(body), companions: [:],
      deadline: Probe.usualDeadline)
  }

  /// An experiment whose `stage.act` must end the process or throw: engines may choose how to
  /// refuse.
  static func refuses(
    _ name: String, saying words: String..., body: @escaping Body
  ) -> Probe {
    Probe(name, .refuses(saying: words), .plain(body), companions: [:], deadline: usualDeadline)
  }

  /// The same in a task.
  static func refusesInTask(
    _ name: String, saying words: String..., body: @escaping AsyncBody
  ) -> Probe {
    Probe(name, .refuses(saying: words), .task(body), companions: [:], deadline: usualDeadline)
  }
}
