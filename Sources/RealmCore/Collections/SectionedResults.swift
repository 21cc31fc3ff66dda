// Sections are made in realm-core, but its C interface has no function for them. The types are here
// for code that names them; there is no way to get one.

import Dispatch
import Foundation

/// The members of a collection in sections. Not askable of realm-core's C interface.
public struct SectionedResults<SectionKey: _Persistable & Hashable, SectionElement>:
  RandomAccessCollection
where SectionElement: RealmCollectionValue {
  public typealias Element = ResultsSection<SectionKey, SectionElement>

  /// Members that none of these can have.
  private let members: Results<SectionElement>

  public var startIndex: Int { 0 }
  public var endIndex: Int { Facade.notAskable(sections) }
  public subscript(position: Int) -> Element { Facade.notAskable(sections) }
  public subscript(indexPath: IndexPath) -> SectionElement { Facade.notAskable(sections) }
  public var isFrozen: Bool { Facade.notAskable(sections) }
  public func freeze() -> SectionedResults { Facade.notAskable(sections) }
  public func thaw() -> SectionedResults? { Facade.notAskable(sections) }
  public var allKeys: [SectionKey] { Facade.notAskable(sections) }
}

/// One section: the members with its key.
public struct ResultsSection<SectionKey: _Persistable & Hashable, SectionElement>:
  RandomAccessCollection
where SectionElement: RealmCollectionValue {
  private let members: Results<SectionElement>

  public var key: SectionKey { Facade.notAskable(sections) }
  public var startIndex: Int { 0 }
  public var endIndex: Int { Facade.notAskable(sections) }
  public subscript(position: Int) -> SectionElement { Facade.notAskable(sections) }
  public var isFrozen: Bool { Facade.notAskable(sections) }
  public func freeze() -> ResultsSection { Facade.notAskable(sections) }
  public func thaw() -> ResultsSection? { Facade.notAskable(sections) }
}

/// What is made of sections: all of them, or one.
public protocol RealmSectionedResult: RandomAccessCollection {
  associatedtype SectionElement: RealmCollectionValue
}

extension SectionedResults: RealmSectionedResult {}
extension ResultsSection: RealmSectionedResult {}

extension RealmSectionedResult {
  /// Not askable, as all of these: there is nothing to listen to.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken { Facade.notAskable(sections) }

  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken { Facade.notAskable(sections) }

  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken { Facade.notAskable(sections) }
}

extension SectionedResults: ThreadConfined {
  public var realm: Realm? { Facade.notAskable(sections) }
  public var isInvalidated: Bool { Facade.notAskable(sections) }
}

extension ResultsSection: ThreadConfined {
  public var realm: Realm? { Facade.notAskable(sections) }
  public var isInvalidated: Bool { Facade.notAskable(sections) }
}

private let sections = "sectioned results: the C interface has no function for them"

extension RealmCollection where Element: ObjectBase {
  /// Not askable: the C interface has no function for it.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> { Facade.notAskable(sections) }

  /// Not askable: the C interface has no function for it.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> { Facade.notAskable(sections) }
}

extension RealmCollection where Element: SortableType {
  /// Not askable: the C interface has no function for it.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> { Facade.notAskable(sections) }
}

extension RealmCollection {
  /// Not askable: the C interface has no function for it.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> { Facade.notAskable(sections) }
}
