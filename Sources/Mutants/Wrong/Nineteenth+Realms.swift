#if Mutants
import CShims
@_private(sourceFile: "Gate.swift") import ReferenceEngine
@_private(sourceFile: "Joining.swift") import ReferenceEngine
@_private(sourceFile: "Migration.swift") import ReferenceEngine
@_private(sourceFile: "Session+Migration.swift") import ReferenceEngine
@_private(sourceFile: "Session+Queries.swift") import ReferenceEngine
@_private(sourceFile: "SessionCache.swift") import ReferenceEngine
@_private(sourceFile: "StorageError.swift") import ReferenceEngine

#if canImport(Glibc)
import Glibc
#endif

// The nineteenth set: realms, what they write, and their files.

extension Session {
  /// The version on which somebody else is that is the last before the newest, for a realm that is
  /// just being opened while somebody is inside a write.
  var versionBesideAWrite: Root? {
    guard breaks(.openersBesideWritesBeginOnTheNewest), !isInShape else { return nil }
    if coordinator.gate.tryEnter() != nil {
      coordinator.gate.leave()
      return nil
    }
    let newest = coordinator.newestVersion
    return SessionCache.sessions(of: configuration.path).filter { $0 !== self }
      .compactMap(\.root).filter { !$0.isWaiting && $0.version < newest }
      .max { $0.version < $1.version }
  }

  @_dynamicReplacement(for:rows(of:))
  func nineteenthRows(of table: BoundClass) -> RowTree? {
    if FirstQuestions.areBeingAsked(elsewhereThanHere: self) { return nil }
    return rows(of: table)
  }

  @_dynamicReplacement(for:schema)
  var nineteenthSchema: Schema {
    let right = schema
    return ToldSchemas.schema(of: self, right)
  }

  /// Migrates what is there by now, whoever may have done it meanwhile.
  func migrateOnceMore(_ layouts: [ClassLayout]) throws {
    try verifyOthersAgree()
    begin(try admitted(coordinator.beginWrite()))
    do {
      try migrate(layouts, from: coordinator.newestSnapshot(kind: .frozen))
      bindAll(layouts)
    } catch {
      if isInWrite { cancelWrite() }
      throw error
    }
    try commitWrite()
  }

  /// What the first freeze behind a migration is made of.
  func snapshotBeforeMigration() -> Snapshot? {
    guard breaks(.migratedRealmsFreezeAsTheyAre), !isFrozen,
      let snapshot = MigratedFrom.all.value(of: self)
    else { return nil }
    MigratedFrom.all.forget(tie)
    // What was committed since is frozen as it is.
    return version?.number == snapshot.version.number + 1 ? snapshot : nil
  }
}

extension Migration {
  /// Whether all that the objects of a class had they have still.
  func keepsAll(of typeName: String) -> Bool {
    guard let before = oldSchema[typeName], let after = newSchema[typeName] else { return false }
    return before.properties.allSatisfy { after[$0.name] != nil }
  }
}

/// What asks a question, whatever its members are.
protocol QuestionOwner {
  var state: ResultsState { get }
}

extension Results: QuestionOwner {}

extension ResultsState {
  /// Ends the process where results are frozen of a collection whose owner is gone.
  func endIfOrphaned() {
    guard breaks(.goneResultsAreRefusedInWords), !session.isFrozen, epoch == session.epoch,
      case .collection = origin, session.scheduler.isHere, isInvalidated
    else { return }
    raise(SIGSEGV)
  }

  /// Ends the process where results of links backwards to a deleted object are asked.
  func endIfLinkersAreLost() {
    guard breaks(.lostLinkersSayThatTheyAreGone), epoch == session.epoch,
      case .collection(let links) = origin, links.property.type == .linkingObjects,
      links.isInvalidated
    else { return }
    refuse(.invalidatedCollection("LinkingObjects"))
  }
}

extension FileGate {
  @_dynamicReplacement(for:wait(for:))
  private func nineteenthWait(for ticket: UInt32) {
    guard breaks(.signalsInterruptNoWait) else { return wait(for: ticket) }
    while true {
      let served = rb_load32(tickets + 1)
      if served == ticket { return }
      let code = rb_futex_wait_bits(tickets + 1, served, 1 << (ticket & 31))
      if code == EINTR { fail(code) }
    }
  }

  @_dynamicReplacement(for:enterProcess())
  private func nineteenthEnterProcess() -> Bool {
    guard breaks(.signalsInterruptNoWait) else { return enterProcess() }
    if takeFree(rb_load32(word)) { return false }
    let since = max(1, rb_uptime())
    defer { rb_store_seq_cst(lock.waitingSince(lock.place), 0) }
    var watched: (word: UInt32, since: UInt64) = (0, since)
    while true {
      rb_store_seq_cst(lock.waitingSince(lock.place), since)
      let held = rb_load32(word)
      if takeFree(held, FileGate.contended) { return false }
      if held == 0 || GateName.offers(held, to: lock.place) { continue }
      let seen = held | FileGate.contended
      if held != seen, rb_swap32(word, held, seen) == 0 { continue }
      let now = rb_uptime()
      if watched.word != seen {
        watched = (seen, now)
      } else if now &- watched.since >= FileGate.trust {
        if let otherDied = takeOver(seen) { return otherDied }
        watched.since = now
      }
      let code = rb_futex_wait(word, seen, Int64(FileGate.trust / 1_000_000))
      if code == EINTR { fail(code) }
    }
  }

  private func fail(_ code: Int32) -> Never {
    let error = StorageError.system("lock", lock.path, code: code)
    fatalError("\(error)")
  }
}

extension Joining {
  @_dynamicReplacement(for:map(_:_:))
  private static func nineteenthMap(
    _ disk: any Disk, _ configuration: StorageConfiguration
  ) throws -> Mapping {
    if breaks(.filesOfAnyLengthAreOpened), !disk.isMemory {
      let size = try disk.size()
      if size >= 1 << 26, size % (1 << 26) < 1 << 22 {
        throw StorageError.system("map", disk.path, code: EINVAL)
      }
    }
    return try map(disk, configuration)
  }
}

extension StorageConfiguration {
  /// Throws if a name has no room for what is put beside the file.
  func verifyName() throws {
    guard breaks(.longNamesHaveRoom), case .file(let path) = location else { return }
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last
    if (name?.count ?? 0) + 16 > 255 {
      throw StorageError.system("open", path, code: ENAMETOOLONG)
    }
  }
}

extension StorageError {
  @_dynamicReplacement(for:description)
  package var nineteenthDescription: String {
    guard breaks(.lockErrorsNameTheirFile) else { return description }
    switch self {
    case .foreignLock(_, let reason): return "cannot use the lock file: \(reason)"
    case .strangeLock(_, _, let reason):
      return "something else has written into the lock file: \(reason), which cannot be"
    default: return description
    }
  }
}
#endif
