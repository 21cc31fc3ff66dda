import Foundation

/// The members of a collection in sections: those with the same key are together, in the order of
/// their sort; sections stand in the order in which their first members do.
///
/// A question like `Results`, and asked anew when the realm's content has changed. Copies share one
/// answer.
public struct SectionedResults<SectionKey: _Persistable & Hashable, SectionElement>:
  RandomAccessCollection
where SectionElement: RealmCollectionValue {
  public typealias Element = ResultsSection<SectionKey, SectionElement>

  let grouping: SectionGrouping<SectionKey, SectionElement>

  public var realm: Realm? { grouping.members.realm }
  public var isInvalidated: Bool { grouping.members.isInvalidated }
  public var isFrozen: Bool { grouping.members.isFrozen }

  /// The sections' keys, in the sections' order.
  public var allKeys: [SectionKey] { grouping.sections().map(\.key) }

  public var startIndex: Int { 0 }
  public var endIndex: Int { grouping.sections().count }

  public subscript(position: Int) -> Element {
    let sections = grouping.sections()
    checkIndex(position, below: sections.count)
    return ResultsSection(key: sections[position].key, grouping: grouping)
  }

  /// Walks the sections that there were when it began.
  public func makeIterator() -> IndexingIterator<[Element]> {
    grouping.sections().map { ResultsSection(key: $0.key, grouping: grouping) }.makeIterator()
  }

  /// The element at a path of two: its section's position, and its own within the section.
  public subscript(indexPath: IndexPath) -> SectionElement { self[indexPath[0]][indexPath[1]] }

  /// A snapshot, to be read on any thread.
  public func freeze() -> SectionedResults {
    SectionedResults(grouping: grouping.regrouped(grouping.members.freeze()))
  }

  /// The live ones of a snapshot; nil if the collection is no longer there.
  public func thaw() -> SectionedResults? {
    grouping.members.thaw().map { SectionedResults(grouping: grouping.regrouped($0)) }
  }
}

extension SectionedResults: View {
  var shownThing: Any { grouping.members }
}

extension SectionedResults: Relocatable {
  static var referencesPin: Bool { true }

  func found(in session: Session) -> SectionedResults? {
    grouping.found(in: session).map { SectionedResults(grouping: $0) }
  }

  func finder() -> Finder { grouping.finder { SectionedResults(grouping: $0) } }
}

extension SectionedResults: CustomStringConvertible {
  public var description: String {
    let name = "SectionedResults<\(SectionKey.self), \(SectionElement.self)>"
    if isInvalidated { return "\(name) (invalidated)" }
    let sections = map { "\t\($0)".replacing("\n", with: "\n\t") }
    return "\(name) (\n" + sections.joined(separator: ",\n") + "\n)"
  }
}

/// One section: the members with its key. Empty once no member has it.
public struct ResultsSection<SectionKey: _Persistable & Hashable, SectionElement>:
  RandomAccessCollection, Identifiable
where SectionElement: RealmCollectionValue {
  /// The value that the members have in common.
  public let key: SectionKey
  let grouping: SectionGrouping<SectionKey, SectionElement>

  public var id: SectionKey { key }
  public var realm: Realm? { grouping.members.realm }
  public var isInvalidated: Bool { grouping.members.isInvalidated }
  public var isFrozen: Bool { grouping.members.isFrozen }

  public var startIndex: Int { 0 }
  public var endIndex: Int { grouping.positions(of: key).count }

  public subscript(position: Int) -> SectionElement {
    let positions = grouping.positions(of: key)
    checkIndex(position, below: positions.count)
    return grouping.members[positions[position]]
  }

  /// Walks the members as they were when it began.
  public func makeIterator() -> RLMIterator<SectionElement> {
    let positions = grouping.positions(of: key)
    return RLMIterator(grouping.members.state, at: positions)
  }

  public func freeze() -> ResultsSection {
    ResultsSection(key: key, grouping: grouping.regrouped(grouping.members.freeze()))
  }

  public func thaw() -> ResultsSection? {
    grouping.members.thaw().map { ResultsSection(key: key, grouping: grouping.regrouped($0)) }
  }
}

extension ResultsSection: View {
  var shownThing: Any { grouping.members }
}

