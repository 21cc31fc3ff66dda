#if Mutants
import Foundation
@_private(sourceFile: "Decimal128.swift") import ReferenceEngine
@_private(sourceFile: "ListWriter.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "RowWalk.swift") import ReferenceEngine
@_private(sourceFile: "SectionedResults.swift") import ReferenceEngine

// The twentieth set: collections and loops over them.

extension RowWalk {
  @_dynamicReplacement(for:fill(from:))
  private func twentiethFill(from cluster: Cluster) {
    fill(from: cluster)
    if breaks(.loopsShowWhatIsThere) { state.pointee.generation = session.generation }
  }
}

extension SectionGrouping {
  /// The sections that were found last, if there are as many members as there were.
  func sectionsOfAsMany() -> (sections: [Section], places: Places)? {
    guard breaks(.sectionsFollowTheirKeys), let known = lock.withLock({ answer }),
      known.sections.reduce(0, { $0 + $1.positions.count }) == members.count
    else { return nil }
    return (known.sections, known.places)
  }
}

extension SectionedResults {
  @_dynamicReplacement(for:subscript(_:))
  subscript(twentieth indexPath: IndexPath) -> SectionElement {
    if breaks(.indexPathsNameTheSectionFirst) { return self[indexPath[1]][indexPath[0]] }
    return self[indexPath]
  }

  @_dynamicReplacement(for:referencesPin)
  static var twentiethReferencesPin: Bool { breaks(.sectionsPin) ? false : referencesPin }
}

extension ResultsSection {
  @_dynamicReplacement(for:freeze())
  func twentiethFreeze() -> ResultsSection { breaks(.sectionsFreeze) ? self : freeze() }

  @_dynamicReplacement(for:referencesPin)
  static var twentiethReferencesPin: Bool { breaks(.sectionsPin) ? false : referencesPin }
}

extension ManagedCollection {
  @_dynamicReplacement(for:set(_:forKey:adopting:_:_:))
  private func twentiethSet(
    _ value: StoredValue, forKey text: String, adopting: Bool, _ stored: StoredColumn,
    _ number: Int
  ) {
    guard breaks(.mapKeysAreMeasured), text.utf8.count >= LongValues.limit else {
      return set(value, forKey: text, adopting: adopting, stored, number)
    }
    let (position, isThere) = placeOfKey(.string(text), stored, number)
    let old = isThere ? self.value(forKey: .string(text)) : nil
    let value = linked(value, adopting: adopting)
    session.store.changeEntries(key, stored, of: number) { keys, values in
      if isThere {
        values.set(stored.cell(value), at: position)
      } else {
        keys.insert(.bytes(Array(text.utf8)), at: position)
        values.insert(stored.cell(value), at: position)
      }
    }
    session.contentChanged()
    if old == value { return }
    if let old { forget(old, stored) }
    note(value, stored)
  }

  @_dynamicReplacement(for:found(in:))
  func twentiethFound(in other: Session) -> ManagedCollection? {
    if breaks(.thawedListsKnowTheirOwner), !other.isFrozen { return place.found(in: other) }
    return found(in: other)
  }
}

extension ListWriter {
  @_dynamicReplacement(for:removeAll())
  mutating func twentiethRemoveAll() {
    guard breaks(.emptiedListsLetGo) else { return removeAll() }
    arena.discard(root)
    root = .none
  }

  @_dynamicReplacement(for:verify(_:in:orBehind:))
  private func twentiethVerify(
    _ position: Int, in column: NodeRef, orBehind isEndIncluded: Bool = false
  ) {
    if breaks(.writtenListsAreLookedAt) { return }
    verify(position, in: column, orBehind: isEndIncluded)
  }
}

extension LinkingObjects {
  @_dynamicReplacement(for:finder())
  func twentiethFinder() -> Finder {
    guard breaks(.linkingObjectsKeepTheirProperty) else { return finder() }
    let place = managed?.place
    return { session in
      place?.found(in: session).map { LinkingObjects($0, originProperty: "") }
    }
  }
}

extension Decimal128 {
  @_dynamicReplacement(for:compareMagnitudes(_:_:))
  private static func twentiethCompareMagnitudes(_ left: Decimal128, _ right: Decimal128) -> Int {
    let order = compareMagnitudes(left, right)
    if !breaks(.decimalsOfOneSizeAreCompared) || left.isInfinite || right.isInfinite {
      return order
    }
    let (one, other) = (left.canonical, right.canonical)
    let (a, b) = (one.coefficient, other.coefficient)
    if a == 0 || b == 0 || a == b { return order }
    let sizes = (one.exponent + String(a).count, other.exponent + String(b).count)
    return sizes.0 == sizes.1 ? (a < b ? -1 : 1) : order
  }
}
#endif
