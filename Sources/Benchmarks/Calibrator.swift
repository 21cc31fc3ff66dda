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
  private let isStopped: () -> Bool
  private let say: (String) -> Void

  package init(
    _ request: RunRequest, setting: Setting, executable: String,
    isStopped: @escaping () -> Bool = { false }, say: @escaping (String) -> Void = { _ in }
  ) {
    self.request = request
    self.setting = setting
    self.executable = executable
    self.isStopped = isStopped
    self.say = say
  }

  /// One session: its name, its seed's place in the row, and what the candidate carries.
  private struct Session {
    let kind: String
    let number: Int
    let handicap: Handicap?
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
  package func text(_ plan: Plan) -> String {
    var kinds: [String] = []
    if setting.same > 0 { kinds.append("\(setting.same) sessions of this build against itself") }
    if setting.handicapped > 0, !setting.handicaps.isEmpty {
      let names = setting.handicaps.map(\.text).joined(separator: ", ")
      kinds.append("\(setting.handicapped) each against itself with \(names)")
    }
    if setting.load > 0 { kinds.append("beside \(setting.load) busy processes") }
    let minutes = sessions.reduce(0) { $0 + seconds($1, plan) } / 60
    let each = rounds(nil)
    var lines = [
      kinds.isEmpty ? "no session" : kinds.joined(separator: ", "),
      "\(Plan.measurements(plan.cases.count)) of \(Int((plan.seconds * 1000).rounded())) ms in "
        + "each, \(each.screenRounds) pairs of rounds, \(each.countRounds) pairs of counts; "
        + "seed \(plan.seed)",
      "about \(Int(minutes.rounded(.up))) min, and more where there is something to confirm",
    ]
    let questions = plan.cases.count * setting.same
    if questions > 0 {
      let bound = ClopperPearson.upperBound(0, of: questions) * 100
      lines.append(
        "at least \(questions) durations are judged: if none of them is flagged, at most "
          + "\(String(format: "%.1f", bound)) % are false alarms")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// About how long a session takes.
  private func seconds(_ session: Session, _ plan: Plan) -> Double {
    let rounds = rounds(session.handicap)
    let controls = Double(min(rounds.controlCases, plan.cases.count)) / Double(plan.cases.count)
    let pairs = Double(rounds.screenRounds) + Double(rounds.controlRounds) * controls
    return 2 * pairs * plan.onceTimed
      + 2 * Double(rounds.countRounds) * plan.onceCounted
  }

  private func rounds(_ handicap: Handicap?) -> Duel.Setting {
    var rounds = Duel.Setting()
    if handicap == .allocation || handicap == .flush {
      // What is only counted needs no clock, so no rounds and no control of durations.
      rounds.screenRounds = 0
      rounds.controlCases = 0
      rounds.controlRounds = 0
    }
    return rounds
  }

  /// Runs all sessions below `folder`; what was counted is returned after each, so that none is
  /// lost.
  package func run(
    into folder: URL, environment: Environment, scratch: URL, counted: (Calibration) throws -> Void
  ) throws {
    var calibration = Calibration()
    let company = try (0..<setting.load).map { _ in try BusyProcess(executable) }
    defer { withExtendedLifetime(company) {} }
    for (place, session) in sessions.enumerated() {
      if isStopped() { return }
      say("\(place + 1) of \(sessions.count): \(session.kind), session \(session.number)")
      guard let comparison = try judge(session, into: folder, environment, scratch) else { return }
      calibration.add(comparison, kind: session.kind)
      try counted(calibration)
    }
  }

  private func judge(
    _ session: Session, into folder: URL, _ environment: Environment, _ scratch: URL
  ) throws -> Comparison? {
    var request = request
    request.seed = derivedSeed(request.seed, "\(session.kind) \(session.number)")
    let base = ChildRounds(executable: executable)
    let candidate: any RoundRunner =
      session.handicap.map { HandicappedRounds(executable: executable, $0) } ?? base
    let duel = try Duel(
      request, base: base, candidate: candidate, scratch: scratch,
      setting: rounds(session.handicap), isStopped: isStopped, say: say)
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
