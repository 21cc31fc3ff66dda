/// What a predicate is asked about: a row of a class, or a value in a collection of values.
enum Subject {
  case row(Int64)
  case value(StoredValue)
}

/// A property path bound to a class of one session: names have become columns, and it is known whether the path
/// leads to one value or to many.
final class BoundPath {
  enum Step {
    /// A value of the row, or an object it links to.
    case value(column: UInt32)
    /// The members of a list or a set, the values of a map, or the objects that link here.
    case members(column: UInt32)
    case key(String, column: UInt32)
    case index(Int, column: UInt32)
    case keys(column: UInt32)
  }

  struct Link {
    let step: Step
    let table: BoundClass
    /// The class at the other end, where there is one.
    let target: BoundClass?
  }

  let session: Session
  let links: [Link]
  /// The last property on the way; nil for the subject itself.
  let property: Property?
  let owner: BoundClass?
  /// Whether the path leads to any number of values.
  let isMany: Bool
  /// What the values are.
  let type: PropertyType
  /// The class of the objects it leads to, where it does.
  let target: BoundClass?

  init(_ path: PropertyPath, in table: BoundClass?, of type: PropertyType, session: Session) {
    self.session = session
    var links: [Link] = []
    var here = table
    var property: Property?
    var owner: BoundClass?
    var kind = type
    var isMany = false
    var index = 0
    while index < path.steps.count {
      guard case .property(let name) = path.steps[index] else {
        refuseQuery("Invalid key path '\(path)': a map or a list must come before its keys.")
      }
      guard let table = here else {
        if let property, let owner {
          refuseQuery(
            "Property '\(property.name)' is not a link in object of type '\(owner.layout.name)'")
        }
        refuseQuery("Property '\(name)' not found in a collection of \(type.word) values")
      }
      guard let field = table.layout.index(of: name) else {
        refuseQuery("Property '\(name)' not found in object of type '\(table.layout.name)'")
      }
      let found = table.layout.fields[field]
      property = found.property
      owner = table
      kind = found.property.type == .linkingObjects ? .object : found.property.type
      here = found.linked.map(session.bound)
      let column = table.column(ofField: field)
      index += 1
      let next = index < path.steps.count ? path.steps[index] : nil
      var step = Step.value(column: column)
      if found.property.shape != .single || found.property.type == .linkingObjects {
        switch next {
        case .key(let key):
          step = .key(key, column: column)
          index += 1
        case .index(let position):
          step = .index(position, column: column)
          index += 1
        case .allKeys:
          step = .keys(column: column)
          (kind, here, isMany) = (.string, nil, true)
          index += 1
        case .allValues:
          index += 1
          fallthrough
        default:
          step = .members(column: column)
          isMany = true
        }
      }
      links.append(Link(step: step, table: table, target: here))
    }
    self.links = links
    self.property = property
    self.owner = owner
    self.isMany = isMany
    self.type = kind
    target = here
  }

  /// The column of the subject's own row, if the path is no longer than that.
  var singleColumn: UInt32? {
    guard links.count == 1, case .value(let column) = links[0].step else { return nil }
    return column
  }

  /// Calls `body` with each value the path leads to, until it returns true; returns whether it did.
  @discardableResult
  func contains(from subject: Subject, where body: (StoredValue) -> Bool) -> Bool {
    visit(subject, 0, body)
  }

  func values(from subject: Subject) -> [StoredValue] {
    var found: [StoredValue] = []
    contains(from: subject) {
      found.append($0)
      return false
    }
    return found
  }

  private func visit(_ subject: Subject, _ depth: Int, _ body: (StoredValue) -> Bool) -> Bool {
    guard depth < links.count else {
      switch subject {
      case .row(let key): return body(.link(RowLink(table: target?.table ?? 0, key: key)))
      case .value(let value): return body(value)
      }
    }
    guard case .row(let key) = subject else {
      // A link that leads nowhere: what would lie behind it is null.
      return body(.null)
    }
    let link = links[depth]
    switch link.step {
    case .value(let column):
      return follow(session.load(key, of: link.table, column: column), depth, body)
    case .members(let column):
      for value in collection(link, key, column).members() where follow(value, depth, body) {
        return true
      }
      return false
    case .keys(let column):
      for entry in collection(link, key, column).allEntries() where body(entry.key) { return true }
      return false
    case .key(let name, let column):
      let value = collection(link, key, column).value(forKey: .string(name)) ?? .null
      return follow(value, depth, body)
    case .index(let position, let column):
      let members = collection(link, key, column).members()
      let value = members.indices.contains(position) ? members[position] : .null
      return follow(value, depth, body)
    }
  }

  private func follow(_ value: StoredValue, _ depth: Int, _ body: (StoredValue) -> Bool) -> Bool {
    guard depth + 1 < links.count else { return body(value) }
    if case .link(let link) = value { return visit(.row(link.key), depth + 1, body) }
    return visit(.value(.null), depth + 1, body)
  }

  private func collection(_ link: Link, _ key: Int64, _ column: UInt32) -> ManagedCollection {
    ManagedCollection(session: session, table: link.table, key: key, column: column)
  }
}

extension ManagedCollection {
  /// The values of a list, a set or a map, or the objects that link here.
  func members() -> [StoredValue] {
    property.shape == .map ? allEntries().map(\.value) : allValues()
  }
}
