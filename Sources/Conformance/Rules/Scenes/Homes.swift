import EngineUnderTest
import Foundation
import Harness

/// `Realm(configuration:)` in an async function means the async one; this is the other.
func openHere(_ configuration: Realm.Configuration) throws -> Realm {
  try Realm(configuration: configuration)
}

/// A realm confined to a queue that nobody else knows.
func queueRealm(_ configuration: Realm.Configuration) throws -> Realm {
  let queue = DispatchQueue(label: "serial")
  return try queue.sync { try Realm(configuration: configuration, queue: queue) }
}

/// Opens a realm bound to a thread, and uses it after the task has gone to another one.
func wanderer(_ stage: Stage) async throws {
  let realm = try openHere(stage.configuration())
  let home = pthread_self()
  // Who comes to the thread that the task has just left stays there until the task is elsewhere.
  let isGone = Latch("the task's having gone elsewhere")
  let (thread, patience) = (UInt(home), stage.patience)
  let neighbours = (0..<4).map { _ in
    Task.detached {
      for _ in 0..<20_000 {
        if Task.isCancelled { return }
        if threadNumber() == thread { _ = isGone.wait(patience) }
        await Task.yield()
      }
    }
  }
  defer {
    isGone.open()
    for neighbour in neighbours { neighbour.cancel() }
  }
  for _ in 0..<20_000 {
    await Task.yield()
    if isElsewhere(home) {
      stage.act { use(realm.objects(Person.self).count) }
      return
    }
  }
  try stage.skip(.noOverlap, "the task never changed its thread")
}

@inline(never) private func isElsewhere(_ home: pthread_t) -> Bool {
  pthread_equal(pthread_self(), home) == 0
}

/// Which thread this is, as a number.
func threadNumber() -> UInt { UInt(pthread_self()) }