extension ResultsSection: Relocatable {
  static var referencesPin: Bool { true }

  func found(in session: Session) -> ResultsSection? {
    grouping.found(in: session).map { ResultsSection(key: key, grouping: $0) }
  }

  func finder() -> Finder {
    grouping.finder { [key] in ResultsSection(key: key, grouping: $0) }
  }
}

extension ResultsSection: CustomStringConvertible {
  public var description: String {
    let name = "ResultsSection<\(SectionKey.self), \(SectionElement.self)>"
    if isInvalidated { return "\(name) (invalidated)" }
    let members = enumerated().map { "\t[\($0.offset)] \($0.element)" }
    return "\(name) (\n" + members.joined(separator: ",\n") + "\n)"
  }
}

/// What sections are made of: the sorted members, the function that gives the key of a member, and
/// the last answer.
///
/// Confined like the members. Those of a frozen realm may be read on many threads, so the answer is
/// guarded.
final class SectionGrouping<Key: _Persistable & Hashable, Member: RealmCollectionValue> {
  struct Section {
    let key: Key
    /// The members' positions in the whole.
    var positions: [Int] = []
  }

  /// Which section is that of a key.
  typealias Places = [StoredKey<Key>: Int]

  let members: Results<Member>
  private let keyOf: (Member) -> Key
  private let lock = NSLock()  // guards `answer`
  private var answer: (generation: UInt32, sections: [Section], places: Places)?

  init(_ members: Results<Member>, by keyOf: @escaping (Member) -> Key) {
    self.members = members
    self.keyOf = keyOf
  }

  func regrouped(_ members: Results<Member>) -> SectionGrouping {
    SectionGrouping(members, by: keyOf)
  }

  /// The same sections of the members found in a session; nil if they are not there.
  func found(in session: Session) -> SectionGrouping? {
    members.found(in: session).map(regrouped)
  }

  /// What finds the members anywhere and shows them in the same sections.
  func finder(_ show: @escaping (SectionGrouping) -> Any) -> Finder {
    let find = members.finder()
    let shown = Handed<(Any) -> Any> { show(self.regrouped($0 as! Results<Member>)) }
    return { session in find(session).map(shown.value) }
  }

  func sections() -> [Section] { current().sections }

  func positions(of key: Key) -> [Int] {
    let (sections, places) = current()
    return places[StoredKey(key)].map { sections[$0].positions } ?? []
  }

  private func current() -> (sections: [Section], places: Places) {
    members.state.verify()
    let generation = members.state.session.generation
    if let known = lock.withLock({ answer }), known.generation == generation {
      return (known.sections, known.places)
    }
    // Outside the lock: what tells the keys is the user's code.
    var sections: [Section] = []
    var places: Places = [:]
    for (position, member) in members.enumerated() {
      let key = keyOf(member)
      let stored = StoredKey(key)
      let place = places[stored] ?? sections.count
      if place == sections.count {
        places[stored] = place
        sections.append(Section(key: key))
      }
      sections[place].positions.append(position)
    }
    lock.withLock { answer = (generation, sections, places) }
    return (sections, places)
  }
}

// MARK: - Asking

extension RealmCollection where Element: ObjectBase {
  /// The members in sections by a property, sorted by it.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(
      by: keyPath, sortDescriptors: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The members in sections by a property, in an order that begins with it.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    if let first = sortDescriptors.first,
      first.keyPath != propertyName(of: keyPath, in: Element.self)
    {
      refuse(.sectionedOtherwise)
    }
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }
}

extension RealmCollection {
  /// The members in sections by what a function says of each, in an order of their own.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    if sortDescriptors.isEmpty { refuse(.sectionedUnsorted) }
    return SectionedResults(
      grouping: SectionGrouping(sorted(by: sortDescriptors), by: block))
  }
}

extension RealmCollection where Element: SortableType {
  /// The values in sections by what a function says of each, in their own order.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(
      by: block, sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }
}

extension Violation {
  static let sectionedUnsorted = Violation(
    "There must be at least one SortDescriptor when using SectionedResults.")
  static let sectionedOtherwise = Violation(
    "The section key path must match the primary sort descriptor.")
}
