import Conformance
import Foundation
import ReferenceEngine
import StandIns

/// The reference engine's hooks: its stand-ins, as the suite asks for them.
struct ReferenceHooks: Hooks {
  private let ear = Ear()
  private let marks = Marks()

  /// The named instants of the engine's work: the suite says which of them no rule passes. Readers
  /// pause for schedules alone.
  static let moments = Moment.all.filter { $0 != .pinStored }.map(\.name)

  /// Makes the hooks of this process. To be done before a broken engine is put in place, and before
  /// any realm opens.
  static func install() {
    let hooks = ReferenceHooks()
    hooks.ear.install()
    Seams.given.moments = hooks.marks
    Backstage.hooks = hooks
  }

  func record() { ear.record() }
  func stop() { ear.stop() }
  func skipFlushes() { ear.skipFlushes() }

  func verify(_ path: String) throws -> [String] {
    // What the dead held is let go of by whoever needs it.
    try Inspection(verifying: path).holders.filter { kill($0.process, 0) == 0 || errno == EPERM }
      .map { "\($0.kind), version \($0.version.number), process \($0.process)" }
  }

  func note(_ number: Int) { ear.note(number) }

  var requests: [DiskRequest] {
    ear.steps.compactMap { step -> DiskRequest? in
      switch step {
      case .write(let offset, let bytes): .write(offset: offset, bytes: bytes)
      case .resize(let size): .resize(size)
      case .sync: .flush
      case .rename: .name
      case .syncName: .flushName
      case .failedSync: nil
      case .note(let number): .note(number)
      }
    }
  }

  func fail(_ kind: DiskFault, after passing: Int, times: Int) {
    ear.fail(kind == .writes ? .writes : .flushes, after: passing, times: times)
  }

  func beforeFlush(_ call: (@Sendable () -> Void)?) { ear.beforeFlush(call) }

  var steps: [String] {
    [
      Moment.gateEntered, .placesChosen, .dataWritten, .dataSynced, .slotWritten, .slotSynced,
      .published, .gateLeft,
    ].map(\.name)
  }

  var passed: [String] { marks.reached }

  func die(at step: String) {
    marks.die(at: Moment(step))
  }
}
