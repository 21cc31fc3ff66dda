/// Where the world enters the engine: every collaborator that a test may exchange.
///
/// Honest by default. Whoever opens a file carries what it was opened with (`Coordinator.seams`),
/// and everything below asks there.
package struct Seams: Sendable {
  package var moments: any Moments
  package var schedulers: any Schedulers
  /// Whether beginning a read reaches `pinStored`. Asking who listens would cost more than the
  /// read, so it has to be wanted.
  package var readersPause = false
  package var sharing = SharingLimits()

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

  /// What this process was given by the program's door, or by a test that runs alone: once, before
  /// any realm opens. It is asked where a file is opened, and where a realm is to live; nowhere
  /// else.
  // Unsafe without a lock because it is written only before any realm opens.
  package nonisolated(unsafe) static var given = Seams.honest
}
