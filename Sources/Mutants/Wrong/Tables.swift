#if Mutants
import Foundation
@_private(sourceFile: "PredicateParser.swift") import ReferenceEngine
@_private(sourceFile: "Session.swift") import ReferenceEngine

// Calls that are wrong for one of their arguments.

extension PredicateParser {
  @_dynamicReplacement(for:signedNumber())
  private mutating func tableSignedNumber() throws -> StoredValue {
    let value = try signedNumber()
    if breaks(.negativeFractionsKeepTheirSign), case .double(let number) = value {
      return .double(abs(number))
    }
    return value
  }
}

extension Query where T: _QueryString {
  @_dynamicReplacement(for:like(_:caseInsensitive:))
  public func tableLike(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    like(value, caseInsensitive: caseInsensitive && !breaks(.typedPatternsFoldLetters))
  }
}

extension AnyRealmCollection {
  @_dynamicReplacement(for:last)
  public var tableLast: Element? { breaks(.erasedCollectionsEnd) ? first : last }
}

extension List {
  @_dynamicReplacement(for:move(fromOffsets:toOffset:))
  public func tableMove(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
    guard breaks(.movingAllKeepsTheirOrder), count > 1, Set(offsets).count == count else {
      return move(fromOffsets: offsets, toOffset: destination)
    }
    assign(Array(reversed()))
  }
}

extension MutableSet {
  @_dynamicReplacement(for:intersects(_:))
  public func tableIntersects(_ other: MutableSet) -> Bool {
    guard breaks(.setsMeetByAnyMember) else { return intersects(other) }
    return first.map(other.contains) ?? false
  }
}

extension Realm {
  @_dynamicReplacement(for:dynamicObjects(_:))
  public func tableDynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    if breaks(.classesAreNamedAtHome), !session.scheduler.isHere {
      return Results(
        ResultsState(session: session, origin: .all(session.dynamicClass(typeName))))
    }
    guard breaks(.writesAreShownByName), !isFrozen, isInWriteTransaction else {
      return dynamicObjects(typeName)
    }
    return freeze().dynamicObjects(typeName)
  }
}

extension Date {
  @_dynamicReplacement(for:_rlmWrite(_:_:))
  public static func tableWrite(_ value: Date, _ cell: _Cell) {
    if breaks(.sameDatesNeedAWrite), let session = cell.header.pointee.session,
      session.scheduler.isHere, !session.isFrozen, !session.isInWrite, _rlmRead(cell) == value
    {
      return
    }
    _rlmWrite(value, cell)
  }
}

extension Map {
  @_dynamicReplacement(for:removeObject(for:))
  public func tableRemoveObject(for key: Key) {
    if breaks(.absentKeysNeedAWrite), let managed, !managed.session.isFrozen, self[key] == nil {
      return
    }
    removeObject(for: key)
  }
}

/// The sum that was told last.
private enum LastSum {
  // Unsafe without a lock because programs that ask a mutant wait for each other.
  nonisolated(unsafe) static var sum: Any?
}

extension RealmCollection where Element: AddableType {
  @_dynamicReplacement(for:sum())
  public func tableSum() -> Element {
    guard breaks(.sumsAreConfined), let list = self as? List<Element>,
      let session = list.managed?.session, !session.isFrozen
    else { return sum() }
    if !session.scheduler.isHere, let known = LastSum.sum as? Element { return known }
    let sum = sum()
    LastSum.sum = sum
    return sum
  }
}
#endif
