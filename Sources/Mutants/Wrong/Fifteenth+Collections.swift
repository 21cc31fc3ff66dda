#if Mutants
@_private(sourceFile: "LinkingObjects.swift") import ReferenceEngine
@_private(sourceFile: "ProjectedCollection.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Following.swift") import ReferenceEngine

// The fifteenth set: collections, and what is stored.

extension AnyRealmCollection {
  @_dynamicReplacement(for:referencesPin)
  static var fifteenthReferencesPin: Bool { breaks(.erasedResultsPin) ? false : referencesPin }
}

extension ResultsSection {
  @_dynamicReplacement(for:thaw())
  func fifteenthThaw() -> ResultsSection? { breaks(.sectionsThaw) ? self : thaw() }
}

extension List {
  @_dynamicReplacement(for:finder())
  func fifteenthFinder() -> Finder {
    if breaks(.nestedListsAreFound), managed?.nested != nil { return { _ in nil } }
    return finder()
  }
}

extension Linkers {
  @_dynamicReplacement(for:position(of:))
  func fifteenthPosition(of key: Int64) -> Int? {
    guard breaks(.linkersBelowZeroAreFound) else { return position(of: key) }
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key ? low : nil
  }
}

extension ResultsState {
  @_dynamicReplacement(for:mayDependOn(_:))
  func fifteenthMayDependOn(_ changes: ChangeSet) -> Bool {
    guard breaks(.ordersLookOverLinks), mayDependOn(changes) else { return mayDependOn(changes) }
    if let table = elementClass?.number, changes.tables[UInt32(table)] != nil { return true }
    if case .collection(let collection) = origin, let table = collection.table.number {
      if collection.property.type == .linkingObjects { return true }
      if changes.kind(of: RowLink(table: table, key: collection.key)) != nil { return true }
    }
    return asksOtherRows
  }

  /// Of members that are distinct by a number, those that are so if null is zero.
  func distinctFromZero(_ members: Answer, by paths: [PropertyPath]) -> Answer {
    guard breaks(.nothingIsNotZero), paths.count == 1 else { return members }
    let path = binding.path(paths[0])
    guard path.type == .int, case .keys(let keys) = members else { return members }
    var seen: Set<StoredValue> = []
    return .keys(
      keys.filter { key in
        let value = path.reached(from: .row(key)) ?? .null
        return seen.insert(value == .null ? .int(0) : value).inserted
      })
  }
}

/// What projected collections have shown, by position.
private enum ShownMembers {
  static let all = OfEachVariable<[Int: Any]>()
}

extension ProjectedMembersOf {
  @_dynamicReplacement(for:value(at:))
  func fifteenthValue(at position: Int) -> Element {
    guard breaks(.shownMembersAreReadAnew) else { return value(at: position) }
    var shown = ShownMembers.all.value(of: self) ?? [:]
    if let known = shown[position] { return known as! Element }
    let value = value(at: position)
    shown[position] = value
    ShownMembers.all.keep(shown, of: self)
    return value
  }
}

extension NodeArena {
  @_dynamicReplacement(for:takeFreed())
  func fifteenthTakeFreed() -> [FreedNode] {
    let freed = takeFreed()
    guard breaks(.longValuesAreLetGo) else { return freed }
    return freed.filter { space.header($0.ref).kind != NodeKind.blob }
  }
}

extension Settler {
  @_dynamicReplacement(for:code(_:_:))
  static func fifteenthCode(_ low: Int64, _ high: Int64) -> UInt8 {
    let isNext = high == Int64(Int32.max) + 1 && low >= Int64(Int32.min)
    return breaks(.widthsEndInTime) && isNext ? 6 : code(low, high)
  }
}
#endif
