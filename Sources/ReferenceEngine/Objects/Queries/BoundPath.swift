/// What a predicate is asked about: a row of a class, or a value in a collection of values.
enum Subject {
  case row(Int64)
  case value(StoredValue)
  /// One of a sub-query whose condition looks at the object around it, too.
  case member(Member)

  /// The subject itself, or the one so many objects further out.
  func itself(_ outer: Int = 0) -> Subject {
    guard case .member(let member) = self else { return self }
    return outer == 0 ? member.subject : member.around.itself(outer - 1)
  }
}

/// A member of a collection, and the subject that has the collection.
final class Member {
  let subject: Subject
  let around: Subject

  init(_ subject: Subject, of around: Subject) {
    self.subject = subject
    self.around = around
  }
}

/// A property path bound to a class of one session: names have become columns, and it is known
/// whether the path leads to one value or to many.
///
/// Good for one state of the session: a column that is made later is not looked for again.
final class BoundPath {
  enum Step {
    /// A value of the row, or the object it links to; the property's default while the file has no
    /// column.
    case value(StoredColumn?, missing: StoredValue)
    /// The members of a list or a set, or the values of a map.
    case members(StoredColumn?)
    /// The objects whose column links here.
    case linkers(BoundClass, StoredColumn?)
    case key(String, StoredColumn?)
    case index(Int, StoredColumn?)
    case keys(StoredColumn?)
  }

  struct Link {
    let step: Step
    let table: BoundClass
    /// The class at the other end, where there is one.
    let target: BoundClass?
    /// The way on within a mixed value.
    let inside: [PropertyPath.Step]
  }

  let session: Session
  let links: [Link]
  /// The last property on the way; nil for the subject itself.
  let property: Property?
  let owner: BoundClass?
  /// Whether the path leads to any number of values.
  let isMany: Bool
  /// Whether it does so by way of a collection or of links backwards, not within a mixed value.
  private let isSpread: Bool
  /// Whether it ends in a property of each of many objects that is no collection itself.
  let isSingleOfMany: Bool
  /// Whether a null at its end is left out: behind a collection Realm asks only of links that lead
  /// somewhere, so that none of them is null.
  private let leavesOutNull: Bool
  /// What the values are.
  let type: PropertyType
  /// The class of the objects it leads to, where it does.
  let target: BoundClass?
  /// How many objects further out than the subject it begins.
  let outer: Int

  init(_ path: PropertyPath, in table: BoundClass?, of type: PropertyType, session: Session) {
    let way = PathBinding(path, in: table, of: type, session)
    self.session = session
    links = way.links
    property = way.property
    owner = way.owner
    isMany = way.isSpread || way.isOpenInside
    isSpread = way.isSpread
    isSingleOfMany = way.isSpread && way.endsInSingle
    leavesOutNull = isSingleOfMany && way.type == .object
    self.type = way.type
    target = way.target
    outer = path.outer
  }

  /// The column of the subject's own row, if the path is no longer than that and the file has it.
  var singleColumn: StoredColumn? {
    guard links.count == 1, links[0].inside.isEmpty, case .value(let column, _) = links[0].step
    else { return nil }
    return column
  }

  // MARK: Following

  /// Calls `body` with each value the path leads to, until it returns true; returns whether it did.
  @discardableResult
  func contains(from subject: Subject, where body: (StoredValue) -> Bool) -> Bool {
    visit(subject.itself(outer), 0, body)
  }

  func values(from subject: Subject) -> [StoredValue] {
    var found: [StoredValue] = []
    contains(from: subject) {
      found.append($0)
      return false
    }
    return found
  }

  /// The one value the path leads to.
  func only(from subject: Subject) -> StoredValue {
    var found = StoredValue.null
    contains(from: subject) {
      found = $0
      return true
    }
    return found
  }

  /// The one value the path leads to; nil if a link on the way leads nowhere.
  func reached(from subject: Subject) -> StoredValue? {
    var here = subject.itself(outer)
    for (depth, link) in links.enumerated().dropLast() {
      guard case .value(let column, _) = link.step else { return only(from: subject) }
      guard case .row(let key) = here, let column, let number = link.table.number,
        case .link(let next)? = session.store.value(key, column, of: number)
      else { return nil }
      here = .row(next.key)
      if depth + 2 == links.count, !isThere(next.key, links[depth + 1].table) { return nil }
    }
    var found = StoredValue.null
    _ = visit(here, max(links.count - 1, 0)) {
      found = $0
      return true
    }
    return found
  }

  private func isThere(_ key: Int64, _ table: BoundClass) -> Bool {
    table.number.map { session.store.locate(key, of: $0) != nil } ?? false
  }

