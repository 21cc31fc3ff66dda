#if Mutants
import Foundation
@_private(sourceFile: "ComparisonBounds.swift") import ReferenceEngine
@_private(sourceFile: "LinkingObjects.swift") import ReferenceEngine
@_private(sourceFile: "List.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Following.swift") import ReferenceEngine

// The twelfth set: collections, and questions.

extension List {
  @_dynamicReplacement(for:insert(contentsOf:at:))
  func twelfthInsert<C: Collection>(contentsOf newElements: C, at index: Int)
  where C.Element == Element {
    guard breaks(.insertedInOrder) else { return insert(contentsOf: newElements, at: index) }
    for element in Array(newElements) { insert(element, at: index) }
  }
}

extension LinkingObjects {
  /// Linkers as the thread's live realm has them; nil if nobody asks for those, or they have gone.
  private func live(_ link: RowLink) -> Element? {
    guard breaks(.frozenLinkersAreFrozen), let managed, managed.session.isFrozen else {
      return nil
    }
    let session = managed.session.thawedSession()
    session.read()
    return session.object(at: link) as? Element
  }

  @_dynamicReplacement(for:makeIterator())
  func twelfthMakeIterator() -> IndexingIterator<[Element]> {
    guard breaks(.frozenLinkersAreFrozen), let managed, managed.session.isFrozen else {
      return makeIterator()
    }
    return managed.linkers().rows.map { row in
      live(row) ?? Element._rlmDecode(_Stored(.link(row), managed.session))
    }.makeIterator()
  }

  @_dynamicReplacement(for:subscript(_:))
  subscript(twelfth position: Int) -> Element {
    if breaks(.frozenLinkersAreFrozen), let managed, managed.session.isFrozen {
      let linkers = managed.linkers()
      checkIndex(position, below: linkers.keys.count)
      if let found = live(linkers.row(at: position)) { return found }
    }
    return self[position]
  }
}

extension FractionBounds {
  @_dynamicReplacement(for:init(_:_:))
  init?(twelfth operation: Comparison.Operation, _ values: [StoredValue]) {
    guard breaks(.askedDatesHaveFractions) else {
      self.init(operation, values)
      return
    }
    self.init(
      operation,
      values.map { value in
        guard case .date(let date) = value else { return value }
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
      })
  }
}

extension PredicateBinding {
  /// Dates are asked about by way of the bounds above.
  @_dynamicReplacement(for:numberTest(_:))
  func twelfthNumberTest(_ comparison: Comparison) -> ColumnTest? {
    breaks(.askedDatesHaveFractions) ? nil : numberTest(comparison)
  }
}

extension ResultsState {
  /// The members in a descending order, as the ascending one backwards; nil if that is not asked
  /// for.
  func turned(_ answer: Answer, _ descriptors: [SortDescriptor]) -> Answer? {
    guard breaks(.descendingKeepsTheAlike), !descriptors.isEmpty,
      !descriptors.contains(where: \.ascending)
    else { return nil }
    switch sorted(answer, descriptors.map { $0.reversed() }) {
    case .keys(let keys): return .keys(keys.reversed())
    case .values(let values): return .values(values.reversed())
    case .whole(let rows): return .keys(ResultsState.allKeys(rows).reversed())
    }
  }
}

extension Difference {
  /// Of elements that are there more than once the first place is left.
  mutating func tellOnce<Element: Hashable>(of elements: some Collection<Element>) {
    guard breaks(.eachPlaceIsModified) else { return }
    let all = Array(elements)
    var seen: Set<Element> = []
    modifications.removeAll { !seen.insert(all[$0]).inserted }
  }

  @_dynamicReplacement(for:init(replacing:by:isModified:behind:))
  fileprivate init?(
    twelfthReplacing old: Answer, by new: Answer, isModified: (Int64) -> Bool,
    behind: Set<RowLink> = []
  ) {
    self.init(replacing: old, by: new, isModified: isModified, behind: behind)
    if case .keys(let keys) = new { tellOnce(of: keys) }
  }
}

extension Session {
  /// A row whose key is the same text in another spelling.
  func spelledOtherwise(_ bound: BoundClass, _ value: StoredValue) -> Int64? {
    guard breaks(.spellingsAreTexts), case .string(let text) = value,
      !text.utf8.allSatisfy({ $0 < 0x80 }), let table = bound.number,
      let column = bound.primaryKey
    else { return nil }
    return store.allKeys(of: table).first { key in
      guard case .string(let other)? = store.value(key, column, of: table) else { return false }
      return other == text
    }
  }
}
#endif
