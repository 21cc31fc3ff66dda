/// Binds predicates to a class, or to a kind of value, of one session.
///
/// This is where a predicate meets the schema, so this is where its mistakes are told, in Realm's
/// words.
struct PredicateBinding {
  let session: Session
  /// The class of the subjects; nil where they are values.
  let table: BoundClass?
  /// What the subjects are.
  let type: PropertyType
  /// The classes of the objects around the subjects of a sub-query, innermost first.
  var around: [BoundClass?] = []

  func bind(_ predicate: Predicate) -> BoundPredicate {
    switch predicate {
    case .constant(let truth): return BoundConstant(truth)
    case .not(let inner): return BoundNot(bind(inner))
    case .all(let parts) where parts.count == 1: return bind(parts[0])
    case .any(let parts) where parts.count == 1: return bind(parts[0])
    case .all(let parts): return BoundAll(parts.map(bind))
    case .any(let parts): return BoundAny(parts.map(bind))
    case .comparison(let comparison): return bind(comparison)
    }
  }

  func path(_ path: PropertyPath) -> BoundPath {
    if path.outer == 0 { return BoundPath(path, in: table, of: type, session: session) }
    guard around.indices.contains(path.outer - 1) else {
      refuseQuery("'\(path)' is about an object around a sub-query that there is not")
    }
    return BoundPath(path, in: around[path.outer - 1], of: .object, session: session)
  }

  /// The class and the name at which a path of names ends in nothing; nil if all its names are
  /// those of properties.
  func missing(in keyPath: String) -> (owner: String, name: String)? {
    var here = table?.layout
    for step in PropertyPath(dotted: keyPath).steps {
      guard case .property(let name) = step, let layout = here else { return nil }
      guard let field = layout.index(of: name) else { return (layout.name, name) }
      here = session.linkedClass(of: layout.fields[field])?.layout
    }
    return nil
  }

  /// What keeps objects from being sorted by a key path, in Realm's words. Most are asked about
  /// paths that nothing keeps: for those nothing is put into words.
  func flaw(inSorting keyPath: String) -> String? {
    var here = table?.layout
    var rest: Substring? = keyPath[...]
    while let layout = here, let names = rest {
      let dot = names.firstIndex(of: ".")
      let name = names[..<(dot ?? names.endIndex)]
      rest = dot.map { names[names.index(after: $0)...] }
      if name.isEmpty || rest.map({ $0.isEmpty || $0.first == "." }) ?? false {
        return "missing property name"
      }
      var place: String { "property '\(layout.name).\(name)'" }
      guard let index = layout.index(of: String(name)) else { return "\(place) does not exist" }
      let property = layout.fields[index].property
      let many: String? =
        switch property.shape {
        case .list: "array"
        case .set: "set"
        case .map: "dictionary"
        case .single: property.type == .linkingObjects ? "linking objects" : nil
        }
      if let many { return "\(place) is of unsupported type '\(many)'" }
      here = session.linkedClass(of: layout.fields[index])?.layout
      if here != nil, rest == nil {
        return "\(place) of type 'object' cannot be the final property in the key path"
      }
      if here == nil, rest != nil {
        return "\(place) of type '\(property.typeWords)' may only be the final property in the key "
          + "path"
      }
    }
    return nil
  }

  /// Whether a predicate asks for the value of an indexed property and nothing can be wrong with
  /// it: an index answers it, so that it mostly need not be bound.
  func isLookup(_ predicate: Predicate) -> Bool {
    guard case .comparison(let comparison) = predicate, comparison.operation == .equal,
      !comparison.isQuantified, case .path(let path) = comparison.left,
      case .value(let value) = comparison.right, path.outer == 0, path.steps.count == 1,
      case .property(let name) = path.steps[0], let layout = table?.layout,
      let index = layout.index(of: name)
    else { return false }
    let property = layout.fields[index].property
    return property.isIndexed && property.shape == .single && property.isStored
      && property.type != .any && property.type != .object && property.type.accepts(value)
  }

