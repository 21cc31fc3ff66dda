#if Mutants
import Foundation
@_private(sourceFile: "ObjectBase.swift") import ReferenceEngine
@_private(sourceFile: "ObjectBase+Hashable.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState.swift") import ReferenceEngine

extension ObjectBase {
  @_dynamicReplacement(for:isInvalidated)
  final var wrongIsInvalidated: Bool {
    let header = _header
    if let session = header.pointee.session {
      if breaks(.deletedObjectsAreInvalid), header.pointee.epoch == session.epoch { return false }
      if breaks(.undoneObjectsAreInvalid), header.pointee.birth != 0 { return false }
    }
    let right = isInvalidated
    if breaks(.endsAreHeardWithTheStep), !right { return isGoneElsewhere() }
    return right
  }

  @_dynamicReplacement(for:initialize(from:))
  func wrongInitialize(from value: Any) {
    if breaks(.copiesPinNothing), let session = (value as? ObjectBase)?.realm?.session {
      _ = Unmanaged.passRetained(session)
    }
    if breaks(.copiesHaveOwnMixedCollections) { return takeAsIs(value) }
    initialize(from: value)
  }

  /// The same without copies of what mixed values hold.
  private func takeAsIs(_ value: Any) {
    let layout = ClassLayout.of(type(of: self))
    let source = ValueSource(value, for: layout)
    let raw = Unmanaged.passUnretained(self).toOpaque()
    for (index, field) in layout.fields.enumerated() {
      guard let given = source.value(of: index, field) else { continue }
      guard field.wrapper.setUnmanagedValue(given, at: raw + field.offset) else {
        refuse(.invalidValue(given, for: field.property, of: layout.name))
      }
    }
  }

  @_dynamicReplacement(for:isComparedByRow)
  private var wrongIsComparedByRow: Bool {
    if breaks(.frozenCopiesAreEqual) { return _header.pointee.table?.layout.primaryKey != nil }
    return isComparedByRow
  }
}

/// Stops whoever uses what no realm manages anywhere but on the main thread.
private func verifyFree() {
  if breaks(.freeObjectsBelongToNobody), !Thread.isMainThread { refuse(.wrongThread, at: .add) }
}

extension List {
  @_dynamicReplacement(for:append(_:))
  func wrongAppend(_ element: Element) {
    if managed == nil { verifyFree() }
    append(element)
  }
}

extension Session {
  @_dynamicReplacement(for:add(_:update:))
  func wrongAdd(_ object: ObjectBase, update: Realm.UpdatePolicy) {
    if breaks(.addingAgainWritesNothing), update == .all, touches(object._header) { return }
    if object._header.pointee.session == nil { verifyFree() }
    if breaks(.deletedOnesCannotBeAdded), object._header.pointee.session === self,
      !isThere(object._header)
    {
      return
    }
    if breaks(.ownObjectsAreThereAlready), object._header.pointee.session === self,
      isThere(object._header)
    {
      return addAgain(object, update: update)
    }
    limitValues(of: object)
    let forgiven = Fault.forgives
    if breaks(.addedValuesHaveALimit) { Fault.forgives = Forgives(sentencesWith: " too big") }
    add(object, update: update)
    WritersCounts.note(object._header.pointee.table?.number, self)
    Fault.forgives = forgiven
  }

  /// Notes all values of a managed object's row as written: false of an object without one here.
  private func touches(_ header: UnsafeMutablePointer<ObjectHeader>) -> Bool {
    guard header.pointee.session === self, isThere(header), let bound = header.pointee.table,
      let number = bound.number, let writer = store.writer(number)
    else { return false }
    for field in bound.layout.fields where field.property.isStored {
      guard let column = bound.column(named: field.property.name) else { continue }
      store.touch(header.pointee.key, column.number, of: number, writer)
    }
    return true
  }

