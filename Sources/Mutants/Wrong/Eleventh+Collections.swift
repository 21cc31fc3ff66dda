#if Mutants
import Foundation
@_private(sourceFile: "Difference.swift") import ReferenceEngine
@_private(sourceFile: "MapObserver.swift") import ReferenceEngine
@_private(sourceFile: "PredicateLookup.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Answer.swift") import ReferenceEngine
@_private(sourceFile: "StringMatcher.swift") import ReferenceEngine

// The eleventh set: collections, questions, and what is told of them.

extension ResultsState {
  @_dynamicReplacement(for:count)
  var eleventhCount: Int {
    if breaks(.countsAreConfined), !session.isFrozen, found.generation == session.generation,
      let known = found.answer?.count ?? found.count
    {
      return known
    }
    let own = count
    guard breaks(.countsAreOfTheVersion), isWhole, !session.isInWrite, !session.isFrozen,
      let name = elementClass?.name
    else { return own }
    return WritersCounts.count(of: name, session) ?? own
  }

  @_dynamicReplacement(for:firstIndex(satisfying:))
  func eleventhFirstIndex(satisfying wanted: Predicate) -> Int? {
    guard breaks(.positionsFollowTheSort), !orderings.isEmpty else {
      return firstIndex(satisfying: wanted)
    }
    return ResultsState(session: session, origin: origin, predicate: predicate)
      .firstIndex(satisfying: wanted)
  }
}

extension Predicate {
  @_dynamicReplacement(for:lookup(in:_:atMost:))
  func eleventhLookup(
    in table: BoundClass, _ session: Session, atMost most: Int = .max
  ) -> (keys: [Int64], isWhole: Bool)? {
    let right = lookup(in: table, session, atMost: most)
    guard breaks(.foundOnceIsEnough), var found = right, case .comparison(let asked) = self,
      asked.operation == .in, case .values(let values) = asked.right,
      case .path(let path) = asked.left, case .property(let name)? = path.steps.first,
      let field = table.layout.index(of: name)
    else { return right }
    let property = table.layout.fields[field].property
    found.keys = values.flatMap { session.keys(of: table, where: property, equals: $0) ?? [] }
    return found
  }
}

extension StringMatcher {
  @_dynamicReplacement(for:find(_:in:))
  static func eleventhFind(
    _ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer
  ) -> Bool {
    if breaks(.searchesReachTheEnd) {
      return find(needle, in: UnsafeRawBufferPointer(rebasing: text.dropLast()))
    }
    guard breaks(.searchesGoBack) else { return find(needle, in: text) }
    var matched = 0
    for byte in text {
      matched = byte == needle[matched] ? matched + 1 : 0
      if matched == needle.count { return true }
    }
    return false
  }
}

extension MutableSet {
  @_dynamicReplacement(for:formIntersection(_:))
  func eleventhFormIntersection(_ other: MutableSet) {
    guard breaks(.intersectionsLookAtAll) else { return formIntersection(other) }
    managed?.verifyWrite()
    var place = 0
    while place < count {
      let element = self[place]
      if !other.contains(element) { remove(element) }
      place += 1
    }
  }
}

extension Difference {
  @_dynamicReplacement(for:longestAscending(_:of:isModified:))
  private static func eleventhLongestAscending(
    _ pairs: [(old: Int, new: Int)], of count: Int, isModified: (Int) -> Bool
  ) -> [Int] {
    if breaks(.movesAreTold) { return Array(pairs.indices) }
    return longestAscending(pairs, of: count, isModified: isModified)
  }
}

extension MapObserver {
  @_dynamicReplacement(for:news(since:))
  func eleventhNews(since told: Root?) -> (() -> Void)? {
    if breaks(.mapListenersLetGo), told == nil, !place.isInvalidated {
      KeptSnapshots.keep(session.committedSnapshot)
    }
    if told != nil, !isGone, !place.isInvalidated, !known.isEmpty {
      if breaks(.emptiedMapsAreTold), place.count == 0 { refuse(.invalidated) }
      if breaks(.emptiedMapsNameTheirKeys), place.count == 0 {
        passOver()
        return nil
      }
    }
    guard breaks(.mapsLookOverLinks), !isGone, !place.isInvalidated, told != nil else {
      return news(since: told)
    }
    let before = known
    passOver()
    let now = known
    let deletions = before.keys.filter { now[$0] == nil }
    let insertions = now.keys.filter { before[$0] == nil }
    let modifications = now.filter { key, value in
      before[key].map { !$0.isStored(as: value) } ?? false
    }.map(\.key)
    if deletions.isEmpty && insertions.isEmpty && modifications.isEmpty { return nil }
    return telling(deletions, insertions, modifications)
  }
}
#endif
