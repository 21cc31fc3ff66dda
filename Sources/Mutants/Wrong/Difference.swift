#if Mutants
@_private(sourceFile: "Difference.swift") import ReferenceEngine

extension Difference {
  @_dynamicReplacement(for:init(touched:wasAt:isAt:isModified:))
  init(
    wrongTouched keys: some Sequence<Int64>, wasAt: (Int64) -> Int?, isAt: (Int64) -> Int?,
    isModified: (Int64) -> Bool
  ) {
    self.init(touched: keys, wasAt: wasAt, isAt: isAt, isModified: isModified)
    if breaks(.modificationsAreOldPositions) {
      modifications = keys.filter { wasAt($0) != nil && isModified($0) }.compactMap { isAt($0) }
    }
    if breaks(.changesListTheirPositions) { swap(&deletions, &insertions) }
  }

  @_dynamicReplacement(for:init(from:to:isModified:))
  init<Element: Hashable>(
    wrongFrom old: some RandomAccessCollection<Element>,
    to new: some RandomAccessCollection<Element>, isModified: (Element) -> Bool
  ) {
    self.init(from: old, to: new, isModified: isModified)
    tellOnce(of: old)
    if breaks(.neighboursOfMovesAreTold) { tellNoNeighbours(from: old, to: new) }
    if breaks(.twinsAreTold), old.count != new.count {
      let head = zip(old, new).prefix { $0 == $1 }.reduce(into: 0) { count, _ in count += 1 }
      let tail = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }
        .reduce(into: 0) { count, _ in count += 1 }
      if head + tail > Swift.min(old.count, new.count) { (deletions, insertions) = ([], []) }
    }
    if breaks(.modificationsAreOldPositions) {
      let arrived = Set(insertions)
      modifications = new.enumerated()
        .filter { isModified($0.element) && !arrived.contains($0.offset) }.map(\.offset)
    }
    if breaks(.changesListTheirPositions) { swap(&deletions, &insertions) }
  }
}
#endif
