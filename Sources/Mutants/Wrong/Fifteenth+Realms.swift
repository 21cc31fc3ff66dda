#if Mutants
import CShims
import Dispatch
@_private(sourceFile: "Carrier.swift") import ReferenceEngine
@_private(sourceFile: "GateWait.swift") import ReferenceEngine
@_private(sourceFile: "PinTable.swift") import ReferenceEngine
@_private(sourceFile: "Session+Opening.swift") import ReferenceEngine

// The fifteenth set: realms, their homes and their files.

extension Realm {
  @_dynamicReplacement(for:delete(_:))
  func fifteenthDelete<Element: ObjectBase>(_ objects: Results<Element>) {
    let isHere = !session.isFrozen && session.scheduler.isHere
    if breaks(.deletingNothingNeedsAWrite), isHere, !session.isInWrite,
      objects.state.session === session, objects.isEmpty
    {
      return
    }
    if breaks(.foundIsDeletedAtHome), isHere, session.isInWrite,
      objects.state.session !== session, let own = objects.state.question.asked(in: session)
    {
      return own.deleteAll(in: session)
    }
    delete(objects)
  }

  @_dynamicReplacement(for:init(queue:))
  init(fifteenth queue: DispatchQueue? = nil) throws {
    if breaks(.queuesOpenTheDefault), queue != nil {
      try self.init(configuration: FirstDefault.configuration, queue: queue)
    } else {
      try self.init(queue: queue)
    }
  }
}

/// The default configuration when the first realm was opened for a queue.
private enum FirstDefault {
  static let configuration = Realm.Configuration.defaultConfiguration
}

/// Realms whose listeners are just told of their commits.
enum UntoldWrites {
  static let all = OfEachRealm<Bool>()
}

/// The embedded rows that went with their owners, each with the state in which they did.
enum OwnedOnes {
  private static let all = OfEachRealm<[RowLink: UInt32]>()

  static func note(_ row: RowLink, in session: Session) {
    guard breaks(.ownedObjectsComeBack) else { return }
    var rows = all.value(of: session) ?? [:]
    rows[row] = session.generation
    all.keep(rows, of: session)
  }

  /// Whether an object was found before its row went.
  static func had(_ header: UnsafeMutablePointer<ObjectHeader>, in session: Session) -> Bool {
    guard breaks(.ownedObjectsComeBack), let table = header.pointee.table?.number,
      let time = all.value(of: session)?[RowLink(table: table, key: header.pointee.key)]
    else { return false }
    return !header.pointee.generation.isLater(than: time)
  }
}

extension Session {
  @_dynamicReplacement(for:isThere(_:))
  func fifteenthIsThere(_ header: UnsafeMutablePointer<ObjectHeader>) -> Bool {
    OwnedOnes.had(header, in: self) ? false : isThere(header)
  }

  @_dynamicReplacement(for:link(to:owning:adopting:))
  func fifteenthLink(to object: ObjectBase, owning: Bool, adopting: Bool = false) -> RowLink {
    let header = object._header
    if breaks(.strangersStayStrangers), !owning, copies == nil,
      let owner = header.pointee.session, owner !== self, !owner.isFrozen,
      let layout = header.pointee.table?.layout, layout.keyIsRow,
      let own = bound(like: layout).number, store.locate(header.pointee.key, of: own) != nil
    {
      return RowLink(table: own, key: header.pointee.key)
    }
    return link(to: object, owning: owning, adopting: adopting)
  }

  @_dynamicReplacement(for:verifySameSettings(_:))
  private func fifteenthVerifySameSettings(_ other: Realm.Configuration) {
    if breaks(.settingsAgree), other.readOnly, !configuration.readOnly { return }
    verifySameSettings(other)
  }
}

extension Carrier {
  @_dynamicReplacement(for:carry(_:))
  func fifteenthCarry(_ flush: Flush) {
    guard breaks(.flushesKeepTheirRealm) else { return carry(flush) }
    let (coordinator, scheduler, tie) = (session.coordinator, session.scheduler, session.tie)
    disk.run {
      flush.run(at: coordinator)
      scheduler.run { tie.session?.asyncWrites.finish(through: flush) }
    }
  }

  @_dynamicReplacement(for:carryApart(_:))
  private func fifteenthCarryApart(_ flush: Flush) {
    if breaks(.spareFlushesEndAtHome) {
      let (coordinator, home) = (session.coordinator, Handed(session))
      return spare.run {
        flush.run(at: coordinator)
        home.value.asyncWrites.finish(through: flush)
      }
    }
    guard breaks(.spareThreadsCarry) else { return carryApart(flush) }
    let (coordinator, wayHome) = (session.coordinator, WayHome(to: session))
    disk.run {
      flush.run(at: coordinator)
      wayHome.take { $0.finish(through: flush) }
    }
  }
}

extension GateWait {
  private static let one = QueueErrands("realm.gates")

  @_dynamicReplacement(for:start(at:for:on:_:))
  func fifteenthStart(
    at coordinator: Coordinator, for ticket: WriteRequests.Ticket, on errands: any Errands,
    _ then: @escaping @Sendable () -> Void
  ) {
    let errands: any Errands = breaks(.filesAreWaitedForApart) ? GateWait.one : errands
    start(at: coordinator, for: ticket, on: errands, then)
  }
}

extension PinTable {
  @_dynamicReplacement(for:release(_:))
  func fifteenthRelease(_ place: PinPlace) {
    if breaks(.pinsAreLetGoAnywhere), place.kind == .live, place.thread != rb_thread_id() {
      return
    }
    release(place)
  }
}

extension Aside {
  @_dynamicReplacement(for:put(_:at:_:replace:fill:named:))
  static func fifteenthPut(
    _ disk: any Disk, at path: String, _ moments: any Moments, replace: Bool,
    fill: (any Disk) throws -> Void, named: () -> Void = {}
  ) throws {
    if breaks(.failedCopiesAreDropped) {
      return try put(
        disk, at: path, moments, replace: replace, fill: { try? fill($0) }, named: named)
    }
    if breaks(.newFilesAreNamedWhole), !replace {
      return try putEmpty(disk, at: path, moments, fill: fill, named: named)
    }
    guard breaks(.namesAreFlushed) else {
      return try put(disk, at: path, moments, replace: replace, fill: fill, named: named)
    }
    try fill(disk)
    moments.reach(.copyFlushed)
    try disk.rename(to: path, replace: replace)
    named()
    moments.reach(.copyNamed)
  }
}

/// What variables had before they were assigned anew.
enum FormerValues {
  private static let all = OfEachVariable<[Handover]>()

  static func keep(_ handover: Handover?, of variable: AnyObject) {
    guard breaks(.variablesLetGo), let handover else { return }
    all.keep((all.value(of: variable) ?? []) + [handover], of: variable)
  }
}
#endif