  private func bind(_ given: Comparison) -> BoundPredicate {
    if let test = numberTest(given) { return test }
    let comparison = given.turned
    let left = operand(comparison.left)
    var right = operand(comparison.right)
    guard !left.isConstant else {
      refuseQuery(
        "Predicate expressions must compare a keypath and another keypath or a constant value: "
          + "\(given)")
    }
    if comparison.isQuantified { check(comparison.quantifier, left, right) }
    var operation = comparison.operation
    // A collection contains a value if one of its members equals it; a string contains a part of
    // itself.
    if operation == .contains, case .path(let path) = left, path.isMany, path.type != .string,
      path.type != .data
    {
      operation = .equal
    }
    if operation == .in, case .path = right { operation = .equal }
    if case .values(let values) = right {
      right = .values(values.map { constant($0, for: left, operation, comparison) })
    }
    check(operation, left)
    if case .aggregate(_, .count, _) = comparison.left, case .values(let values) = right,
      !values.allSatisfy(\.isNumber)
    {
      refuseQuery("@count can only be compared with a numeric value.")
    }
    if let order = orderOfNone(left, comparison, right) { return order }
    let constants: [StoredValue] = if case .values(let values) = right { values } else { [] }
    let test = ValueTest(operation, comparison.options, constants: constants)
    if case .path(let path) = left, case .values(let values) = right, path.outer == 0,
      let column = columnTest(path, operation, values, test)
    {
      return comparison.quantifier == .none ? BoundNot(column) : column
    }
    return BoundComparison(left, right, comparison.quantifier, test)
  }

  /// What a comparison of a text with null asks.
  private func orderOfNone(
    _ left: BoundOperand, _ comparison: Comparison, _ right: BoundOperand
  ) -> BoundPredicate? {
    guard case .path(let path) = left, path.type.isText, case .values([.null]) = right else {
      return nil
    }
    switch comparison.orderOfNone(isMany: path.isMany) {
    case .constant(let truth)?: return BoundConstant(truth)
    case .comparison(let asked)?:
      let test = ValueTest(asked.operation, [], constants: [.null])
      return BoundComparison(left, right, asked.quantifier, test)
    default: return nil
    }
  }

  private func operand(_ operand: Operand) -> BoundOperand {
    switch operand {
    case .value(let value): return .values([value])
    case .values(let values): return .values(values)
    case .path(let path): return .path(self.path(path))
    case .aggregate(let collection, let aggregate, let of):
      let bound = path(collection)
      guard bound.isMany else {
        refuseQuery(
          "Aggregate operations can only be used on key paths that include a collection property: "
            + "\(collection).\(aggregate.rawValue)")
      }
      if bound.isSingleOfMany, bound.type != .any { aggregate.refuseSingle(collection, of) }
      let member = BoundPath(of, in: bound.target, of: bound.type, session: session)
      if aggregate != .count, !member.type.isNumeric {
        aggregate.refuse(collection, of, ofType: member.type)
      }
      guard !bound.isSingleOfMany, let (owners, own) = collection.ofEach(aggregate, of) else {
        return .aggregate(bound, aggregate, of: member)
      }
      let holders = path(owners)
      guard holders.isMany else { return .aggregate(bound, aggregate, of: member) }
      let last = BoundPath(own, in: holders.target, of: .object, session: session)
      return .each(holders, .aggregate(last, aggregate, of: member))
    case .subqueryCount(let collection, let predicate):
      let bound = path(collection)
      guard bound.isMany else {
        refuseQuery("SUBQUERY can only be used on a collection property, not '\(collection)'")
      }
      let inner = PredicateBinding(
        session: session, table: bound.target, type: bound.type, around: [table] + around)
      return .subqueryCount(bound, inner.bind(predicate), looksAround: predicate.looksAround())
    }
  }

  // MARK: Types

