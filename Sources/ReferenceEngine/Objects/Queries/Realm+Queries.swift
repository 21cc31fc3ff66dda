extension Realm {
  /// All objects of a class.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    session.verify(at: .readRealm)
    guard let model = (type as? ObjectBase.Type) ?? type._rlmLinkedClass else {
      refuseQuery("Only objects can be queried by their type, not \(type).")
    }
    return Results(ResultsState(session: session, origin: .all(session.bound(model))))
  }

  /// All objects of a class, its name given.
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    session.verify(at: .readRealm)
    return Results(ResultsState(session: session, origin: .all(session.dynamicClass(typeName))))
  }

  /// Removes the objects of a query from the realm.
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
    session.verifyAdding(at: .delete)
    objects.state.deleteAll(in: session)
  }

  /// Removes the objects that link to another.
  public func delete<Element: ObjectBase>(_ objects: LinkingObjects<Element>) {
    session.verifyAdding(at: .delete)
    for object in Array(objects) { session.delete(object) }
  }
}

extension ResultsState {
  func deleteAll(in writing: Session) {
    if writing !== session {
      refuse(.deletedElsewhere, at: .delete)
      return
    }
    guard let elementClass, let table = elementClass.number else { return }
    session.deleteRows(allKeys(), of: table)
  }
}
