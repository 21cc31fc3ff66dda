import Dispatch

@testable import ReferenceEngine

/// The honest schedulers, but that nothing goes to the disk before the test says so.
struct HeldSchedulers: Schedulers {
  let flushes: HeldErrands
  private let honest = HonestSchedulers()

  init(_ flushes: HeldErrands) { self.flushes = flushes }

  func here() -> any Scheduler { honest.here() }
  func queue(_ queue: DispatchQueue) -> (any Scheduler)? { honest.queue(queue) }
  func actor(_ actor: any Actor) -> any Scheduler { honest.actor(actor) }
  func errands(_ name: String) -> any Errands {
    name == "realm.flush" ? flushes : honest.errands(name)
  }
}
