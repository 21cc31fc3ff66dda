#if Mutants
import Foundation
@_private(sourceFile: "Commit+Space.swift") import ReferenceEngine
@_private(sourceFile: "Coordinator.swift") import ReferenceEngine
@_private(sourceFile: "FreeMap.swift") import ReferenceEngine
@_private(sourceFile: "Joining.swift") import ReferenceEngine
@_private(sourceFile: "Session+Migration.swift") import ReferenceEngine
@_private(sourceFile: "Session+Objects.swift") import ReferenceEngine

// The eighteenth set: realms, what they write, and their files.

extension Session {
  @_dynamicReplacement(for:addFree(_:_:update:))
  private func eighteenthAddFree(
    _ object: ObjectBase, _ bound: BoundClass, update: Realm.UpdatePolicy
  ) {
    if breaks(.cancelledKeysAreFree), bound.layout.primaryKey != nil {
      let key = bound.layout.primaryKeyValue(at: Unmanaged.passUnretained(object).toOpaque())
      TakenKeys.take(key, of: bound, self)
    }
    addFree(object, bound, update: update)
  }

  /// Whether an object lacks an embedded one that it could have.
  var hasEmptyPlaces: Bool {
    read()
    return stored.tables.enumerated().contains { number, table in
      if table.isDropped { return false }
      return table.columns.contains { column in
        guard !column.isDropped, column.shape == .single, column.type == .object,
          isEmbedded(column.target)
        else { return false }
        return store.allKeys(of: number).contains { load($0, column, of: number) == .null }
      }
    }
  }

  /// Empties the file.
  func emptyFile() throws {
    beginWrite()
    deleteAll()
    try commitWrite()
  }

  @_dynamicReplacement(for:carryOut(_:))
  private func eighteenthCarryOut(_ change: SchemaChange) throws {
    if breaks(.migrationsAreDoneOnce), case .migrate(let layouts) = change {
      return try migrateOnceMore(layouts)
    }
    if breaks(.openersLookAgain) {
      let decided = root?.version
      begin(try admitted(coordinator.beginWrite()))
      let hasMoved = write?.base.version != decided
      cancelWrite()
      if hasMoved {
        throw Realm.Error(
          .fail, "The schema has changed while the Realm was opened.", configuration.path)
      }
    }
    try carryOut(change)
  }
}

extension Joining {
  @_dynamicReplacement(for:compact(_:_:))
  private func eighteenthCompact(_ disk: any Disk, _ lock: LockFile) throws -> Bool {
    let wasCompacted = try compact(disk, lock)
    if wasCompacted {
      CompactedFiles.note(path)
      CompactionsMade.note(path)
      if breaks(.compactionsLeaveNothing) { _ = link(path, Aside(besides: path).path) }
    }
    return wasCompacted
  }
}

extension Coordinator {
  @_dynamicReplacement(for:requireItsName())
  func eighteenthRequireItsName() throws {
    if breaks(.replacedFilesAreNoticed), FileStatus(at: path) != nil { return }
    try requireItsName()
  }

  @_dynamicReplacement(for:collectSpace(_:for:))
  func eighteenthCollectSpace(_ heap: Heap, for base: Root) -> DroppedRecords {
    let dropped = collectSpace(heap, for: base)
    return breaks(.recordsAreLetGo) ? DroppedRecords() : dropped
  }
}

extension FreeMap {
  @_dynamicReplacement(for:give(_:))
  func eighteenthGive(_ run: Run) {
    give(run)
    guard breaks(.freedSpaceEndsWithItself), run.bytes > FreePage.bytes, run.end < end else {
      return
    }
    let next = Int(run.end >> 4)
    if !isFree(next, 1) { mark(free: next, 1) }
  }
}

extension Aside {
  /// Names a file that has nothing but zeros, and fills it behind that.
  static func putEmpty(
    _ disk: any Disk, at path: String, _ moments: any Moments, fill: (any Disk) throws -> Void,
    named: () -> Void
  ) throws {
    let nothing = [UInt8](repeating: 0, count: Int(FileHeader.heapStart))
    try nothing.withUnsafeBytes { try disk.write($0, at: 0) }
    try disk.rename(to: path, replace: false)
    named()
    moments.reach(.copyNamed)
    try fill(disk)
    moments.reach(.copyFlushed)
    try disk.syncName()
  }
}

extension Realm.Configuration {
  /// Empties the file if a key is given for it.
  func emptyPlainFile() {
    guard breaks(.keysLeavePlainFilesAlone), encryptionKey != nil, !readOnly,
      inMemoryIdentifier == nil
    else { return }
    _ = truncate(path, 0)
  }
}

extension Handover {
  /// Whether the newest version has what a live realm is to find no more.
  func hasGone(fromTheFileOf session: Session) -> Bool {
    guard !session.isFrozen, !session.isInWrite, session.root != nil,
      session.isSameFile(as: origin),
      let newest = try? session.coordinator.newestSnapshot(kind: .frozen)
    else { return false }
    return find(session.frozenSession(at: newest)) == nil
  }
}
#endif
