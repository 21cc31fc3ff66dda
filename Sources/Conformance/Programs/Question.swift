import EngineUnderTest
import Harness

/// A question to a realm: the objects of a class, a collection or links backwards, some of them, in
/// an order. The model answers it, too.
struct Question {
  enum Base {
    case all
    /// A list or a set of objects: its owner, the owner's class, the member's place.
    case members(Int, Kind, Int)
    case linkers(Int, Kind, Int)
  }

  /// A property, or one of the object that a link leads to.
  struct Trail: Equatable {
    var link: Int?
    let member: Int

    func name(_ kind: Kind) -> String {
      guard let link else { return kind.members[member].name }
      return kind.members[link].name + "." + kind.members[link].target!.members[member].name
    }

    /// The value; nil where no link leads to one.
    func value(of birth: Int, in state: WideState) -> Worth? {
      guard let row = state.rows[birth] else { return nil }
      guard let link else { return row.contents[member].single }
      guard case .row(let target) = row.contents[link].single else { return nil }
      return state.rows[target]?.contents[member].single
    }
  }

  struct Order: Equatable {
    let trail: Trail
    let isAscending: Bool
  }

  /// What is asked of what is there, one after the other.
  enum Step {
    /// Whenever it is asked for, it is as if it had been first.
    case filter(Condition)
    /// What is alike keeps its order in what has one; elsewhere the births decide at last.
    case sort([Order])
    case distinct([Trail])
  }

  let kind: Kind
  let base: Base
  private(set) var steps: [Step] = []

