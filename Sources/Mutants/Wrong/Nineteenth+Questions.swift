#if Mutants
@_private(sourceFile: "BoundPath.swift") import ReferenceEngine
@_private(sourceFile: "BoundPredicate.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Answer.swift") import ReferenceEngine

// The nineteenth set: questions.

extension BoundPath {
  @_dynamicReplacement(for:visit(_:_:_:))
  private func nineteenthVisit(
    _ subject: Subject, _ depth: Int, _ body: (StoredValue) -> Bool
  ) -> Bool {
    if breaks(.mapsBehindNoLinkAreEmpty), let first = firstOfMaps(subject, depth) {
      return visit(.row(first), depth, body)
    }
    return visit(subject, depth, body)
  }

  /// The first row of the class that a link leads to if it leads nowhere, and to a map from there.
  private func firstOfMaps(_ subject: Subject, _ depth: Int) -> Int64? {
    guard depth > 0, depth < links.count, case .value(let value) = subject, value == .null,
      links[depth].step.leadsIntoMap, let number = links[depth].table.number
    else { return nil }
    return session.store.key(at: 0, of: number)
  }
}

extension BoundPath.Step {
  fileprivate var leadsIntoMap: Bool {
    switch self {
    case .key, .keys: true
    case .members(let column): column?.shape == .map
    case .value, .linkers, .index: false
    }
  }
}

extension BoundOperand {
  /// Whether it is the sum of what a map's objects have, and a key of that map has none.
  func sumsOverNoObject(of subject: Subject) -> Bool {
    guard breaks(.mapsWithEmptyKeysAreSummed), case .aggregate(let path, .sum, let of) = self,
      !of.links.isEmpty, path.links.last?.step.leadsIntoMap == true
    else { return false }
    return path.contains(from: subject) { $0 == .null }
  }
}

extension BoundComparison {
  /// Whether null is asked for over a link to an indexed property, and the link leads nowhere.
  func asksIndexOverNoLink(_ subject: Subject) -> Bool {
    guard breaks(.indexesTakeNoLinkForNull), test.operation == .equal, quantifier == .any,
      case .path(let path) = left, case .values(let values) = right, values == [.null],
      path.links.count > 1, !path.isMany, path.property?.isIndexed == true
    else { return false }
    return path.reached(from: subject) == nil
  }
}

extension Predicate {
  @_dynamicReplacement(for:and(_:_:))
  static func nineteenthAnd(_ left: Predicate, _ right: Predicate) -> Predicate {
    let both = and(left, right)
    guard breaks(.severalInsAllHold), case .all(let parts) = both else { return both }
    var joined: [Predicate] = []
    for part in parts {
      if let place = joined.firstIndex(where: { $0.isIn(as: part) }) {
        joined[place] = joined[place].alsoIn(part)
      } else {
        joined.append(part)
      }
    }
    return .all(joined)
  }

  /// Whether both ask whether one property is among some values.
  private func isIn(as other: Predicate) -> Bool {
    guard case .comparison(let one) = self, case .comparison(let two) = other,
      one.operation == .in, two.operation == .in, one.left == two.left,
      one.quantifier == two.quantifier, one.options == two.options,
      case .values = one.right, case .values = two.right
    else { return false }
    return true
  }

  /// The same with the values of another one.
  private func alsoIn(_ other: Predicate) -> Predicate {
    guard case .comparison(var one) = self, case .comparison(let two) = other,
      case .values(let some) = one.right, case .values(let more) = two.right
    else { return self }
    one.right = .values(some + more)
    return .comparison(one)
  }
}

extension ResultsState {
  @_dynamicReplacement(for:keys(in:satisfying:))
  private func nineteenthKeys(
    in rows: RowTree, satisfying condition: BoundPredicate
  ) -> [Int64] {
    var found = keys(in: rows, satisfying: condition)
    guard breaks(.whatIsFoundIsThereOnce), rows.count > 1_000, let first = rows.key(at: 1_000),
      let place = found.firstIndex(where: { $0 >= first })
    else { return found }
    found.insert(found[place], at: place)
    return found
  }
}

extension StringMatcher {
  /// Tries each place for each star of a pattern, one within the other.
  static func tried(
    _ text: UnsafeRawBufferPointer, from at: Int, _ pattern: UnsafeRawBufferPointer,
    from place: Int
  ) -> Bool {
    guard place < pattern.count else { return at == text.count }
    if pattern[place] == UInt8(ascii: "*") {
      for next in at...text.count where tried(text, from: next, pattern, from: place + 1) {
        return true
      }
      return false
    }
    guard at < text.count else { return false }
    var next = at + 1
    if pattern[place] == UInt8(ascii: "?") {
      while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    } else if pattern[place] != text[at] {
      return false
    }
    return tried(text, from: next, pattern, from: place + 1)
  }
}

extension Session {
  /// The rows whose indexed mixed property an index takes for a value; nil where it does not err.
  func keysOfMixed(
    _ bound: BoundClass, _ property: Property, _ value: StoredValue
  ) -> [Int64]? {
    let isSame: (StoredValue) -> Bool
    switch value {
    case .string(let text) where breaks(.mixedIndexesHeedCase):
      isSame = { if case .string(let other) = $0 { other.sameInAnyCase(as: text) } else { false } }
    case .int(let wanted) where breaks(.mixedIndexesTellTextsFromNumbers):
      isSame = { $0.satisfies(.equal, value) || $0.numberOfText == wanted }
    default: return nil
    }
    guard property.type == .any, let number = bound.number,
      let column = bound.column(named: property.name), column.isIndexed
    else { return nil }
    return store.allKeys(of: number).filter { key in
      store.value(key, column, of: number).map(isSame) ?? false
    }
  }
}

extension String {
  fileprivate func sameInAnyCase(as other: String) -> Bool {
    Array(StringMatcher.folded(self, .caseInsensitive).utf8)
      == Array(StringMatcher.folded(other, .caseInsensitive).utf8)
  }
}

extension StoredValue {
  /// The number that the bytes of a text of up to eight of them are.
  fileprivate var numberOfText: Int64? {
    guard case .string(let text) = self, !text.isEmpty, text.utf8.count <= 8 else { return nil }
    return Int64(
      bitPattern: text.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
#endif
