/// What a path leads to from an object or a value that no realm manages, as the classes on its way
/// say: what a `BoundPath` knows of a path in a session.
///
/// It follows no object, so it knows what lies behind links that lead nowhere, too.
struct FreePath {
  /// Whether it leads to any number of values by way of a collection or of links backwards.
  private(set) var isSpread = false
  /// Whether it leads to many within a mixed value.
  private(set) var isOpenInside = false
  /// What the values are.
  private(set) var type: PropertyType
  /// The class of the objects it leads to, where it does.
  private(set) var linked: ObjectBase.Type?
  /// Whether its last property is no collection.
  private var endsInSingle = false

  /// Nil where the classes do not say it: for names that they do not have, and for classes without
  /// a Swift type.
  init?(_ path: PropertyPath, from layout: ClassLayout?, of type: PropertyType) {
    self.type = type
    linked = layout?.type
    var layout = layout
    var steps = path.steps[...]
    while let step = steps.popFirst() {
      guard case .property(let name) = step, let index = layout?.index(of: name),
        let field = layout?.fields[index]
      else { return nil }
      self.type = field.property.type
      linked = field.linked
      pass(field.property, &steps)
      layout = linked.map(ClassLayout.of)
    }
  }

  /// Passes a property, with what the path says of its keys or positions, and of the way on within
  /// a mixed value.
  private mutating func pass(_ property: Property, _ steps: inout ArraySlice<PropertyPath.Step>) {
    endsInSingle = property.shape == .single && property.type != .linkingObjects
    if property.type == .linkingObjects {
      (type, isSpread) = (.object, true)
    } else if property.shape != .single {
      switch steps.first {
      case .key, .index: steps.removeFirst()
      case .allKeys:
        steps.removeFirst()
        (type, linked, isSpread) = (.string, nil, true)
      case .allValues:
        steps.removeFirst()
        isSpread = true
      default: isSpread = true
      }
    }
    while type == .any, let step = steps.first, step.isSubscript {
      isOpenInside = isOpenInside || step == .anyElement
      steps.removeFirst()
    }
  }

  /// Whether it leads to any number of values.
  var isMany: Bool { isSpread || isOpenInside }
  /// Whether it ends in a property of each of many objects that is no collection itself.
  var isSingleOfMany: Bool { isSpread && endsInSingle }
  /// Whether a null at its end is left out, as by a `BoundPath`.
  var leavesOutNull: Bool { isSingleOfMany && type == .object }
}
