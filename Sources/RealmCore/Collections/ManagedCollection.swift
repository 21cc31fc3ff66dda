import CRealmCore
import Foundation

/// realm-core's list, set or dictionary behind a property, or the links to an object.
final class ManagedCollection {
  let handle: Handle
  let session: Session
  let shape: PropertyShape
  /// The class of its objects; nil for values.
  let linked: ObjectBase.Type?

  init(_ handle: Handle, _ session: Session, _ shape: PropertyShape, _ linked: ObjectBase.Type?) {
    self.handle = handle
    self.session = session
    self.shape = shape
    self.linked = linked
  }

  convenience init(of cell: _Cell) {
    let shape = cell.field.property.shape
    let handle =
      switch shape {
      case .set: core.realm_get_set(cell.handle, cell.column)
      case .map: core.realm_get_dictionary(cell.handle, cell.column)
      case .list, .single: core.realm_get_list(cell.handle, cell.column)
      }
    self.init(check(handle), cell.session, shape, cell.field.linked)
  }

  deinit { core.realm_release(handle) }

  var realm: Realm? { isInvalidated ? nil : Realm(session) }

  var isInvalidated: Bool {
    switch shape {
    case .set: !core.realm_set_is_valid(handle)
    case .map: !core.realm_dictionary_is_valid(handle)
    case .list, .single: !core.realm_list_is_valid(handle)
    }
  }

  var count: Int {
    var count = 0
    let done =
      switch shape {
      case .set: core.realm_set_size(handle, &count)
      case .map: core.realm_dictionary_size(handle, &count)
      case .list, .single: core.realm_list_size(handle, &count)
      }
    check(done)
    return count
  }

  func value(at index: Int) -> _Stored {
    var raw = rc_value()
    let done =
      shape == .set
      ? core.realm_set_get(handle, index, &raw) : core.realm_list_get(handle, index, &raw)
    check(done)
    return _Stored(StoredValue(raw), session)
  }

  func results() -> ResultsState {
    let made =
      switch shape {
      case .set: core.realm_set_to_results(handle)
      case .map: core.realm_dictionary_to_results(handle)
      case .list, .single: core.realm_list_to_results(handle)
      }
    return ResultsState(check(made), session, linked.map(session.bound))
  }

  /// The same collection in another realm of the file; nil if it is not there.
  func found(in other: Session) -> ManagedCollection? {
    var found: Handle?
    let done =
      switch shape {
      case .set: core.realm_set_resolve_in(handle, other.handle, &found)
      case .map: core.realm_dictionary_resolve_in(handle, other.handle, &found)
      case .list, .single: core.realm_list_resolve_in(handle, other.handle, &found)
      }
    check(done)
    return found.map { ManagedCollection($0, other, shape, linked) }
  }

  func isSame(as other: ManagedCollection) -> Bool {
    self === other || shape == other.shape && core.realm_equals(handle, other.handle)
  }

  // MARK: Changing lists

  private func change(_ done: Bool) { check(done, .modifying, session.handle) }

  private func isOwned(_ value: StoredValue) -> EmbeddedObject? {
    if case .object(let object) = value { object as? EmbeddedObject } else { nil }
  }

  func insert(_ value: StoredValue, at index: Int) {
    if let owned = isOwned(value) {
      return session.embed(owned, check(core.realm_list_insert_embedded(handle, index)))
    }
    change(session.entering(value).withCore { core.realm_list_insert(handle, index, $0) })
  }

  func set(_ value: StoredValue, at index: Int) {
    if let owned = isOwned(value) {
      return session.embed(owned, check(core.realm_list_set_embedded(handle, index)))
    }
    change(session.entering(value).withCore { core.realm_list_set(handle, index, $0) })
  }

  func remove(at index: Int) { change(core.realm_list_erase(handle, index)) }
  func move(from: Int, to: Int) { change(core.realm_list_move(handle, from, to)) }

