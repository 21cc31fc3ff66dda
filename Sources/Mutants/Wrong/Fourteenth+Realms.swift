#if Mutants
import CShims
import Dispatch
import Foundation
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "Gate.swift") import ReferenceEngine
@_private(sourceFile: "PosixDisk.swift") import ReferenceEngine
@_private(sourceFile: "QueueScheduler.swift") import ReferenceEngine
@_private(sourceFile: "Session+Migration.swift") import ReferenceEngine
@_private(sourceFile: "SessionCache.swift") import ReferenceEngine

// The fourteenth set: realms, their homes and their files.

extension Session {
  /// Throws if others write for longer than two seconds.
  func waitForShortWrites() throws {
    guard breaks(.beginsWaitForTheirTurn), !isInWrite, !isFrozen, !configuration.readOnly,
      pendingWrites?.isBusy != true
    else { return }
    let deadline = ContinuousClock.now + .seconds(2)
    while true {
      if coordinator.gate.tryEnter() != nil { return coordinator.gate.leave() }
      // Whoever is let in after a process that has died need not wait.
      if (coordinator.gate as? FileGate)?.isHeldByTheDead == true { return }
      if ContinuousClock.now > deadline { break }
      usleep(1000)
    }
    throw StorageError.failed(
      path: coordinator.path, operation: "begin a write to",
      reason: "another one has been under way for two seconds", code: EBUSY)
  }

  /// Commits what a write has done when it has added many objects, and goes on.
  func commitLargePart() {
    guard breaks(.largeWritesAreOneCommit), let write,
      pendingWrites?.machine.isRunning != true,
      AddedOnes.count(in: write.version, of: self) >= 10_000
    else { return }
    try? commitWrite()
    beginWrite()
  }

  @_dynamicReplacement(for:migrate(_:from:))
  private func fourteenthMigrate(_ layouts: [ClassLayout], from snapshot: Snapshot) throws {
    if breaks(.migrationsAreOneCommit) { return try migrateInTwo(layouts, from: snapshot) }
    try migrate(layouts, from: snapshot)
    if breaks(.migrationsLetGo) || breaks(.migratedRealmsFreezeAsTheyAre) {
      MigratedFrom.all.keep(snapshot, of: self)
    }
  }

  /// Whether whoever asks is let through because nobody can be at home any more.
  func isLeftByTheDead() -> Bool {
    guard breaks(.theDeadAreNobodysHosts), !scheduler.isAlive else { return false }
    // It has ended with the thread.
    hot.pointee.clock = nil
    return true
  }
}

extension Realm {
  @_dynamicReplacement(for:create(_:value:update:))
  @discardableResult
  public func fourteenthCreate<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T {
    let object = create(type, value: value, update: update)
    session.commitLargePart()
    return object
  }
}

extension DispatchQueue {
  private static let concurrentClass =
    DispatchQueue(label: "concurrent", attributes: .concurrent).classWord
  private static let globals: [UInt] =
    [.background, .utility, .default, .userInitiated, .userInteractive, .unspecified].map {
      DispatchQueue.global(qos: $0).address
    }

  /// Whether blocks of the queue that it targets may run side by side.
  var targetsConcurrent: Bool {
    // Behind the class, the counts and the next in a line.
    guard !isMain, let queue = UnsafeRawPointer(bitPattern: address) else { return false }
    let target = queue.load(fromByteOffset: 24, as: UInt.self)
    if DispatchQueue.globals.contains(target) { return true }
    guard let place = UnsafeRawPointer(bitPattern: target) else { return false }
    return place.load(as: UInt.self) == DispatchQueue.concurrentClass
  }
}

extension PosixDisk {
  @_dynamicReplacement(for:close())
  package func fourteenthClose() {
    close()
    ClosingFiles.end(path)
    if breaks(.lockedUntilTheWriteEnds), !isMemory { SessionCache.leaveGates(of: path) }
  }
}

extension SessionCache {
  /// Lets other processes in, whoever of this one is inside the gate of a file.
  fileprivate static func leaveGates(of path: String) {
    let sessions = known.withLock { $0.places.all.flatMap(\.value.values) }.compactMap(\.session)
    for session in sessions where session.coordinator.path == path {
      (session.coordinator.gate as? FileGate)?.leaveToProcesses()
    }
  }
}

extension FileGate {
  fileprivate var isHeldByTheDead: Bool {
    let held = rb_load32(word)
    let name = GateName(held)
    return held & ~FileGate.contended != mine && !name.isOffer && LockFile.isPlace(name.place)
      && !lock.lives(name)
  }

  fileprivate func leaveToProcesses() {
    let held = rb_load32(word)
    guard held & ~FileGate.contended == mine, rb_swap32(word, held, 0) != 0 else { return }
    rb_futex_wake(word, Int32.max)
  }
}
#endif