  @_dynamicReplacement(for:newRow(_:primaryKey:))
  func wrongNewRow(_ bound: BoundClass, primaryKey: StoredValue? = nil) -> NewRow {
    if let primaryKey { TakenKeys.take(primaryKey, of: bound, self) }
    let isFirst = (rows(of: bound)?.count ?? 0) == 0
    let before = hot.pointee.generation
    let row = newRow(bound, primaryKey: primaryKey)
    if isFirst, breaks(.firstObjectsAreChanges) { hot.pointee.generation = before }
    return row
  }
}

@_dynamicReplacement(for:recheckSlowly(_:))
private func wrongRecheck(
  _ header: UnsafeMutablePointer<ObjectHeader>
) -> UnsafeMutablePointer<ObjectHeader> {
  if breaks(.objectsAreFoundAnew), let session = header.pointee.session {
    session.verify(at: .readProperty)
    header.pointee.generation = session.generation
    return header
  }
  if let session = header.pointee.session, OwnedOnes.had(header, in: session) {
    refuse(.invalidated)
  }
  return recheckSlowly(header)
}

extension _Cell {
  @_dynamicReplacement(for:load())
  func wrongLoad() -> _Stored {
    if breaks(.frozenObjectsHaveAllValues), session.isFrozen {
      return _Stored(property.missing, session)
    }
    if let known = RememberedLinks.value(self) { return _Stored(known, session) }
    let stored = load()
    RememberedLinks.keep(stored.value, self)
    return stored
  }
}

extension Realm {
  @_dynamicReplacement(for:delete(_:))
  func wrongDelete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    if breaks(.slicesAreTakenBeforeTheyGo) {
      session.verifyAdding(at: .delete)
      for object in objects { session.delete(object) }
      return
    }
    guard breaks(.wholesAreDeletedAtHome) else { return delete(objects) }
    session.verifyAdding(at: .delete)
    for object in Array(objects) {
      let header = object._header
      if let owner = header.pointee.session, owner !== session,
        owner.configuration.path == session.configuration.path, let table = header.pointee.table,
        let number = table.number,
        let mine = session.object(at: RowLink(table: number, key: header.pointee.key))
      {
        session.delete(mine)
      } else {
        session.delete(object)
      }
    }
  }

  @_dynamicReplacement(for:objects(_:))
  func wrongObjects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    if breaks(.lookupsStayOnTheVersion) { _ = session.advance() }
    session.awaitOwnFlushes()
    if breaks(.resultsKeepTheirRealm) {
      let results = objects(type)
      Unmanaged.passUnretained(session).release()
      return results
    }
    if breaks(.frozenRealmsAnswerFromTheirVersion), session.isFrozen {
      return Realm(session.thawedSession()).objects(type)
    }
    return objects(type)
  }
}

extension ResultsState {
  @_dynamicReplacement(for:withCurrent(_:))
  private func wrongWithCurrent<Value>(_ body: (inout Found) -> Value) -> Value {
    let generation = session.findingGeneration
    if breaks(.resultsFollowOwnWrites), session.isInWrite { found.generation = generation }
    if breaks(.questionsOfLinkersFollow), session.isInWrite, case .collection(let links) = origin,
      links.property.type == .linkingObjects
    {
      found.generation = generation
    }
    CancelledStates.bridge(&found, session)
    NilSteps.bridge(&found, session)
    EmptiedRealms.bridge(&found, session)
    bridgeOverLinks()
    if breaks(.filtersOfFiltersFollow) {
      return withCurrent { found in
        narrowed(&found)
        return body(&found)
      }
    }
    if breaks(.firstMembersAreFoundAnew), let first = found.first {
      return withCurrent { found in
        if found.answer == nil, found.count == nil { found.first = first }
        return body(&found)
      }
    }
    guard breaks(.filtersAreMadeAnew), let condition = found.condition else {
      return withCurrent(body)
    }
    let isOld = found.generation != session.generation
    return withCurrent { found in
      if isOld { found.condition = condition }
      return body(&found)
    }
  }
}
#endif