  /// Draws one, of what there is; a plain one is of a whole class, which nobody can delete, and has
  /// members that come and go.
  init(in state: WideState, _ dice: inout SplitMix, isPlain: Bool = false) {
    func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }
    var base = Base.all
    var kind = draw(0..<3) > 0 ? Kind.piece : Kind.allCases[draw(0..<Kind.allCases.count)]
    let owners = state.births(of: kind).prefix(14)
    if !owners.isEmpty, !isPlain, draw(0..<2) == 0 {
      let owner = owners[draw(0..<owners.count)]
      if draw(0..<2) == 0 {
        let places = kind.members.indices.filter { kind.members[$0].objects != nil }
        let place = places[draw(0..<places.count)]
        base = .members(owner, kind, place)
        kind = kind.members[place].target!
      } else {
        let place = draw(0..<kind.backward.count)
        base = .linkers(owner, kind, place)
        kind = kind.backward[place].origin
      }
    }
    (self.kind, self.base) = (kind, base)
    for _ in 0..<max(0, draw(isPlain ? -1..<2 : 0..<3)) {
      steps.append(.filter(Condition(about: kind, in: state, &dice)))
    }
    var isOrdered = isInOrder
    if draw(0..<3) > 0 {
      steps.append(Question.drawSort(kind, isOrdered && draw(0..<2) == 0, &dice))
      isOrdered = true
    }
    // Further steps: each goes on from what the ones before it made.
    while isOrdered, draw(0..<3) == 0 {
      switch draw(0..<4) {
      case 0: steps.append(Question.drawSort(kind, true, &dice))
      case 1: steps.append(.filter(Condition(about: kind, in: state, &dice)))
      default: steps.append(Question.drawDistinct(kind, &dice))
      }
    }
  }

  private static func drawSort(_ kind: Kind, _ keepsTies: Bool, _ dice: inout SplitMix) -> Step {
    func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }
    let sortable = kind.members.indices.filter { kind.members[$0].isSortable }
    let links = kind.members.indices.filter { kind.members[$0].isLink }
    var orders: [Order] = []
    for _ in 0..<(1 + draw(2)) {
      var trail = Trail(member: sortable[draw(sortable.count)])
      if draw(5) == 0, let link = links.randomElement(using: &dice) {
        trail = Trail(link: link, member: 2)
      }
      if orders.contains(where: { $0.trail == trail }) { continue }
      orders.append(Order(trail: trail, isAscending: draw(2) == 0))
    }
    if !keepsTies { orders.append(Order(trail: Trail(member: 0), isAscending: true)) }
    return .sort(orders)
  }

  private static func drawDistinct(_ kind: Kind, _ dice: inout SplitMix) -> Step {
    let members = kind.members.indices.filter { kind.members[$0].isDistinct }
    let links = kind.members.indices.filter { kind.members[$0].isLink }
    var trails = [Trail(member: members.randomElement(using: &dice)!)]
    switch Int.random(in: 0..<5, using: &dice) {
    case 0:
      let other = Trail(member: members.randomElement(using: &dice)!)
      if other != trails[0] { trails.append(other) }
    case 1: trails = [Trail(link: links.randomElement(using: &dice)!, member: 2)]
    default: break
    }
    return .distinct(trails)
  }

  /// Whether it is asked of members that have an order of their own.
  private var isInOrder: Bool {
    guard case .members(_, let owner, let place) = base else { return false }
    if case .list = owner.members[place].blank { return true }
    return false
  }

  /// Whether it only filters.
  var onlyFilters: Bool {
    steps.allSatisfy { if case .filter = $0 { true } else { false } }
  }

  /// What must be found; nil if whoever it is asked of, or who is named in it, is gone.
  func expected(in state: WideState) -> Expected? {
    var births: [Int]
    var isOrdered = isInOrder
    switch base {
    case .all: births = state.births(of: kind)
    case .members(let owner, _, let place):
      guard let content = state.content(owner, place) else { return nil }
      births = content.targets
    case .linkers(let owner, let kind, let place):
      if state.rows[owner] == nil { return nil }
      let backward = kind.backward[place]
      births = state.linkers(owner, backward.origin, backward.member)
    }
    for case .filter(let filter) in steps {
      if filter.namesWhoIsGone(kind, in: state) { return nil }
      births = births.filter { filter.holds(of: $0, in: state) }
    }
    for step in steps {
      switch step {
      case .filter: break
      case .sort(let orders):
        births = sorted(births, orders, in: state)
        isOrdered = true
      case .distinct(let trails):
        var seen: Set<[Worth]> = []
        births = births.filter { birth in
          let values = trails.compactMap { $0.value(of: birth, in: state) }
          return values.count == trails.count && seen.insert(values).inserted
        }
      }
    }
    return Expected(births.map(Worth.row), isOrdered: isOrdered)
  }

  private func sorted(_ births: [Int], _ orders: [Order], in state: WideState) -> [Int] {
    let all = births.map { birth in
      (birth: birth, values: orders.map { $0.trail.value(of: birth, in: state) })
    }
    return all.enumerated().sorted { one, two in
      for (place, order) in orders.enumerated() {
        switch (one.element.values[place], two.element.values[place]) {
        case (nil, nil): continue
        // Whoever has no link comes behind everybody, and before them the other way round.
        case (nil, _): return !order.isAscending
        case (_, nil): return order.isAscending
        case (let left?, let right?):
          if left.precedes(right) { return order.isAscending }
          if right.precedes(left) { return !order.isAscending }
        }
      }
      return one.offset < two.offset
    }.map(\.element.birth)
  }

  /// Asks it; nil if there is nobody to be asked.
  func asked<T: Wide>(of type: T.Type, _ finder: Finder) -> AnyRealmCollection<T>? {
    var found: AnyRealmCollection<T>
    switch base {
    case .all: found = AnyRealmCollection(finder.realm.objects(T.self))
    case .members(let owner, let kind, let place):
      guard let object = finder.object(owner) else { return nil }
      found = kind.members[place].objects!(object) as! AnyRealmCollection<T>
    case .linkers(let owner, let kind, let place):
      guard let object = finder.object(owner) else { return nil }
      found = kind.backward[place].objects(object) as! AnyRealmCollection<T>
    }
    for step in steps {
      switch step {
      case .filter(let filter): found = filter.members(of: found, finder)
      case .sort(let orders) where orders.count == 1:
        found = AnyRealmCollection(
          found.sorted(
            byKeyPath: orders[0].trail.name(kind), ascending: orders[0].isAscending))
      case .sort(let orders):
        found = AnyRealmCollection(
          found.sorted(
            by: orders.map {
              SortDescriptor(keyPath: $0.trail.name(kind), ascending: $0.isAscending)
            }))
      case .distinct(let trails):
        found = AnyRealmCollection(found.distinct(by: trails.map { $0.name(kind) }))
      }
    }
    return found
  }

  /// What it asks, for people.
  var words: String {
    let place =
      switch base {
      case .all: "objects of \(kind)"
      case .members(let owner, let kind, let place): "\(kind.members[place].name) of row \(owner)"
      case .linkers(let owner, let kind, let place): "\(kind.backward[place].name) of row \(owner)"
      }
    return steps.reduce(place) { words, step in
      switch step {
      case .filter(let filter): return words + " where \(filter.words(kind))"
      case .sort(let orders):
        let all = orders.map { $0.trail.name(kind) + ($0.isAscending ? "" : " down") }
        return words + " sorted by \(all)"
      case .distinct(let trails): return words + " distinct by \(trails.map { $0.name(kind) })"
      }
    }
  }
}

extension Member {
  /// Whether `distinct` may be asked by it.
  fileprivate var isDistinct: Bool { isSortable && !isCollection }
}
