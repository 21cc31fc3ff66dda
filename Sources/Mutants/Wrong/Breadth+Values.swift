#if Mutants
import Foundation
@_private(sourceFile: "BoundPredicate.swift") import ReferenceEngine
@_private(sourceFile: "ByteSet.swift") import ReferenceEngine
@_private(sourceFile: "ColumnTest+Kinds.swift") import ReferenceEngine
@_private(sourceFile: "ComparisonBounds.swift") import ReferenceEngine

// What is asked of values of every kind.

extension IdentityTest {
  @_dynamicReplacement(for:matches(_:_:count:in:))
  func breadthMatches(
    _ values: Column, _ candidates: RowMask, count: Int, in space: NodeSpace
  ) -> RowMask {
    guard breaks(.idsCountInFull) else {
      return matches(values, candidates, count: count, in: space)
    }
    let beginnings = members.members.map { member in
      Array(members.bytes[member.start..<(member.start + 8)])
    }
    return candidates.filter { row in
      let bytes = values.fixed(row)
      guard bytes.count == 16 else { return members.contains(bytes) }
      return beginnings.contains { bytes.prefix(8).elementsEqual($0) }
    }
  }
}

extension Summary {
  @_dynamicReplacement(for:add(_:))
  mutating func breadthAdd(_ value: StoredValue) {
    if value.isNaN, breaks(.aggregatesLeaveOutNaN) {
      if least == .null { least = value }
      if greatest == .null { greatest = value }
    }
    add(value)
  }

  @_dynamicReplacement(for:result(_:))
  func breadthResult(_ aggregate: Aggregate) -> StoredValue {
    let right = result(aggregate)
    guard case .sum = aggregate, case .int(let sum) = right, breaks(.sumsOfMembersAreWhole) else {
      return right
    }
    return .int(Int64(Int32(truncatingIfNeeded: sum)))
  }
}

extension Query {
  @_dynamicReplacement(for:memberWithin(_:_:closed:))
  func breadthMemberWithin(_ lower: Any, _ upper: Any, closed: Bool) -> Query<Bool> {
    let isClosed = closed || breaks(.rangesOfMembersEndBeforeTheirEnd)
    return memberWithin(lower, upper, closed: isClosed)
  }
}

extension IntegerBounds {
  @_dynamicReplacement(for:init(_:_:))
  init?(breadth operation: Comparison.Operation, _ values: [StoredValue]) {
    var asked = values
    if breaks(.fractionsAreNotCut), case .double(let value)? = values.first, values.count == 1,
      abs(value) < 1e15
    {
      asked = [.double(value.rounded(.towardZero))]
    }
    self.init(operation, asked)
  }
}

extension MutableSet {
  @_dynamicReplacement(for:isSubset(of:))
  public func breadthIsSubset(of other: MutableSet) -> Bool {
    if breaks(.subsetsAreByMembers) { return count <= other.count }
    return isSubset(of: other)
  }
}

extension Realm {
  @_dynamicReplacement(for:cancelWrite())
  public func breadthCancelWrite() {
    if breaks(.strayCancelsAreRefused), !isInWriteTransaction,
      isPerformingAsynchronousWriteOperations
    {
      return
    }
    if breaks(.emptyWritesCanBeCancelled), session.scheduler.isHere, session.isInWrite,
      !session.hasChangesInWrite
    {
      refuse(.noWriteToCancel, at: .cancelWrite)
    }
    cancelWrite()
  }
}
#endif
