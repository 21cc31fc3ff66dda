import CRealmCore
import Dispatch

// What RealmSwift can ask of projections beyond reading them, which this module has no answer to.

private let words = "projections by what they show: what stands for RealmSwift here only reads them"

extension Query where T: ProjectionObservable {
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> { Facade.notAskable(words) }
}

extension RealmCollection where Element: ProjectionObservable {
  public func sorted<Value>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> { Facade.notAskable(words) }

  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
  where S.Element == PartialKeyPath<Element> { Facade.notAskable(words) }

  public func min<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    Facade.notAskable(words)
  }
  public func max<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    Facade.notAskable(words)
  }
  public func sum<T: AddableType>(of keyPath: KeyPath<Element, T>) -> T {
    Facade.notAskable(words)
  }
  public func average<T: AddableType>(of keyPath: KeyPath<Element, T>) -> Double? {
    Facade.notAskable(words)
  }

  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> { Facade.notAskable(words) }
}

extension ProjectedCollection: ThreadConfined {
  public var realm: Realm? { Facade.notAskable(words) }
  public var isInvalidated: Bool { Facade.notAskable(words) }
  public var isFrozen: Bool { Facade.notAskable(words) }
  public func freeze() -> ProjectedCollection { Facade.notAskable(words) }
  public func thaw() -> ProjectedCollection? { Facade.notAskable(words) }

  public func observe(
    on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken { Facade.notAskable(words) }
}
