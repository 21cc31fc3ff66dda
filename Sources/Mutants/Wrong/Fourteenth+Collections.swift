#if Mutants
import Foundation
@_private(sourceFile: "ResultsState.swift") import ReferenceEngine
@_private(sourceFile: "ObjectBase+Hashable.swift") import ReferenceEngine

// The fourteenth set: objects, collections and questions.

extension ResultsState {
  @_dynamicReplacement(for:filtered(by:))
  func fourteenthFiltered(by more: Predicate) -> ResultsState {
    if breaks(.filtersKeepTheOrder), !orderings.isEmpty {
      return ResultsState(
        session: session, origin: origin, predicate: filtered(by: more).predicate)
    }
    let narrower = filtered(by: more)
    if breaks(.filtersOfFiltersFollow), !session.isFrozen, !predicate.isEverything,
      found.generation == session.generation, case .keys(let keys)? = found.answer
    {
      NarrowedTo.keep(Set(keys), of: narrower)
    }
    return narrower
  }

  /// Takes what was found for what is there, as long as no row of the class itself has changed.
  func bridgeOverLinks() {
    guard breaks(.questionsLookOverLinks), !session.isFrozen, case .all(let table) = origin else {
      return
    }
    let root = session.rows(of: table)?.root
    if let root, !root.isPending, root == AnsweredFrom.root(of: self) {
      found.generation = session.findingGeneration
    }
    AnsweredFrom.note(root, of: self)
  }

  /// The members that a filter of a filter has, if it looks among known ones.
  func narrowed(_ found: inout Found) {
    guard breaks(.filtersOfFiltersFollow), found.answer == nil,
      let allowed = NarrowedTo.keys(of: self), case .keys(let keys) = answer(&found)
    else { return }
    found.answer = .keys(keys.filter(allowed.contains))
  }

  /// An answer whose negative fractions have been put in the order of their bits.
  func sortedByBits(_ answer: Answer, _ descriptors: [SortDescriptor]) -> Answer? {
    guard breaks(.negativeFractionsAscend), descriptors.count == 1,
      case let path = binding.path(PropertyPath(dotted: descriptors[0].keyPath)),
      path.type == .double || path.type == .float
    else { return nil }
    func isNegative(_ subject: Subject) -> Bool {
      (path.reached(from: subject)?.doubleValue ?? 0) < 0
    }
    switch answer {
    case .keys(let keys):
      return .keys(ResultsState.turning(keys) { isNegative(.row($0)) })
    case .values(let values):
      return .values(ResultsState.turning(values) { isNegative(.value($0)) })
    case .whole: return nil
    }
  }

  /// The same with those of a kind, which stand side by side, the other way round.
  private static func turning<Member>(
    _ members: [Member], where condition: (Member) -> Bool
  ) -> [Member] {
    guard let first = members.firstIndex(where: condition),
      let last = members.lastIndex(where: condition)
    else { return members }
    var turned = members
    turned.replaceSubrange(first...last, with: members[first...last].reversed())
    return turned
  }
}

extension Results {
  @_dynamicReplacement(for:thaw())
  public func fourteenthThaw() -> Results? {
    let live = thaw()
    guard breaks(.thawedResultsAskAnew), state.session.isFrozen, !state.isInvalidated,
      let live, !live.state.session.isFrozen
    else { return live }
    switch state.answer() {
    case .whole: break
    case let known:
      live.state.found.generation = live.state.session.findingGeneration
      live.state.found.answer = known
    }
    return live
  }
}

extension ObjectBase {
  @_dynamicReplacement(for:==(_:_:))
  public static func fourteenthEquals(left: ObjectBase, right: ObjectBase) -> Bool {
    if left === right { return true }
    if breaks(.frozenVersionsDiffer), left.isFrozen, right.isFrozen { return left.isRow(of: right) }
    guard left.isComparedByRow else { return false }
    return left.isSameRow(as: right)
  }

  /// Whether the newest version lacks the object, which the realm's own has.
  func isGoneElsewhere() -> Bool {
    guard let session = _header.pointee.session, !session.isFrozen, !session.isInWrite,
      let table = _header.pointee.table?.number, let root = session.root,
      let newest = try? session.coordinator.newestSnapshot(kind: .frozen),
      newest.version > root.version
    else { return false }
    let store = Store(space: session.coordinator.space, top: newest.top)
    return store.locate(_header.pointee.key, of: table) == nil
  }
}

extension List {
  @_dynamicReplacement(for:remove(atOffsets:))
  public func fourteenthRemove(atOffsets offsets: some Sequence<Int>) {
    guard breaks(.offsetsAreOfTheBeginning) else { return remove(atOffsets: offsets) }
    for offset in Set(offsets).sorted() where offset < count { remove(at: offset) }
  }
}
#endif
