/// A comparison of one column of the subject's own row with constants: what most queries are made
/// of.
///
/// It works on a whole cluster at a time, on the bytes as the file keeps them, and makes no values
/// of them. A subclass says which values match; what null means, what a missing column holds and
/// the negation are seen to here.
class ColumnTest: BoundPredicate {
  /// Where the column is, and how its test treats what is no match.
  struct Place {
    let table: BoundClass
    let column: Int
    let session: Session
    let isNullable: Bool
  }

  private let place: Place
  /// Whether the values that do not match satisfy the test, instead of those that do.
  private let isNegated: Bool
  /// Whether null satisfies it.
  private let acceptsNull: Bool

  init(_ place: Place, isNegated: Bool = false, acceptsNull: Bool) {
    self.place = place
    self.isNegated = isNegated
    self.acceptsNull = acceptsNull
  }

  /// Which of the candidates' values match. What it says of nulls, and of other rows, counts for
  /// nothing.
  func matches(
    _ values: Column, _ candidates: RowMask, count: Int, in space: NodeSpace
  ) -> RowMask { .none }

  override var cost: Cost { .look }

  /// Whether zero matches, or the empty value: what a missing column holds that knows no null.
  var matchesZero: Bool { false }

  override final func select(
    _ cluster: Cluster, _ candidates: RowMask, in space: NodeSpace
  ) -> RowMask {
    let all = RowMask(first: cluster.count)
    let node = cluster.column(place.column)
    if node.isNone {
      let holds = place.isNullable ? acceptsNull : matchesZero != isNegated
      return holds ? all.intersection(candidates) : .none
    }
    let values = Column(space.node(node))
    var found = matches(values, candidates, count: cluster.count, in: space)
    if isNegated { found = all.subtracting(found) }
    if place.isNullable {
      let nulls = values.nulls.intersection(all)
      found = acceptsNull ? found.union(nulls) : found.subtracting(nulls)
    }
    return found.intersection(candidates)
  }

  override final func test(_ subject: Subject) -> Bool {
    guard case .row(let key) = subject.itself(), let rows = place.session.rows(of: place.table),
      let row = rows.find(key)
    else { return false }
    var only = RowMask.none
    only.insert(row.index)
    return !select(row.cluster, only, in: rows.space).isEmpty
  }
}
