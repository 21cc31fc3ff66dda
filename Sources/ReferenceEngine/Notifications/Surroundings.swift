/// The classes whose objects can be reached from those of a class, over links in both directions:
/// what a function that is given one may look at.
struct Surroundings {
  private let classes: [ClassLayout]
  /// Whether there are mixed values among the properties, which lead to any class, or a class that
  /// is known by name alone.
  private let isEverything: Bool

  /// - Parameter bound: Nil for plain values, from which nothing is reached.
  init(of bound: BoundClass?) {
    var found: [ClassLayout] = []
    var due = bound.map { [$0.layout] } ?? []
    while let layout = due.popLast() {
      if found.contains(where: { $0 === layout }) { continue }
      found.append(layout)
      due += layout.fields.compactMap(\.linked).map(ClassLayout.of)
    }
    classes = found
    isEverything = found.contains { layout in
      layout.type == DynamicObject.self || layout.fields.contains { $0.property.type == .any }
    }
  }

  /// Whether changes are to objects of these classes.
  func contain(_ changes: ChangeSet, _ session: Session) -> Bool {
    if isEverything, !changes.isEmpty { return true }
    return classes.contains { layout in
      session.stored.index(of: layout.name).map { changes.tables[UInt32($0)] != nil } ?? false
    }
  }
}