  /// The constant in the form the left side is compared with.
  private func constant(
    _ value: StoredValue, for left: BoundOperand, _ operation: Comparison.Operation,
    _ comparison: Comparison
  ) -> StoredValue {
    // What is computed of floats is compared with the float that the constant stands for.
    if let type = left.computedType { return value.converted(for: type) }
    guard case .path(let path) = left else { return value }
    if let object = value.object, let owner = object._header.pointee.session,
      owner.coordinator !== session.coordinator
    {
      refuseQuery("Object must be from the Realm being queried")
    }
    let value = session.stored(value)
    if path.links.isEmpty, path.type == .object {
      // SELF, a row: compared with an object of the class.
      return value
    }
    guard path.type.accepts(value) else {
      let name = path.property.map(\.name) ?? "self"
      let owner = path.owner?.name ?? "collection"
      refuseQuery(
        "Expected object of type \(path.type.word) for property '\(name)' on object of type "
          + "'\(owner)', but received: \(value.literal)")
    }
    if case .link(let link) = value, path.type == .object, let target = path.target,
      target.number != link.table
    {
      refuseQuery(
        "Expected object of type \(target.name) for property '\(path.property?.name ?? "self")', "
          + "but received an object of another class")
    }
    return value.converted(for: path.type)
  }

  /// Of a single value compared with a constant nobody can ask for any, all or none. Two properties
  /// may be: in Realm, too, the word means nothing then.
  private func check(
    _ quantifier: Comparison.Quantifier, _ left: BoundOperand, _ right: BoundOperand
  ) {
    guard case .path(let path) = left, case .values = right, !path.isMany, path.type != .any else {
      return
    }
    quantifier.refuseSingle()
  }

  private func check(_ operation: Comparison.Operation, _ left: BoundOperand) {
    guard case .path(let path) = left, path.type != .any else { return }
    let name = path.property?.name ?? "self"
    let isText = path.type == .string || path.type == .data
    if operation.isStringOnly || operation == .contains, !isText {
      refuseQuery(
        "Operator '\(operation.rawValue)' not supported for type \(path.type.word) "
          + "of property '\(name)'")
    }
    if operation.isOrdering, path.type == .object || path.type == .bool {
      refuseQuery(
        "Operator '\(operation.rawValue)' not supported for type \(path.type.word) "
          + "of property '\(name)'")
    }
  }
}

extension Comparison {
  /// The same comparison with the constant at the right: `3 < age` is `age > 3`, `%@ IN dogs` is
  /// `dogs == %@`.
  var turned: Comparison {
    guard case .value = left else { return self }
    var turned = self
    if let mirrored = operation.mirrored {
      turned.operation = mirrored
    } else if operation == .in {
      turned.operation = .equal
    } else {
      return self
    }
    (turned.left, turned.right) = (right, left)
    return turned
  }
}

extension Comparison {
  /// What the comparison of a text with null asks, where the order says it: null sorts before every
  /// text. The words before it ask of as many as they did.
  func orderOfNone(isMany: Bool) -> Predicate? {
    var asked = self
    switch operation {
    case .greater: asked.operation = .notEqual
    case .lessOrEqual: asked.operation = .equal
    case .greaterOrEqual where !isMany: return .constant(true)
    case .less where !isMany: return .constant(false)
    default: return nil
    }
    return .comparison(asked)
  }
}

extension Comparison.Quantifier {
  /// Stops whoever asks it of what is no collection.
  func refuseSingle() -> Never {
    switch self {
    case .any, .none:
      // Realm's own words, article and all. NONE is NOT ANY there.
      refuseQuery(
        "Aggregate operations can only be used on key paths that include an collection property")
    case .all: refuseQuery("The keypath following 'ALL' must contain a list")
    }
  }
}

