#if Mutants
@_private(sourceFile: "FilteredMembers.swift") import ReferenceEngine

extension FilteredMembers {
  @_dynamicReplacement(for:update(_:isMember:modified:replaced:))
  mutating func wrongUpdate(
    _ rows: [Int64], isMember: (Int64) -> Bool, modified: some Collection<Int64>,
    replaced: Set<Int64> = []
  ) -> Difference {
    var difference = update(rows, isMember: isMember, modified: modified, replaced: replaced)
    if breaks(.filtersTellOldPositions) {
      let come = Set(difference.insertions)
      difference.modifications =
        modified.compactMap(position).filter { !come.contains($0) }.sorted()
    }
    if breaks(.manyComeInOrder), difference.insertions.count > 32 {
      let come = difference.insertions.map { keys[$0] }
      keys.removeAll(where: Set(come).contains)
      keys.append(contentsOf: come)
    }
    return difference
  }

  @_dynamicReplacement(for:update(_:_:members:))
  mutating func wrongUpdate(
    _ runs: [RowChange], _ touched: TouchedRows, members: (ClosedRange<Int64>) -> [Int64]
  ) -> Difference {
    if breaks(.manyChangesShiftInsertions) {
      return updateUnshifted(runs, touched, members: members)
    }
    var difference = update(runs, touched, members: members)
    if breaks(.largeStepsAreExact), runs.rowCount > Forecast.few {
      _ = difference.insertions.popLast()
    }
    return difference
  }

  /// As the engine does it, but what comes in stands where it would without what has come and gone
  /// before it.
  private mutating func updateUnshifted(
    _ runs: [RowChange], _ touched: TouchedRows, members: (ClosedRange<Int64>) -> [Int64]
  ) -> Difference {
    var difference = Difference()
    var parts: [(was: Range<Int>, are: [Int64])] = []
    for run in runs {
      let was = positions(of: run.keys)
      let are = run.kind == .deleted ? [] : members(run.keys)
      if was.isEmpty, are.isEmpty { continue }
      let start = was.lowerBound
      if run.kind == .modified {
        compare(was, are, from: start, touched, &difference)
      } else {
        difference.deletions.append(contentsOf: was)
        difference.insertions.append(contentsOf: start..<(start + are.count))
      }
      if run.kind == .modified, keys[was].elementsEqual(are) { continue }
      parts.append((was, are))
    }
    difference.modify(touched.others, at: position)
    replace(parts)
    return difference
  }
}
#endif
