// Numbers computed from a property of all members, cluster by cluster and without objects.

extension ResultsState {
  /// The least, the greatest, the sum or the mean of a property; null where there is none.
  func aggregate(_ aggregate: Aggregate, of path: PropertyPath) -> StoredValue {
    verify()
    let bound = binding.path(path)
    guard bound.type.isNumeric, !bound.isMany,
      bound.type != .date || aggregate == .min || aggregate == .max
    else {
      var place = "property '\(bound.owner?.name ?? "").\(bound.property?.columnName ?? "")'"
      if bound.property == nil, case .collection(let collection) = origin {
        let kind = [.set: "set", .map: "dictionary"][collection.shape] ?? "list"
        place = "\(kind) '\(collection.table.name).\(collection.property.columnName)'"
      }
      let optional = bound.property?.isOptional == true ? "?" : ""
      refuseQuery(
        "Operation '\(aggregate.word)' not supported for \(bound.type.word)\(optional) \(place)")
    }
    if case .all(let table) = origin, let physical = bound.singleColumn?.number,
      !orderings.contains(where: \.isDistinct), let property = bound.property
    {
      switch property.type {
      case .int:
        return integers(table, physical, property, aggregate)
      case .double, .float, .date:
        return fractions(table, physical, property, aggregate)
      default: break
      }
    }
    var summary = Summary(bound.type)
    switch answer() {
    case .values(let values): for value in values { summary.add(bound.only(from: .value(value))) }
    case .keys, .whole:
      for key in allKeys() { summary.add(bound.only(from: .row(key))) }
    }
    return summary.result(aggregate)
  }

  /// Calls `body` with the column in each cluster, and the rows of it that belong to the results.
  private func forEachColumn(
    _ table: BoundClass, _ physical: Int, _ body: (Column?, RowMask, Int) -> Void
  ) {
    guard let rows = session.rows(of: table) else { return }
    let condition: BoundPredicate? =
      predicate.isEverything ? nil : withFound { self.condition(&$0) }
    rows.forEachCluster { cluster, _ in
      let count = cluster.count
      var mask = RowMask(first: count)
      if let condition { mask = condition.select(cluster, mask, in: rows.space) }
      let ref = cluster.column(physical)
      if !mask.isEmpty { body(ref.isNone ? nil : Column(rows.space.node(ref)), mask, count) }
      return true
    }
  }

  private func integers(
    _ table: BoundClass, _ physical: Int, _ property: Property, _ aggregate: Aggregate
  ) -> StoredValue {
    let isNullable = property.isOptional
    var sum: Int64 = 0
    var members = 0
    var least = Int64.max
    var greatest = Int64.min
    let needsEnds = aggregate == .min || aggregate == .max
    forEachColumn(table, physical) { column, candidates, count in
      var mask = candidates
      if isNullable {
        guard let column else { return }
        mask = mask.subtracting(column.nulls)
      }
      let present = mask.count
      guard present > 0 else { return }
      members &+= present
      guard let column else {
        (least, greatest) = (min(least, 0), max(greatest, 0))
        return
      }
      if needsEnds {
        let ends = column.ends(of: mask, count: count)
        (least, greatest) = (min(least, ends.least), max(greatest, ends.greatest))
      } else {
        // What a null leaves behind is zero, so a whole column is summed without looking at its
        // bits.
        sum &+= column.sum(of: candidates, count: count)
      }
    }
    switch aggregate {
    case .count: return .int(Int64(members))
    case .sum: return .int(sum)
    case .min: return members == 0 ? .null : .int(least)
    case .max: return members == 0 ? .null : .int(greatest)
    case .average: return members == 0 ? .null : .double(Double(sum) / Double(members))
    }
  }

  private func fractions(
    _ table: BoundClass, _ physical: Int, _ property: Property, _ aggregate: Aggregate
  ) -> StoredValue {
    let isNullable = property.isOptional
    let isFloat = property.type == .float
    var sum = 0.0
    var members = 0
    var least = Double.infinity
    var greatest = -Double.infinity
    forEachColumn(table, physical) { column, candidates, count in
      var mask = candidates
      if isNullable {
        guard let column else { return }
        mask = mask.subtracting(column.nulls)
      }
      guard let column else {
        members &+= mask.count
        if !mask.isEmpty { (least, greatest) = (min(least, 0), max(greatest, 0)) }
        return
      }
      mask.visit { row in
        let bits = column.int(row)
        let value =
          isFloat
          ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
          : Double(bitPattern: UInt64(bitPattern: bits))
        // NaN takes no part, as in a summary of members.
        if value.isNaN { return }
        members &+= 1
        sum += value
        if value < least { least = value }
        if value > greatest { greatest = value }
      }
    }
    func value(_ number: Double) -> StoredValue {
      switch property.type {
      case .float: .float(Float(number))
      case .date: .date(.init(timeIntervalSinceReferenceDate: number))
      default: .double(number)
      }
    }
    switch aggregate {
    case .count: return .int(Int64(members))
    case .sum: return .double(sum)
    case .min: return least <= greatest ? value(least) : .null
    case .max: return least <= greatest ? value(greatest) : .null
    case .average: return members == 0 ? .null : .double(sum / Double(members))
    }
  }
}
