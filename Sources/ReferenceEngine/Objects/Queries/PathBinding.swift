/// How the names of a property path become columns, one link after the other.
///
/// A link takes from the path the name of a property, then which part of a collection is meant,
/// then the way on within a mixed value. What cannot be followed is refused in Realm's words.
///
/// Its steps are inlined, and it counts what it has taken instead of holding the rest: a sum over a
/// few thousand rows takes hardly longer than binding its path.
struct PathBinding {
  private let session: Session
  private let path: PropertyPath
  /// How many of the path's steps are bound.
  private var taken = 0

  private(set) var links: [BoundPath.Link] = []
  /// The last property on the way, and the class that has it.
  private(set) var property: Property?
  private(set) var owner: BoundClass?
  /// What lies at the end, so far, and the class of it, if that is objects.
  private(set) var type: PropertyType
  private(set) var target: BoundClass?
  /// Whether it leads to many by way of a collection or of links backwards.
  private(set) var isSpread = false
  /// Whether it leads to many within a mixed value.
  private(set) var isOpenInside = false

  /// Whether its last property is no collection.
  var endsInSingle: Bool {
    guard let last = links.last, case .value = last.step else { return false }
    return true
  }

  init(_ path: PropertyPath, in table: BoundClass?, of type: PropertyType, _ session: Session) {
    self.session = session
    self.path = path
    self.type = type
    target = table
    while taken < path.steps.count { bindLink() }
  }

  /// The step that is bound next.
  private var next: PropertyPath.Step? {
    @inline(__always) get { taken < path.steps.count ? path.steps[taken] : nil }
  }

  @inline(__always)
  private mutating func bindLink() {
    let (place, table) = takeProperty()
    let field = table.layout.fields[place]
    let column = table.column(table.columns[place])
    property = field.property
    owner = table
    type = field.property.type == .linkingObjects ? .object : field.property.type
    target = session.linkedClass(of: field)
    let step = step(over: field.property, column)
    let inside = takeInside()
    links.append(BoundPath.Link(step: step, table: table, target: target, inside: inside))
  }

  /// Takes the name of a property: its place in the class that the way has come to.
  @inline(__always)
  private mutating func takeProperty() -> (Int, BoundClass) {
    guard case .property(let name)? = next else {
      refuseQuery("Invalid key path '\(path)': a map or a list must come before its keys.")
    }
    taken += 1
    guard let table = target else {
      if let property, let owner {
        refuseQuery("Property '\(property.name)' is not a link in object of type '\(owner.name)'")
      }
      refuseQuery("Property '\(name)' not found in a collection of \(type.word) values")
    }
    guard let place = table.layout.index(of: name) else {
      refuseQuery("Property '\(name)' not found in object of type '\(table.name)'")
    }
    return (place, table)
  }

  /// The step over a property, with what the path says of its keys or positions.
  @inline(__always)
  private mutating func step(over property: Property, _ column: StoredColumn?) -> BoundPath.Step {
    if property.type == .linkingObjects, let source = target {
      isSpread = true
      return .linkers(source, source.column(named: property.linkOriginPropertyName ?? ""))
    }
    if property.shape == .single { return .value(column, missing: property.missing) }
    switch next {
    case .key(let key):
      taken += 1
      return .key(key, column)
    case .index(let position):
      taken += 1
      return .index(position, column)
    case .allKeys:
      taken += 1
      (type, target, isSpread) = (.string, nil, true)
      return .keys(column)
    case .allValues:
      taken += 1
      isSpread = true
      return .members(column)
    default:
      isSpread = true
      return .members(column)
    }
  }

  /// Takes the way on within a mixed value.
  @inline(__always)
  private mutating func takeInside() -> [PropertyPath.Step] {
    var inside: [PropertyPath.Step] = []
    while type == .any, let step = next, step.isSubscript {
      inside.append(step)
      isOpenInside = isOpenInside || step == .anyElement
      taken += 1
    }
    return inside
  }
}
