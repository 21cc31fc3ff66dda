extension PredicateBinding {
  /// The columnar form of a comparison of one of the subject's own numbers with a number of its
  /// kind; nil for any other. It says what `columnTest` does, which needs a bound path and lists of
  /// constants for it: to make and drop those took longer than to look through a small table.
  func numberTest(_ comparison: Comparison) -> ColumnTest? {
    guard !comparison.isQuantified, case .path(let path) = comparison.left,
      case .value(let value) = comparison.right, path.outer == 0, path.steps.count == 1,
      case .property(let name) = path.steps[0], let table,
      let index = table.layout.index(of: name)
    else { return nil }
    let operation = comparison.operation
    guard operation == .equal || operation == .notEqual || operation.isOrdering,
      operation != .between, let column = table.column(table.columns[index])?.number
    else { return nil }
    let property = table.layout.fields[index].property
    guard property.shape == .single, property.isStored else { return nil }
    let place = ColumnTest.Place(
      table: table, column: column, session: session, isNullable: property.isOptional)
    switch (property.type, value) {
    case (.int, .int(let number)):
      return IntegerTest(
        place, IntegerBounds(operation, whole: number), isNegated: operation == .notEqual)
    case (.double, .double(let number)):
      return FractionBounds(operation, fraction: number).map {
        FractionTest(place, $0, isNegated: operation == .notEqual, isFloat: false)
      }
    case (.date, .date(let date)):
      return FractionBounds(operation, fraction: date.timeIntervalSinceReferenceDate).map {
        FractionTest(place, $0, isNegated: operation == .notEqual, isFloat: false)
      }
    default: return nil
    }
  }

  /// The columnar form of a comparison, where there is one.
  func columnTest(
    _ path: BoundPath, _ operation: Comparison.Operation, _ values: [StoredValue], _ test: ValueTest
  ) -> ColumnTest? {
    // A mixed value says itself what it is, so it is asked one by one.
    guard let column = path.singleColumn?.number, let property = path.property,
      let table = path.owner, property.type != .any
    else { return nil }
    let place = ColumnTest.Place(
      table: table, column: column, session: session,
      isNullable: property.isOptional || property.type == .object)
    if values == [.null], let wantsNull = operation.asksForNull {
      return NullTest(place, wantsNull: wantsNull)
    }
    switch property.type {
    case .int, .bool, .object: return integerTest(place, operation, values)
    case .float, .double, .date:
      return fractionTest(place, operation, values, isFloat: property.type == .float)
    case .string, .data:
      if let members = test.members {
        return TextSetTest(place, members, isData: property.type == .data)
      }
      return textMatcher(operation, values, test.options).map { TextTest(place, $0) }
    case .UUID, .objectId: return identityTest(place, operation, values)
    default: return nil
    }
  }

  private func integerTest(
    _ place: ColumnTest.Place, _ operation: Comparison.Operation, _ values: [StoredValue]
  ) -> ColumnTest? {
    guard operation == .in else {
      return IntegerBounds(operation, values).map {
        IntegerTest(place, $0, isNegated: operation == .notEqual)
      }
    }
    var members: Set<Int64> = []
    for value in values where value != .null {
      guard let bounds = IntegerBounds(.equal, [value]) else { return nil }
      if bounds.low == bounds.high { members.insert(bounds.low) }
    }
    return IntegerSetTest(place, members, hasNull: values.contains(.null))
  }

  private func fractionTest(
    _ place: ColumnTest.Place, _ operation: Comparison.Operation, _ values: [StoredValue],
    isFloat: Bool
  ) -> ColumnTest? {
    guard operation == .in else {
      return FractionBounds(operation, values).map {
        FractionTest(place, $0, isNegated: operation == .notEqual, isFloat: isFloat)
      }
    }
    var members: Set<Double> = []
    for value in values {
      switch value {
      case .null: break
      case .float(let number): members.insert(Double(number))
      case .double(let number): members.insert(number)
      case .date(let date): members.insert(date.timeIntervalSinceReferenceDate)
      // One that a double cannot hold exactly equals none.
      case .int(let number): if let exact = Double(exactly: number) { members.insert(exact) }
      default: return nil
      }
    }
    return FractionSetTest(
      place, members, hasNull: values.contains(.null), isFloat: isFloat)
  }

  private func textMatcher(
    _ operation: Comparison.Operation, _ values: [StoredValue], _ options: StringOptions
  ) -> StringMatcher? {
    guard operation != .between, values.count == 1 else { return nil }
    switch values[0] {
    case .string(let text): return StringMatcher(operation, text, options: options)
    case .data(let data): return StringMatcher(operation, bytes: data)
    case .null: return StringMatcher(operation, nil, options: options)
    default: return nil
    }
  }

  private func identityTest(
    _ place: ColumnTest.Place, _ operation: Comparison.Operation, _ values: [StoredValue]
  ) -> ColumnTest? {
    guard operation == .equal || operation == .notEqual || operation == .in else { return nil }
    var members: [[UInt8]] = []
    for value in values {
      switch value {
      case .uuid(let id): members.append(id.fixedBytes)
      case .objectId(let id): members.append(id.fixedBytes)
      case .null: break
      default: return nil
      }
    }
    return IdentityTest(
      place, members, hasNull: values.contains(.null), isNegated: operation == .notEqual)
  }
}

extension Comparison.Operation {
  /// What the operation means beside null: whether null satisfies it, or everything else; nil if
  /// nothing does.
  fileprivate var asksForNull: Bool? {
    switch self {
    case .equal, .lessOrEqual, .greaterOrEqual: true
    case .notEqual: false
    default: nil
    }
  }
}
