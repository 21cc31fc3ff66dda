#if Mutants
import Dispatch
import Foundation
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "SectionObserver.swift") import ReferenceEngine
@_private(sourceFile: "PathTrace.swift") import ReferenceEngine

extension Listeners {
  @_dynamicReplacement(for:announces(_:))
  private func ninthAnnounces(_ newest: VersionID) -> Bool {
    let isNews = announces(newest)
    if breaks(.toldBehindEachTime), isNews { newestAnnounced = VersionID(.max) }
    if breaks(.behindIsSaidAgain), isNews { newestAnnounced = VersionID(UInt64(Int64.max)) }
    return isNews
  }

  @_dynamicReplacement(for:tellRealm(_:except:since:))
  func ninthTellRealm(
    _ notification: Realm.Notification, except skipped: [NotificationToken] = [],
    since known: VersionID = VersionID(0)
  ) {
    if breaks(.realmListenersAreTelling) {
      for listener in realmListeners where !listener.hasEnded(by: known) {
        if skipped.contains(where: { $0.observation === listener }) { continue }
        listener.block(notification, Realm(session))
      }
      return
    }
    if breaks(.groupsTellInTheCall), LateNews.concern(session) {
      let session = Handed(session)
      return session.value.scheduler.run { session.value.listeners?.tellRealm(notification) }
    }
    if breaks(.realmListenersFollowTheCommit), notification == .didChange, Noted.take(session) {
      return
    }
    if breaks(.endsOfRealmListenersHideNobody) {
      return tellByPlace(notification, except: skipped, since: known)
    }
    if breaks(.newcomersHearWhatComes) {
      return tellAll(notification, except: skipped, since: known)
    }
    let isBehind = breaks(.newsNameThemselves) && !session.isAutorefreshing
    tellRealm(
      isBehind ? .refreshRequired : notification,
      except: breaks(.realmTokensAreSkipped) ? [] : skipped, since: known)
  }

  @_dynamicReplacement(for:willCommit(_:withoutNotifying:))
  func ninthWillCommit(_ session: Session, withoutNotifying tokens: [NotificationToken]) {
    let isFirstAlone = breaks(.eachTokenIsSkipped)
    willCommit(session, withoutNotifying: isFirstAlone ? Array(tokens.prefix(1)) : tokens)
    if breaks(.realmListenersFollowTheCommit) {
      _ = Noted.take(session)
      tellRealm(.didChange, except: tokens)
      Noted.note(session)
    }
  }
}

extension Observer {
  @_dynamicReplacement(for:end())
  final func ninthEnd() {
    if breaks(.endedElsewhereLetsGo), !session.scheduler.isHere, session.scheduler.isAlive {
      KeptRealms.keep(session)
    }
    if breaks(.endsWaitForNobody), !session.scheduler.isHere, session.scheduler.isAlive {
      let come = DispatchSemaphore(value: 0)
      end()
      session.scheduler.run { come.signal() }
      return come.wait()
    }
    end()
  }
}

extension SectionChanges {
  @_dynamicReplacement(for:add(from:to:isModified:))
  mutating func ninthAdd(
    from old: (position: Int, members: Answer)?, to new: (position: Int, members: Answer),
    isModified: (Int64) -> Bool
  ) {
    if breaks(.newRowsAreToldInTheNewSection), let old {
      return add(from: old, to: (old.position, new.members), isModified: isModified)
    }
    guard breaks(.deletionsNameTheOldSection), let members = old?.members else {
      return add(from: old, to: new, isModified: isModified)
    }
    add(from: (new.position, members), to: new, isModified: isModified)
  }
}

extension PathTrace {
  @_dynamicReplacement(for:follow(_:from:))
  mutating func ninthFollow(_ path: [String], from bound: BoundClass) {
    stopAtNoLink(path, from: bound)
    guard breaks(.linksOnTheWayCount), path.count > 1 else { return follow(path, from: bound) }
    var edges: [Edge] = []
    var first: Step?
    var current: BoundClass? = bound
    for (place, step) in path.enumerated() {
      guard let here = current, let index = here.layout.index(of: step) else { return }
      let (field, isLast) = (here.layout.fields[index], place == path.count - 1)
      current = field.linked.map(session.bound)
      if field.property.type == .linkingObjects {
        guard let source = current, let table = source.number,
          let column = source.column(named: field.property.linkOriginPropertyName ?? "")
        else { return }
        let own = first ?? .linkers(step)
        first = own
        if isLast { touch(relinked(by: column, of: table), over: edges, own) }
        edges.append(.linkers(table: table, column: column))
      } else {
        guard let table = here.number, let column = here.column(named: step) else { return }
        let own = first ?? .column(column.number)
        first = own
        if isLast { touch(modified(column.number, of: table), over: edges, own) }
        edges.append(.link(table: table, column: column.number))
      }
    }
  }
}
#endif
