#if Mutants
import Foundation
@_private(sourceFile: "ResultsState+Aggregates.swift") import ReferenceEngine
@_private(sourceFile: "SectionedResults.swift") import ReferenceEngine
@_private(sourceFile: "StoredKey.swift") import ReferenceEngine

extension SectionGrouping {
  @_dynamicReplacement(for:current())
  private func ninthCurrent() -> (sections: [Section], places: Places) {
    if breaks(.knownSectionsAreConfined), let known = lock.withLock({ answer }),
      known.generation == members.state.session.generation
    {
      return (known.sections, known.places)
    }
    if breaks(.sectionsFollowOwnWrites), members.state.session.isInWrite,
      let known = lock.withLock({ answer })
    {
      members.state.verify()
      return (known.sections, known.places)
    }
    if breaks(.sectionsFollowTheWrite), members.state.session.isInWrite,
      let known = lock.withLock({ answer })
    {
      return (known.sections, known.places)
    }
    if let known = sectionsOfAsMany() { return known }
    return current()
  }
}

extension StoredKey {
  @_dynamicReplacement(for:stored(_:))
  private static func ninthStored(_ key: Key) -> DistinctValue? {
    breaks(.sectionsAreOfOneStoredKey) ? nil : stored(key)
  }
}

extension ResultsState {
  @_dynamicReplacement(for:fractions(_:_:_:_:))
  private func ninthFractions(
    _ table: BoundClass, _ physical: Int, _ property: Property, _ aggregate: Aggregate
  ) -> StoredValue {
    let right = fractions(table, physical, property, aggregate)
    guard breaks(.theGreatestMayBeNegative), aggregate == .max else { return right }
    switch right {
    case .double(let number): return .double(number < 0 ? 0 : number)
    case .float(let number): return .float(number < 0 ? 0 : number)
    default: return right
    }
  }

  @_dynamicReplacement(for:sorted(_:_:))
  func ninthSorted(_ answer: Answer, _ descriptors: [SortDescriptor]) -> Answer {
    if let turned = turned(answer, descriptors) { return turned }
    if breaks(.negativeFractionsAscend),
      let byBits = sortedByBits(sorted(answer, descriptors), descriptors)
    {
      return byBits
    }
    guard breaks(.tiesGoTheirOwnWay), let first = descriptors.first else {
      return sorted(answer, descriptors)
    }
    let alike = descriptors.map {
      SortDescriptor(keyPath: $0.keyPath, ascending: first.ascending)
    }
    return sorted(answer, alike)
  }

  @_dynamicReplacement(for:distinct(_:_:))
  func ninthDistinct(_ answer: Answer, _ paths: [PropertyPath]) -> Answer {
    if paths.count > 2, breaks(.distinctByAllOfThem) {
      return distinct(answer, Array(paths.prefix(2)))
    }
    let right = distinctFromZero(distinct(answer, paths), by: paths)
    guard breaks(.nullsAreAlike), paths.count == 1, case .keys(let some) = right else {
      return right
    }
    let (path, kept) = (binding.path(paths[0]), Set(some))
    return .keys(
      answer.keys.filter { key in
        if kept.contains(key) { return true }
        guard let value = path.reached(from: .row(key)) else { return false }
        return value == StoredValue.null
      })
  }
}

extension StringMatcher {
  @_dynamicReplacement(for:like(_:_:))
  static func ninthLike(
    _ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer
  ) -> Bool {
    if breaks(.starsAreTriedOnce) { return tried(text, from: 0, pattern, from: 0) }
    guard breaks(.questionMarksAreCharacters) else { return like(text, pattern) }
    var (at, place) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place + 1, at)
        place += 1
      } else if place < pattern.count,
        pattern[place] == UInt8(ascii: "?") || pattern[place] == text[at]
      {
        at += 1
        place += 1
      } else if let back = star {
        at = back.text + 1
        star = (back.pattern, at)
        place = back.pattern
      } else {
        return false
      }
    }
    while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
    return place == pattern.count
  }
}
#endif
