#if Mutants
import Foundation
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "ValueSet.swift") import ReferenceEngine

// The thirteenth set: collections, and questions.

extension Results {
  @_dynamicReplacement(for:realm)
  public var thirteenthRealm: Realm? {
    if breaks(.frozenResultsNameTheFrozen), state.session.isFrozen {
      return Realm(state.session.thawedSession())
    }
    return realm
  }
}

extension ManagedCollection {
  @_dynamicReplacement(for:remove(at:))
  func thirteenthRemove(at index: Int) {
    remove(at: index)
    guard breaks(.removalsWriteLittle), shape == .list, nested == nil, !property.type.mayLink else {
      return
    }
    replaceAll(with: allValues())
  }
}

extension PropertyType {
  fileprivate var mayLink: Bool { self == .object || self == .any }
}

extension ValueSet {
  @_dynamicReplacement(for:init(_:options:))
  init(thirteenth values: [StoredValue], options: StringOptions = []) {
    self.init(values, options: breaks(.inFoldsLetters) ? [] : options)
  }
}

extension RealmCollection {
  @_dynamicReplacement(for:objects(at:))
  public func thirteenthObjects(at indexes: IndexSet) -> [Element] {
    guard breaks(.runsOfIndexesAreWhole) else { return objects(at: indexes) }
    return indexes.rangeView.flatMap { run in
      run.prefix(Swift.max(1, run.count - 1)).map { self[$0] }
    }
  }
}

extension List {
  @_dynamicReplacement(for:replaceSubrange(_:with:))
  public func thirteenthReplaceSubrange<C: Collection>(_ range: Range<Int>, with newElements: C)
  where C.Element == Element {
    guard breaks(.rangesAreReplacedInPlace) else {
      return replaceSubrange(range, with: newElements)
    }
    let new = Array(newElements)
    removeSubrange(range)
    insert(contentsOf: new, at: Swift.min(range.upperBound, count))
  }
}
#endif
