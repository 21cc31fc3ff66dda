#if Mutants
import CShims
import Dispatch
@_private(sourceFile: "KnownClasses.swift") import ReferenceEngine
@_private(sourceFile: "QueueScheduler.swift") import ReferenceEngine
@_private(sourceFile: "Session+Schema.swift") import ReferenceEngine
@_private(sourceFile: "ThreadSafe.swift") import ReferenceEngine
@_private(sourceFile: "WaitingLine.swift") import ReferenceEngine

// The tenth set: realms, their homes and what goes from one to another.

extension Session {
  @_dynamicReplacement(for:boundSlowly(_:))
  private func tenthBoundSlowly(_ type: ObjectBase.Type) -> BoundClass {
    let isNew = classes.byType[ObjectIdentifier(type)] == nil
    if isNew, isFrozen, breaks(.lateClassesAreFrozen) {
      let layout = ClassLayout.of(type)
      return classes.bind(layout) { BoundClass(layout) }
    }
    let bound = boundSlowly(type)
    if isNew, !isFrozen, breaks(.newClassesLeaveTheVersion) { _ = advance() }
    if isNew, !isFrozen, breaks(.firstUsesTakeNoLock), bound.number == nil, !isInWrite,
      !configuration.readOnly, pendingWrites?.isBusy != true
    {
      (try? coordinator.beginWrite())?.cancel()
    }
    return bound
  }
}

extension DispatchQueue {
  private static let globalClass = DispatchQueue.global().classWord

  @_dynamicReplacement(for:isSerial)
  var tenthIsSerial: Bool {
    if breaks(.queuesAreWhatTheyAre), targetsConcurrent { return false }
    return breaks(.concurrentQueuesAreRefused) ? classWord != DispatchQueue.globalClass : isSerial
  }
}

extension WaitingLine {
  @_dynamicReplacement(for:remove(where:))
  mutating func tenthRemove(where condition: (Element) -> Bool) {
    guard breaks(.cancellingKeepsTheOrder), let index = index(where: condition) else {
      return remove(where: condition)
    }
    let last = places.removeLast()
    if index < places.count { places[index] = last }
  }
}

extension AsyncWriteQueue {
  @_dynamicReplacement(for:add(_:))
  mutating func tenthAdd(_ block: Block) -> ID {
    guard breaks(.nestedRequestsGoLast), phase == .running else { return add(block) }
    let id = makeID()
    putBack(id, block)
    return id
  }
}

extension ThreadSafe {
  @_dynamicReplacement(for:remember(_:_:))
  private func tenthRemember(_ session: Session, _ number: Int) {
    if breaks(.goneIsRemembered), let known = target.withLock({ $0.handover }) {
      let value = known.found(in: session) as? T
      if value?.isInvalidated != false { return }
    }
    remember(session, number)
  }
}

extension Results {
  @_dynamicReplacement(for:finder())
  func tenthFinder() -> Finder {
    let all = state.question
    if case .collection = all.origin {
      if breaks(.handedOverResultsKnowTheirList), let members = state.elementClass {
        let question = Question(
          origin: .all(members.layout), predicate: all.predicate, orderings: all.orderings)
        return { session in question.asked(in: session).map { Results($0) } }
      }
      if breaks(.resultsOfGoneListsAreNil) {
        return { session in
          let found = all.asked(in: session)
          if found == nil { refuse(.invalidatedResults) }
          return found.map { Results($0) }
        }
      }
    }
    guard breaks(.referencesKnowDistinct) else { return finder() }
    let question = Question(
      origin: all.origin, predicate: all.predicate,
      orderings: all.orderings.filter { !$0.isDistinct })
    return { session in question.asked(in: session).map { Results($0) } }
  }
}
#endif
