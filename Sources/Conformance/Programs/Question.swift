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

  let kind: Kind
  let base: Base
  var filters: [Condition] = []
  /// Members' places and whether ascending. What is alike keeps its order in a list; elsewhere the
  /// births decide at last.
  var sort: [(member: Int, isAscending: Bool)] = []
  var distinct: Int?

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
      filters.append(Condition(about: kind, in: state, &dice))
    }
    let sortable = kind.members.indices.filter { kind.members[$0].isSortable }
    if draw(0..<3) > 0 {
      for _ in 0..<draw(1..<3) {
        let member = sortable[draw(0..<sortable.count)]
        if !sort.contains(where: { $0.member == member }) {
          sort.append((member, draw(0..<2) == 0))
        }
      }
      if !isInOrder || draw(0..<2) == 0 { sort.append((0, true)) }
    }
    if isSorted || isInOrder, draw(0..<4) == 0 {
      distinct = kind.members.indices.filter { kind.members[$0].isDistinct }.randomElement(
        using: &dice)
    }
  }

  /// Whether it is asked of members that have an order of their own.
  private var isInOrder: Bool {
    guard case .members(_, let owner, let place) = base else { return false }
    if case .list = owner.members[place].blank { return true }
    return false
  }
  private var isSorted: Bool { !sort.isEmpty }

  /// What must be found; nil if whoever it is asked of is gone.
  func expected(in state: WideState) -> Expected? {
    var births: [Int]
    var isOrdered = false
    switch base {
    case .all: births = state.births(of: kind)
    case .members(let owner, _, let place):
      guard let content = state.content(owner, place) else { return nil }
      births = content.targets
      if case .list = content { isOrdered = true }
    case .linkers(let owner, let kind, let place):
      if state.rows[owner] == nil { return nil }
      let backward = kind.backward[place]
      births = state.linkers(owner, backward.origin, backward.member)
    }
    for filter in filters { births = births.filter { filter.holds(of: $0, in: state) } }
    if !sort.isEmpty {
      births = sorted(births, in: state)
      isOrdered = true
    }
    if let distinct {
      var seen: Set<Worth> = []
      births = births.filter { seen.insert(state.rows[$0]!.contents[distinct].single).inserted }
    }
    return Expected(births.map(Worth.row), isOrdered: isOrdered)
  }

  private func sorted(_ births: [Int], in state: WideState) -> [Int] {
    births.enumerated().sorted { one, two in
      for (member, isAscending) in sort {
        let left = state.rows[one.element]!.contents[member].single
        let right = state.rows[two.element]!.contents[member].single
        if left.precedes(right) { return isAscending }
        if right.precedes(left) { return !isAscending }
      }
      return one.offset < two.offset
    }.map(\.element)
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
    for filter in filters { found = filter.members(of: found, finder) }
    if !sort.isEmpty {
      found = AnyRealmCollection(
        found.sorted(
          by: sort.map {
            SortDescriptor(keyPath: kind.members[$0.member].name, ascending: $0.isAscending)
          }))
    }
    if let distinct {
      found = AnyRealmCollection(found.distinct(by: [kind.members[distinct].name]))
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
    let some = filters.map { " where \($0.words(kind))" }.joined()
    let order = sort.map { "\(kind.members[$0.member].name)\($0.isAscending ? "" : " down")" }
    return place + some + (order.isEmpty ? "" : " sorted by \(order)")
      + (distinct.map { " distinct by \(kind.members[$0].name)" } ?? "")
  }
}

extension Member {
  /// Whether `distinct` may be asked by it.
  fileprivate var isDistinct: Bool { isSortable && !isCollection }
}