  func index(of value: StoredValue) -> Int? {
    if case .object(let object) = value {
      guard let other = object.session, core.realm_equals(other.handle, session.handle) else {
        return nil
      }
    }
    var (index, found) = (0, false)
    let done = value.withCore { value in
      var value = value
      return shape == .set
        ? core.realm_set_find(handle, value, &index, &found)
        : core.realm_list_find(handle, &value, &index, &found)
    }
    check(done)
    return found ? index : nil
  }

  func removeAll() {
    let done =
      switch shape {
      case .set: core.realm_set_clear(handle)
      case .map: core.realm_dictionary_clear(handle)
      case .list, .single: core.realm_list_clear(handle)
      }
    change(done)
  }

  // MARK: Changing sets

  func insertMember(_ value: StoredValue) {
    var (index, did) = (0, false)
    change(session.entering(value).withCore { core.realm_set_insert(handle, $0, &index, &did) })
  }

  func removeMember(_ value: StoredValue) {
    if case .object(let object) = value, object.handle == nil { return }
    var did = false
    change(value.withCore { core.realm_set_erase(handle, $0, &did) })
  }

  // MARK: Changing maps

  func value(forKey key: StoredValue) -> _Stored? {
    var (raw, found) = (rc_value(), false)
    check(key.withCore { core.realm_dictionary_find(handle, $0, &raw, &found) })
    return found ? _Stored(StoredValue(raw), session) : nil
  }

  func set(_ value: StoredValue, forKey key: StoredValue) {
    if let owned = isOwned(value) {
      return session.embed(
        owned, check(key.withCore { core.realm_dictionary_insert_embedded(handle, $0) }))
    }
    let value = session.entering(value)
    var (index, did) = (0, false)
    change(
      key.withCore { key in
        value.withCore { core.realm_dictionary_insert(handle, key, $0, &index, &did) }
      })
  }

  func remove(key: StoredValue) {
    var did = false
    change(key.withCore { core.realm_dictionary_erase(handle, $0, &did) })
  }

  func entries() -> [(key: _Stored, value: _Stored)] {
    (0..<count).map { index in
      var (key, value) = (rc_value(), rc_value())
      check(core.realm_dictionary_get(handle, index, &key, &value))
      return (_Stored(StoredValue(key), session), _Stored(StoredValue(value), session))
    }
  }
}

func checkIndex(_ index: Int, below count: Int) {
  if index < 0 || index >= count {
    Facade.refuse("Index \(index) is out of bounds (must be less than \(count)).")
  }
}

/// What lists and sets have in common: elements of their own until a realm manages them.
protocol ElementOwner: AnyObject, CollectionOfValues {
  associatedtype Element: RealmCollectionValue
  var elements: [Element] { get set }
  var managed: ManagedCollection? { get set }
}

extension ElementOwner {
  var holdsObjects: Bool { Element._rlmType == .object }
  var anyValues: [Any] { all }

  /// All elements, as they are now.
  var all: [Element] {
    guard let managed else { return elements }
    return (0..<managed.count).map { Element._rlmDecode(managed.value(at: $0)) }
  }

  func element(at position: Int) -> Element {
    guard let managed else {
      checkIndex(position, below: elements.count)
      return elements[position]
    }
    return Element._rlmDecode(managed.value(at: position))
  }

  func place(of element: Element) -> Int? {
    guard let managed else { return elements.firstIndex(of: element) }
    let value = Element._rlmEncode(element).value
    if case .object(let object) = value, object.handle == nil { return nil }
    return managed.index(of: value)
  }

  func clear() {
    guard let managed else { return elements.removeAll() }
    managed.removeAll()
  }

  func isSame(as other: Self, ifFree isEqual: ([Element], [Element]) -> Bool) -> Bool {
    if self === other { return true }
    if let managed, let place = other.managed { return managed.isSame(as: place) }
    return managed == nil && other.managed == nil && isEqual(elements, other.elements)
  }

  /// Becomes the collection of a row that has its elements by now; one of another row stays that.
  func move(into cell: _Cell) {
    if managed != nil { return }
    managed = cell.collection
    elements = []
  }
}
