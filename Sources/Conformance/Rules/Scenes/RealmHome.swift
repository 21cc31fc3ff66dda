import EngineUnderTest
import Foundation
import Harness

/// Where a probe's realm lives: on the thread that asks, or on a queue.
struct RealmHome {
  enum Kind: String, CaseIterable, Sendable {
    case mainThread = "the main thread"
    case queue = "a queue"
  }

  private let queue: DispatchQueue?

  init(_ kind: Kind) { queue = kind == .queue ? DispatchQueue(label: "home") : nil }

  func work<Value>(_ body: () throws -> Value) rethrows -> Value {
    if let queue { try queue.sync(execute: body) } else { try body() }
  }

  func open(_ stage: Stage, _ name: String = "probe") throws -> Realm {
    try work { try Realm(configuration: stage.configuration(name), queue: queue) }
  }
}
