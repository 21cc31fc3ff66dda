import Dispatch

/// The schedulers as they are: what the engine uses unless a stand-in was put in their place.
package struct HonestSchedulers: Schedulers {
  package init() {}

  package func here() -> any Scheduler {
    let main = MainScheduler.shared
    return main.isHereByThread ? main : ThreadScheduler.current()
  }

  package func queue(_ queue: DispatchQueue) -> (any Scheduler)? {
    queue.isMain ? MainScheduler.shared : QueueScheduler(queue)
  }

  package func actor(_ actor: any Actor) -> any Scheduler {
    actor === MainActor.shared ? MainScheduler.shared : ActorScheduler(actor)
  }
}

/// The home of frozen realms: everywhere. Nothing is ever delivered there, for nothing changes.
package final class FrozenScheduler: Scheduler {
  package static let shared = FrozenScheduler()
  package var threadToken: UInt { .max }
  package var isHere: Bool { true }
  package var canDeliver: Bool { false }
  package var isAlive: Bool { true }
  package var home: Home { .everywhere }
  package var isActorIsolated: Bool { false }
  package func run(_ work: @escaping @Sendable () -> Void) {}
}
