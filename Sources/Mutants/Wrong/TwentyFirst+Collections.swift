#if Mutants
import CShims
import Foundation
@_private(sourceFile: "BoundPredicate.swift") import ReferenceEngine
@_private(sourceFile: "Column+Write.swift") import ReferenceEngine
@_private(sourceFile: "ComparisonBounds.swift") import ReferenceEngine
@_private(sourceFile: "List.swift") import ReferenceEngine
@_private(sourceFile: "LongValues.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Values.swift") import ReferenceEngine
@_private(sourceFile: "Map.swift") import ReferenceEngine
@_private(sourceFile: "RealmCollection.swift") import ReferenceEngine
@_private(sourceFile: "Relocatable+Kinds.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Answer.swift") import ReferenceEngine

// The twenty-first set: collections, values and what is asked of them.

extension ManagedCollection {
  @_dynamicReplacement(for:insert(_:at:))
  func twentyFirstInsert(_ value: StoredValue, at index: Int) {
    guard breaks(.insertedMembersLinkBack), case .inTrees(let stored, let number) = prepared()
    else { return insert(value, at: index) }
    checkIndex(index, below: count + 1)
    let value = linked(value)
    change({ $0.insert(stored.cell(value), at: index) }, stored, number)
  }

  @_dynamicReplacement(for:checkedElement(at:))
  func twentyFirstCheckedElement(at position: Int) -> _Stored {
    guard breaks(.listsInListsAreManaged), nested != nil else {
      return checkedElement(at: position)
    }
    verifyRead()
    guard case .inValue(let content) = elements else { return checkedElement(at: position) }
    checkIndex(position, below: content.elements.count)
    return _Stored(content.elements[position], session)
  }
}

extension LongValues {
  @_dynamicReplacement(for:verify(data:))
  static func twentyFirstVerify(data bytes: Int) {
    if breaks(.sixteenMegabytesAreTooMuch), bytes <= limit { return }
    verify(data: bytes)
  }
}

extension ColumnWriter {
  @_dynamicReplacement(for:setBytes(_:_:_:))
  func twentyFirstSetBytes(
    _ ref: NodeRef, _ index: Int, _ bytes: UnsafeRawBufferPointer
  ) -> NodeRef {
    if breaks(.longValuesThatAreReplacedGo), !Column(space.node(ref)).blob(index).isNone {
      // As if a short value had been there.
      values(ref).storeBytes(
        of: 0, toByteOffset: rb_cells_lengths + index * rb_cell_bytes, as: UInt32.self)
    }
    return setBytes(ref, index, bytes)
  }
}

extension List {
  @_dynamicReplacement(for:_rlmCoerceProperty(_:))
  static func twentyFirstCoerceProperty(_ any: Any) -> List? {
    if breaks(.copiesHaveOwnLists), let same = any as? List { return same }
    return _rlmCoerceProperty(any)
  }
}

extension Map {
  @_dynamicReplacement(for:_rlmAdopt(_:_:))
  static func twentyFirstAdopt(_ value: Map, _ cell: _Cell) {
    if breaks(.addedMapsAreTheRows) { return _rlmWrite(value, cell) }
    _rlmAdopt(value, cell)
  }

  @_dynamicReplacement(for:finder())
  func twentyFirstFinder() -> Finder {
    guard breaks(.referencesToMapsFindTheReader) else { return finder() }
    let own = Handed(managed)
    return { _ in own.value.map { Map($0) } }
  }
}

extension LinkingObjects {
  @_dynamicReplacement(for:isFrozen)
  var twentyFirstIsFrozen: Bool {
    breaks(.linkersSayAnywhereWhetherTheyAreFrozen) ? realm?.isFrozen ?? false : isFrozen
  }
}

extension ResultsState {
  @_dynamicReplacement(for:wholeRows)
  private var twentyFirstWholeRows: RowTree? {
    guard breaks(.wholeClassesFollowTheWrite), isWhole, !session.isFrozen else { return wholeRows }
    // Numbered as a state of the session is, and never 0.
    let version = UInt32(truncatingIfNeeded: session.version?.number ?? 0) &+ 1
    if whole.generation == version { return whole.rows }
    guard case .all(let table) = origin, let rows = session.rows(of: table) else { return nil }
    whole = (version, rows)
    return rows
  }
}

extension _CollectionSource {
  @_dynamicReplacement(for:firstIndex(satisfying:))
  func twentyFirstFirstIndex(satisfying predicate: Predicate) -> Int? {
    guard breaks(.matchesAreCountedFromTheStart), case .asked(let state) = origin,
      case .whole(let rows) = state.answer()
    else { return firstIndex(satisfying: predicate) }
    state.verify()
    predicate.verifyDepth()
    let condition = state.binding.bind(predicate.mappingConstants(state.session.stored))
    var found: Int?
    rows.forEachCluster { cluster, _ in
      let mask = condition.select(cluster, RowMask(first: cluster.count), in: rows.space)
      if let row = mask.first(where: { _ in true }) { found = row }
      return found == nil
    }
    return found
  }
}

extension Summary {
  @_dynamicReplacement(for:average)
  private var twentyFirstAverage: StoredValue {
    guard breaks(.averagesLeaveOutNil), count > 0 else { return average }
    if hasDecimals || type == .any {
      return .decimal(
        (decimals + Decimal128(integers) + Decimal128(fractions)) / Decimal128(members))
    }
    return .double((fractions + Double(integers)) / Double(members))
  }
}

extension IntegerBounds {
  @_dynamicReplacement(for:init(_:fraction:))
  private init(twentyFirst operation: Comparison.Operation, fraction value: Double) {
    self.init(operation, fraction: value)
    guard breaks(.negativeFractionsAreRoundedDown), value < 0, value > -1e15,
      value.rounded(.down) != value
    else { return }
    let whole = Int64(value.rounded(.towardZero))
    switch operation {
    case .less, .lessOrEqual: self = IntegerBounds(.lessOrEqual, whole: whole)
    case .greater, .greaterOrEqual: self = IntegerBounds(.greater, whole: whole)
    default: break
    }
  }
}
#endif
