import Dispatch

@testable import ReferenceEngine

/// The honest schedulers, but that nothing goes to the disk before the test says so.
struct HeldSchedulers: Schedulers {
  let flushes: HeldErrands
  /// What is held of what goes to the disk while the home's first thread waits for it.
  let spare: (any Errands)?
  private let honest = HonestSchedulers()

  init(_ flushes: HeldErrands, spare: HeldErrands? = nil) {
    (self.flushes, self.spare) = (flushes, spare)
  }

  func here() -> any Scheduler { honest.here() }
  func queue(_ queue: DispatchQueue) -> (any Scheduler)? { honest.queue(queue) }
  func actor(_ actor: any Actor) -> any Scheduler { honest.actor(actor) }
  func errands(_ name: String) -> any Errands {
    switch name {
    case "realm.flush": flushes
    case "realm.flush.spare": spare ?? honest.errands(name)
    default: honest.errands(name)
    }
  }
}
