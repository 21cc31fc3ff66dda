/// The classes of frozen sessions as one schema of the file has them. Nothing of them ever changes,
/// so that all that are frozen of a session at that schema share them, and freezing connects none.
final class FrozenClasses {
  /// The node that holds the schema.
  let schemaRef: NodeRef
  let classes: ByClass<BoundClass>
  let classesByName: [String: BoundClass]
  /// The tables of the schema, of whatever class, in which keys may be given again.
  let tablesOfReusedKeys: Set<UInt32>
  /// The same, found faster.
  let shelf = ClassShelf.make()

  /// The classes of a session, which reads the schema and knows that they fit it.
  init(of live: Session, _ schemaRef: NodeRef) {
    self.schemaRef = schemaRef
    let schema = live.stored
    tablesOfReusedKeys = schema.tablesOfReusedKeys
    classes = live.classes.byType.mapValues { known in
      let bound = BoundClass(known.layout)
      bound.connect(to: schema)
      return bound
    }
    var byName: [String: BoundClass] = [:]
    for (id, bound) in classes.all {
      byName[bound.name] = bound
      shelf.put(bound, id)
    }
    classesByName = byName
  }

  deinit { shelf.deallocate() }
}
