/// Where the world enters the engine: every collaborator that a test may exchange.
///
/// Honest by default. Set once, before any realm opens, by the program's door or a test that runs
/// alone.
package struct Seams: Sendable {
  package var moments: any Moments
  package var schedulers: any Schedulers

  /// Opens the file of a realm: path, whether it will be written, whether it may be created.
  package var disk: @Sendable (_ path: String, _ writable: Bool, _ create: Bool) throws -> any Disk
  package var gate: @Sendable (LockFile) -> any Gate
  package var beacon: @Sendable (LockFile) -> any Beacon

  package init(
    moments: any Moments = PassingMoments(),
    schedulers: any Schedulers = HonestSchedulers(),
    disk: @escaping @Sendable (String, Bool, Bool) throws -> any Disk = {
      try PosixDisk(path: $0, writable: $1, create: $2)
    },
    gate: @escaping @Sendable (LockFile) -> any Gate = { FileGate(lock: $0) },
    beacon: @escaping @Sendable (LockFile) -> any Beacon = { FutexBeacon(lock: $0) }
  ) {
    self.moments = moments
    self.schedulers = schedulers
    self.disk = disk
    self.gate = gate
    self.beacon = beacon
  }

  package static let honest = Seams()

  /// Whether beginning a read reaches `pinStored`. Asking who listens would cost more than the
  /// read, so it has to be wanted.
  // Unsafe for the same reason as `current`, and written at the same time.
  @exclusivity(unchecked)
  package nonisolated(unsafe) static var readersPause = false

  // Unsafe without a lock because it is written only before any realm opens; a lock would be taken
  // on the way of every commit for the sake of tests.
  package nonisolated(unsafe) static var current = Seams.honest
}
