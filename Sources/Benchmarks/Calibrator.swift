import Evidence
import Foundation

/// Compares this build with itself, plain and under known handicaps, as often as asked, and counts
/// the verdicts.
///
/// Every session is a whole `ab` with its control, screen and confirmation; its run directory stays
/// as evidence.
package struct Calibrator {
  package struct Setting: Sendable {
    /// Sessions of a build against itself.
    package var same = 8
    /// Sessions for each handicap.
    package var handicapped = 2
    package var handicaps: [Handicap] = [
      .time(0.05), .time(0.1), .time(0.2), .allocation, .flush,
    ]
    /// Busy processes beside all of them.
    package var load = 0
    package init() {}
  }

  private let request: RunRequest
  private let setting: Setting
  private let executable: String
  private let plan: Plan
  /// How long all sessions may take, in seconds; nil for as long as they take.
  private let limit: Double?
  private let isStopped: () -> Bool
  private let say: (String) -> Void
  private let progress: (Runner.Progress) -> Void

  private typealias Session = CalibrationQueue.Session

  /// Refuses a budget in which not even one session would end.
  package init(
    _ request: RunRequest, setting: Setting, executable: String,
    isStopped: @escaping () -> Bool = { false }, say: @escaping (String) -> Void = { _ in },
    progress: @escaping (Runner.Progress) -> Void = { _ in }
  ) throws {
    limit = request.budget
    // A session is as long as it is: a budget decides how many there are.
    var request = request
    request.budget = nil
    self.request = request
    request.rounds = nil
    plan = try Plan(request, addsYardsticks: false)
    self.setting = setting
    self.executable = executable
    self.isStopped = isStopped
    self.say = say
    self.progress = progress
    let shortest = sessions.map(seconds).min() ?? 0
    if let limit, shortest > limit {
      throw BenchmarkError(
        "a budget of \(Seconds.text(limit)) is too small for any session: the shortest takes "
          + "about \(Seconds.text(shortest))")
    }
  }

  private var sessions: [Session] {
    var all = (0..<setting.same).map { Session(kind: "same", number: $0 + 1, handicap: nil) }
    for handicap in setting.handicaps {
      all += (0..<setting.handicapped).map {
        Session(kind: handicap.text, number: $0 + 1, handicap: handicap)
      }
    }
    return all
  }

  /// What lies ahead: how many sessions of what, and about how long.
  package var text: String {
    var kinds: [String] = []
    if setting.same > 0 {
      kinds.append("\(Plural.text(setting.same, "session")) of this build against itself")
    }
    if setting.handicapped > 0, !setting.handicaps.isEmpty {
      let names = setting.handicaps.map(\.text).joined(separator: ", ")
      kinds.append("\(setting.handicapped) each against itself with \(names)")
    }
    if setting.load > 0 {
      kinds.append("beside " + Plural.text(setting.load, "busy process", "busy processes"))
    }
    let minutes = sessions.reduce(0) { $0 + seconds($1) } / 60
    let each = rounds(nil)
    var lines = [
      kinds.isEmpty ? "no session" : kinds.joined(separator: ", "),
      "\(Plan.measurements(plan.cases.count)) of \(Int((plan.seconds * 1000).rounded())) ms in "
        + "each, \(each.screenRounds) pairs of rounds, \(each.countRounds) pairs of counts; "
        + "seed \(plan.seed)",
      "about \(Int(minutes.rounded(.up))) min, and more where there is something to confirm",
    ]
    if let limit {
      lines.append(
        "as many of them as end within \(Seconds.text(limit)), each kind by turns; what does "
          + "not is listed")
    }
    let questions = plan.cases.count * setting.same
    if questions > 0 {
      let bound = ClopperPearson.upperBound(0, of: questions) * 100
      lines.append(
        "at least \(Plural.text(questions, "duration")) \(questions == 1 ? "is" : "are") judged: "
          + "if none of them is flagged, at most "
          + "\(String(format: "%.1f", bound)) % are false alarms")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// About how long a session takes.
  private func seconds(_ session: Session) -> Double {
    let rounds = rounds(session.handicap)
    let controls = Double(min(rounds.controlCases, plan.cases.count)) / Double(plan.cases.count)
    var pairs = Double(rounds.screenRounds) + Double(rounds.controlRounds) * controls
    // Nearly all that takes longer is suspected, and measured again.
    if case .time? = session.handicap { pairs += Double(rounds.confirmRounds) }
    return 2 * pairs * plan.onceTimed
      + 2 * Double(rounds.countRounds) * plan.onceCounted
  }

  private func rounds(_ handicap: Handicap?) -> Duel.Setting {
    var rounds = Duel.Setting().asked(for: request.rounds)
    if handicap == .allocation || handicap == .flush {
      // What is only counted needs no clock, so no rounds and no control of durations.
      rounds.screenRounds = 0
      rounds.controlCases = 0
      rounds.controlRounds = 0
    }
    return rounds
  }

  /// Runs all sessions below `folder`; what was counted is returned after each, so that none is
  /// lost, and with what was left out at the end, whoever brought it about. `elapsed` is the time
  /// since the calibration was asked for.
  package func run(
    into folder: URL, environment: Environment, scratch: URL, elapsed: @escaping () -> Double,
    counted: (Calibration) throws -> Void
  ) throws {
    var calibration = Calibration()
    let company = try (0..<setting.load).map { _ in try BusyProcess(executable) }
    defer { withExtendedLifetime(company) {} }
    var queue = CalibrationQueue(sessions, limit: limit, expected: seconds)
    var place = 0
    while !isStopped(), let session = queue.next(after: elapsed()) {
      place += 1
      say("\(place) of \(sessions.count): \(session.text)")
      let start = elapsed()
      let isLate = { [limit] in limit.map { elapsed() > $0 * 1.08 } ?? false }
      let found = try judge(
        session, "\(place) of \(sessions.count), \(session.kind)", into: folder, environment,
        scratch, isLate)
      guard let found else {
        if isStopped() { queue.interrupt(session) } else { queue.cut(session) }
        continue
      }
      queue.ended(session, took: elapsed() - start)
      calibration.add(found, kind: session.kind)
      try counted(calibration)
    }
    if isStopped() { queue.interrupt() }
    calibration.absences = queue.absences
    try counted(calibration)
  }

  private func judge(
    _ session: Session, _ place: String, into folder: URL, _ environment: Environment,
    _ scratch: URL, _ isLate: @escaping () -> Bool
  ) throws -> Comparison? {
    var request = request
    request.seed = derivedSeed(request.seed, "\(session.kind) \(session.number)")
    let base = ChildRounds(executable: executable)
    let candidate: any RoundRunner =
      session.handicap.map { HandicappedRounds(executable: executable, $0) } ?? base
    let duel = try Duel(
      request, base: base, candidate: candidate, scratch: scratch,
      setting: rounds(session.handicap), isStopped: { isStopped() || isLate() }, say: say,
      progress: { said in
        progress(
          Runner.Progress(
            done: said.done, total: said.total, current: "\(place): \(said.current)",
            elapsed: said.elapsed, remaining: said.remaining))
      })
    let name = session.kind.replacing("=", with: "-")
    let side = Comparison.Side(name: "A", commit: request.commit, subject: "", source: executable)
    var other = side
    other.name = "B"
    other.subject = session.handicap.map { "handicap \($0.text)" } ?? "the same"
    return try duel.run(
      into: folder.appendingPathComponent("\(name)-\(session.number)"), environment: environment,
      sides: (side, other)
    ).comparison
  }
}
