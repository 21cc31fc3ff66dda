import EngineUnderTest
import Foundation
import Harness

/// Where a listener is at home, on the main thread or on a queue, as a probe keeps it busy: what is
/// asked for here comes in the order of the calls, among what the engine has for it.
struct BusyHome {
  private let stage: Stage
  private let queue: DispatchQueue
  private let isMain: Bool

  init(_ kind: RealmHome.Kind, _ stage: Stage) {
    self.stage = stage
    isMain = kind == .mainThread
    queue = isMain ? .main : DispatchQueue(label: "busy home")
  }

  /// Opens the probe's file; at home.
  func open() throws -> Realm {
    try Realm(configuration: stage.configuration(), queue: isMain ? nil : queue)
  }

  func work<Value>(_ body: () throws -> Value) rethrows -> Value {
    isMain ? try body() : try stage.on(queue, body)
  }

  /// Does something at home, behind what is due there by now.
  func later(_ body: @escaping () -> Void) { stage.later(on: queue, body) }

  /// Waits, on the main thread, until something is so at home.
  func wait(until condition: () -> Bool, _ what: String) throws {
    if isMain { return try stage.spin(until: condition, what) }
    let limit = ContinuousClock.now + stage.patience
    while !work(condition) {
      guard .now < limit else { throw Stage.Interruption.overdue(what) }
      // Nothing tells here that it has become so: the home is asked again.
      usleep(500)
    }
  }
}