extension Aggregate {
  /// Stops whoever wants it of a property behind a collection that is none itself, in Realm's
  /// words: what is counted is what one collection has.
  func refuseSingle(_ collection: PropertyPath, _ property: PropertyPath) -> Never {
    let end = property.steps.isEmpty ? "" : ".\(property)"
    refuseQuery(
      "Invalid keypath '\(collection).\(rawValue)\(end)': collection operation '\(rawValue)' "
        + "must be applied to a collection")
  }

  /// Stops whoever wants it of what are no numbers.
  func refuse(
    _ collection: PropertyPath, _ property: PropertyPath, ofType type: PropertyType
  ) -> Never {
    refuseQuery(
      "Invalid predicate: \(rawValue) can only be applied to a numeric property, "
        + "not '\(collection).\(property)' of type \(type.word)")
  }
}

extension PropertyPath {
  /// The way to the objects that each have a collection of which something is computed, and the way
  /// on from one of them; nil where one value is computed of all that the path leads to. As in
  /// Realm each of many collections has a count of its own, and so has what is computed of their
  /// values; what is computed of a property of linked objects is computed of all of them.
  func ofEach(
    _ aggregate: Aggregate, _ of: PropertyPath
  ) -> (owners: PropertyPath, own: PropertyPath)? {
    guard aggregate == .count || of.steps.isEmpty,
      let last = steps.lastIndex(where: { if case .property = $0 { true } else { false } }),
      last > 0
    else { return nil }
    var owners = PropertyPath(Array(steps[..<last]))
    owners.outer = outer
    return (owners, dropping(last))
  }
}

extension BoundOperand {
  fileprivate var isConstant: Bool { if case .values = self { true } else { false } }

  /// The type of what something is computed of; nil for counts, and where nothing is.
  fileprivate var computedType: PropertyType? {
    switch self {
    case .aggregate(_, let aggregate, let of): aggregate == .count ? nil : of.type
    case .each(_, let operand): operand.computedType
    case .values, .path, .subqueryCount: nil
    }
  }
}

extension Operand {
  /// Its constants in the kind that a column of the type keeps.
  func converted(for type: PropertyType) -> Operand {
    switch self {
    case .value(let value): .value(value.converted(for: type))
    case .values(let values): .values(values.map { $0.converted(for: type) })
    case .path, .aggregate, .subqueryCount: self
    }
  }
}

extension PropertyType {
  /// Whether it is compared as bytes are.
  var isText: Bool { self == .string || self == .data }

  var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal128, .date, .any: true
    default: false
    }
  }

  /// Whether a property of this type can be compared with the constant.
  func accepts(_ value: StoredValue) -> Bool {
    switch (self, value) {
    case (_, .null), (.any, _): true
    case (.int, .int), (.int, .bool), (.int, .double), (.int, .float), (.int, .decimal): true
    case (.float, .int), (.float, .double), (.float, .float), (.float, .decimal): true
    case (.double, .int), (.double, .double), (.double, .float), (.double, .decimal): true
    case (.decimal128, .int), (.decimal128, .double), (.decimal128, .float),
      (.decimal128, .decimal):
      true
    case (.bool, .bool): true
    case (.bool, .int(let number)): number == 0 || number == 1
    case (.string, .string), (.data, .data), (.date, .date), (.objectId, .objectId): true
    case (.UUID, .uuid), (.object, .link), (.object, .instance): true
    case (.linkingObjects, .link), (.linkingObjects, .instance): true
    default: false
    }
  }
}

extension StoredValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .bool, .float, .double, .decimal: true
    default: false
    }
  }

  /// A constant in the kind that a column of the type keeps, where that changes nothing about its
  /// order.
  func converted(for type: PropertyType) -> StoredValue {
    switch (type, self) {
    case (.int, .bool(let truth)): .int(truth ? 1 : 0)
    case (.bool, .int(let number)): .bool(number != 0)
    case (.double, .float(let number)): .double(Double(number))
    // What a float property can hold at all: `== 1.1` means the float nearest to it.
    case (.float, .double(let number)): .float(Float(number))
    case (.float, .int(let number)): .float(Float(number))
    default: self
    }
  }
}
