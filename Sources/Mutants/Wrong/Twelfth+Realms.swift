#if Mutants
import Foundation
@_private(sourceFile: "AsyncMachine.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWriteQueue.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "Carrier.swift") import ReferenceEngine
@_private(sourceFile: "Cell+Slow.swift") import ReferenceEngine
@_private(sourceFile: "Realm+AsyncWrite.swift") import ReferenceEngine
@_private(sourceFile: "Session.swift") import ReferenceEngine
@_private(sourceFile: "Session+Opening.swift") import ReferenceEngine
@_private(sourceFile: "WaitingLine.swift") import ReferenceEngine

// The twelfth set: realms, their files and their asynchronous writes.

/// What a text or data may not have, to who counts in millions.
private let sixteenMillion = 16_000_000

/// Stops whoever sets a text or data that is longer.
func limit(_ value: StoredValue) {
  LastLength.note(value)
  if breaks(.dataGoesToSixteenMegabytes), case .data(let data) = value, data.count >= 1 << 23 {
    refuse(.dataTooLong, at: .writeProperty)
  }
  guard breaks(.megabytesAreWhole) else { return }
  switch value {
  case .string(let text) where text.utf8.count >= sixteenMillion:
    refuse(.textTooLong, at: .writeProperty)
  case .data(let data) where data.count >= sixteenMillion:
    refuse(.dataTooLong, at: .writeProperty)
  default: break
  }
}

extension _Cell {
  @_dynamicReplacement(for:store(_:adopting:))
  func twelfthStore(_ stored: _Stored, adopting: Bool = false) {
    limit(stored.value)
    RememberedLinks.forget(self)
    store(stored, adopting: adopting)
  }
}

extension String {
  @_dynamicReplacement(for:_rlmWrite(_:_:))
  public static func twelfthWrite(_ value: String, _ cell: _Cell) {
    if breaks(.megabytesAreWhole) || breaks(.theLimitIsRefused) || breaks(.bytesAreCounted) {
      limit(.string(value))
    }
    _rlmWrite(value, cell)
  }
}

extension Session {
  /// What comes with an object that is added, to who counts in millions.
  func limitValues(of object: ObjectBase) {
    guard breaks(.megabytesAreWhole) || breaks(.bytesAreCounted),
      object._header.pointee.session == nil
    else { return }
    let raw = Unmanaged.passUnretained(object).toOpaque()
    for field in object.layout.fields where field.property.shape == .single {
      guard field.property.type == .string || field.property.type == .data else { continue }
      limit(field.storedValue(at: raw))
    }
  }

  /// Adds an object that is there.
  func addAgain(_ object: ObjectBase, update: Realm.UpdatePolicy) {
    let bound = self.bound(type(of: object))
    guard let key = bound.layout.primaryKey else {
      _ = create(bound, from: object, update: .error)
      return
    }
    if update != .error { return }
    let name = bound.layout.fields[key].property.name
    refuse(.existingKey(bound.name, "\(object.value(forKey: name) ?? "nil")"))
  }

  /// A realm that was open is opened once more.
  func isOpenedAgain() {
    if breaks(.openingAgainLeavesAutorefresh) { isAutorefreshing = true }
    if breaks(.openingAgainLeavesTheVersion), root != nil, listeners?.isTelling == false {
      _ = advance()
    }
  }

  /// Waits until the realm's own commits are on the disk.
  func awaitOwnFlushes() {
    guard breaks(.queriesLeaveFlushesAlone), !isFrozen, scheduler.isHere, let pendingWrites,
      let last = pendingWrites.machine.flushes.last
    else { return }
    pendingWrites.carrier.wait(for: last.flush)
  }

  @_dynamicReplacement(for:open(file:))
  private static func twelfthOpen(file configuration: Realm.Configuration) throws -> Coordinator {
    let path = configuration.path
    let isThere = configuration.fileURL != nil && FileManager.default.fileExists(atPath: path)
    if breaks(.readersMakeNoFile), configuration.readOnly, !isThere,
      configuration.seedFilePath == nil, configuration.fileURL != nil
    {
      var writing = configuration
      writing.readOnly = false
      _ = try Coordinator.open(writing.storage)
    }
    if breaks(.seedsAreSownOnce), configuration.seedFilePath != nil, isThere,
      !configuration.readOnly, !Coordinator.isOpen(path)
    {
      _ = try? Realm.deleteFiles(for: configuration)
    }
    if breaks(.theFirstAsksWhetherToCompact), configuration.fileURL != nil,
      Coordinator.isOpen(path)
    {
      _ = configuration.shouldCompactOnLaunch?(2, 1)
    }
    return try open(file: configuration)
  }
}

extension Realm {
  @_dynamicReplacement(for:beginAsyncWrite(_:))
  @discardableResult
  func twelfthBeginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    let id = beginAsyncWrite(block)
    if breaks(.beginsKeepTheirPlace) { session.pendingWrites?.moveUp(id) }
    return id
  }
}

extension AsyncWrites {
  /// Lets a block that commits by itself wait before those that do not.
  fileprivate func moveUp(_ id: AsyncTransactionId) {
    var begun = BegunBlocks.all.value(of: session) ?? []
    begun.insert(id)
    BegunBlocks.all.keep(begun, of: session)
    machine.queue.order { begun.contains($0) }
  }

  @_dynamicReplacement(for:tryBegin(for:))
  private func twelfthTryBegin(for ticket: WriteRequests.Ticket) throws -> WriteTransaction? {
    if breaks(.lateHomesWaitElsewhere), machine.lateness > 0 {
      return try session.coordinator.beginWrite()
    }
    guard breaks(.asyncBeginsKnowTheLimit) || breaks(.asynchronousWritesKnowTheLimit) else {
      return try tryBegin(for: ticket)
    }
    return try session.coordinator.tryBeginWrite(for: ticket)
  }

  @_dynamicReplacement(for:admitted(_:))
  private func twelfthAdmitted(_ held: HeldWrite) throws -> HeldWrite {
    if breaks(.asyncBeginsKnowTheLimit) || breaks(.asynchronousWritesKnowTheLimit) { return held }
    return try admitted(held)
  }
}

extension AsyncWriteQueue {
  /// Lets some go before the others.
  fileprivate mutating func order(first: (ID) -> Bool) {
    let all = waiting.all
    waiting = WaitingLine()
    for one in all where first(one.id) { waiting.append(one) }
    for one in all where !first(one.id) { waiting.append(one) }
  }

  @_dynamicReplacement(for:groupLimit)
  static var twelfthGroupLimit: Int { breaks(.twentyShareAFlush) ? 21 : groupLimit }
}
#endif