  private func visit(_ subject: Subject, _ depth: Int, _ body: (StoredValue) -> Bool) -> Bool {
    guard depth < links.count else {
      switch subject {
      case .row(let key): return body(.link(RowLink(table: target?.number ?? 0, key: key)))
      case .value(let value): return body(value)
      case .member(let member): return visit(member.subject, depth, body)
      }
    }
    // Behind a link that leads nowhere, what is one is null, and of what are many there is none.
    guard case .row(let key) = subject, let number = links[depth].table.number else {
      return isSpread ? false : body(.null)
    }
    let link = links[depth]
    switch link.step {
    case .value(let column, let missing):
      guard let column else { return follow(missing, depth, body) }
      return follow(session.store.value(key, column, of: number) ?? .null, depth, body)
    case .members(let column):
      guard let column else { return false }
      return session.store.elements(key, column, of: number).contains { values, index, space in
        follow(column.value(values, index, space), depth, body)
      }
    case .linkers(let source, let column):
      guard let column, let origin = source.number else { return false }
      for linker in session.store.linkers(
        to: RowLink(table: number, key: key), from: origin, column)
      where follow(.link(RowLink(table: origin, key: linker)), depth, body) {
        return true
      }
      return false
    case .keys(let column):
      guard let column else { return false }
      return session.store.keys(key, column, of: number).contains { values, index, space in
        body(.string(String(decoding: values.bytes(index, in: space), as: UTF8.self)))
      }
    case .key(let name, let column):
      return follow(value(name, column, key, number), depth, body)
    case .index(let position, let column):
      guard let column else { return follow(.null, depth, body) }
      let tree = session.store.elements(key, column, of: number)
      guard position >= 0, position < tree.count else { return follow(.null, depth, body) }
      let (values, index) = tree.place(at: position)
      return follow(column.value(values, index, tree.space), depth, body)
    }
  }

  private func value(
    _ name: String, _ column: StoredColumn?, _ key: Int64, _ number: Int
  ) -> StoredValue {
    guard let column else { return .null }
    var position: Int?
    var at = 0
    session.store.keys(key, column, of: number).contains { values, index, space in
      if values.bytes(index, in: space).elementsEqual(name.utf8) { position = at }
      at += 1
      return position != nil
    }
    guard let position else { return .null }
    let tree = session.store.elements(key, column, of: number)
    let (values, index) = tree.place(at: position)
    return column.value(values, index, tree.space)
  }

  private func follow(_ value: StoredValue, _ depth: Int, _ body: (StoredValue) -> Bool) -> Bool {
    let inside = links[depth].inside
    if inside.isEmpty { return followed(value, depth, body) }
    return value.contains(inside[...]) { followed($0, depth, body) }
  }

  private func followed(
    _ value: StoredValue, _ depth: Int, _ body: (StoredValue) -> Bool
  ) -> Bool {
    let isLast = depth + 1 == links.count
    guard case .link(let link) = value else {
      if !isLast { return visit(.value(.null), depth + 1, body) }
      return leavesOutNull ? false : body(value)
    }
    if !isLast { return visit(.row(link.key), depth + 1, body) }
    guard link.table < 0 else { return body(value) }
    return body(.link(RowLink(table: links[depth].target?.number ?? -1, key: link.key)))
  }
}

extension StoredValue {
  /// Calls `body` with each value that some steps into it lead to, until it returns true; returns
  /// whether it did. Where there is nothing on the way, there is null at its end.
  func contains(
    _ steps: ArraySlice<PropertyPath.Step>, where body: (StoredValue) -> Bool
  ) -> Bool {
    guard let step = steps.first else { return body(self) }
    guard case .nested(let nested) = self else { return body(.null) }
    let rest = steps.dropFirst()
    switch step {
    case .index(let position) where nested.isList && nested.elements.indices.contains(position):
      return nested.elements[position].contains(rest, where: body)
    case .key(let name):
      return (nested.value(for: name) ?? .null).contains(rest, where: body)
    case .anyElement: return nested.elements.contains { $0.contains(rest, where: body) }
    default: return body(.null)
    }
  }
}

extension ListTree {
  /// Calls `body` with the place of each value in order, until it returns true; returns whether it
  /// did.
  @discardableResult
  func contains(where body: (Column, Int, NodeSpace) -> Bool) -> Bool {
    var isFound = false
    forEachColumn { column, _ in
      for index in 0..<column.count where body(column, index, space) {
        isFound = true
        return false
      }
      return true
    }
    return isFound
  }
}
