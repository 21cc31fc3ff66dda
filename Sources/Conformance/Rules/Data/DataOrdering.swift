import EngineUnderTest
import Evidence
import Foundation

extension Rules.Values {
  static let ordering: [Rule] = [data05, data06, data07]

  static let data05 = Rule(
    "DATA-05", .implementation,
    "A sort MUST put the members into the order of each of its properties, the first deciding, "
      + "null before everything, and leave members that are alike in the order they had.",
    source: "RS/RealmCollection.swift:325 sorted(by:); CORE test/test_query2.cpp Query_Null_Sort.",
    broken:
      "only the first property decides; null after everything or among zeros; ties in any order; a "
      + "descending sort that turns ties around",
    probes: [
      Probe("one and two properties of each kind, up and down, in each kind of collection") {
        stage in
        var chance = stage.chance
        try stage.eachView(Fields.sortable) { view, first, crowd in
          let second = Fields.sortable[chance.below(Fields.sortable.count)]
          let both = [(first, chance.below(2) == 0), (second, chance.below(2) == 0)]
          for orders in [[(first, true)], [(first, false)], both] {
            let results = view.members.sorted(
              by: orders.map { SortDescriptor(keyPath: $0.0.name, ascending: $0.1) })
            let words = orders.map { "\($0.0.name) \($0.1 ? "up" : "down")" }
            let expected = crowd.sorted(view.ids, orders)
            let observed = results.map(\.id)
            // A set has no order that its members could keep.
            let agrees =
              view.isOrdered
              ? observed == expected
              : crowd.places(observed, orders) == crowd.places(expected, orders)
            stage.expect(
              agrees,
              "\(view.name) of \(crowd.size) in the order of \(words.joined(separator: ", "))",
              observed: "\(observed.prefix(8)) instead of \(expected.prefix(8))")
          }
        }
      }
    ] + Probe.sortsUponSorts + [.nearlyAlike("sorted"), TypedPaths.probe])

  static let data06 = Rule(
    "DATA-06", .implementation,
    "Filters, sorts and `distinct` MUST apply as they were asked for: of members that are alike "
      + "`distinct` keeps the first in the order that the sorts before it made, and a sort after "
      + "it moves no other ones in.",
    source:
      "RT/ResultsTests.m:1125; CORE test/test_query.cpp Query_DistinctAndSort, "
      + "Query_DescriptorsWillApply.",
    broken:
      "distinct before sorting, or sorting before distinct, whatever was asked; a filter that was "
      + "asked for later applied after distinct",
    probes: [
      Programs.chained.probe,
      Probe("sorts and distinct one after the other, each kind of value, either first") { stage in
        var chance = stage.chance
        try stage.eachView(Fields.all) { view, field, crowd in
          // What a set's members are in no order for has no first.
          guard view.isOrdered else { return }
          let order = Fields.sortable[chance.below(Fields.sortable.count)]
          let up = chance.below(2) == 0
          let sorted = crowd.sorted(view.ids, [(order, up)])
          stage.equal(
            view.members.sorted(byKeyPath: order.name, ascending: up).distinct(by: [field.name])
              .map(\.id), crowd.distinct(sorted, field),
            "\(view.name) of \(crowd.size), by \(order.name), then distinct by \(field.name)")
          stage.equal(
            view.members.distinct(by: [field.name]).sorted(byKeyPath: order.name, ascending: up)
              .map(\.id), crowd.sorted(crowd.distinct(view.ids, field), [(order, up)]),
            "\(view.name) of \(crowd.size), distinct by \(field.name), then by \(order.name)")
          stage.equal(
            view.members.distinct(by: [field.name]).count,
            Set(view.ids.map { crowd.value(field, $0) }).count,
            "the count of \(view.name), distinct by \(field.name)")
        }
      },
      .distinctBySeveral, .nearlyAlike("distinct"), Sections.probe, Sections.ofValues,
      Shown.asked, Shown.askedInSwift, SectionSpellings.probe, SectionSpellings.told,
    ])

  static let data07 = Rule(
    "DATA-07", .implementation,
    "`first`, `last`, a member by its position, `count` and the position of a member MUST be those "
      + "of the whole collection, whatever was looked at before.",
    source: "RS/RealmCollection.swift:253, :256, index(of:).",
    broken:
      "a short way to the first of a sort that forgets the filter or the direction; positions from "
      + "another version than the members",
    probes: [
      Programs.positions.probe,
      Probe("ends, positions and counts of filtered and sorted collections of each size") { stage in
        // The last is larger than any size from which on an engine may have a shorter way.
        try stage.eachView(Fields.sortable, sizes: [1, 5, 300, 3_000]) { view, field, crowd in
          guard view.isOrdered else { return }
          for (up, filters) in [(true, true), (true, false), (false, true), (false, false)] {
            let low = crowd.size / 3
            let ids = crowd.sorted(
              filters ? view.ids.filter { $0 >= low } : view.ids, [(field, up)])
            func fresh() -> Results<Specimen> {
              let sorted = view.members.sorted(byKeyPath: field.name, ascending: up)
              return filters ? sorted.where { $0.id >= low } : sorted
            }
            let words =
              "\(view.name) of \(crowd.size) by \(field.name)\(up ? "" : " down")"
              + (filters ? " and a filter" : "")
            // Each of results that nothing else was asked of.
            stage.equal(fresh().first?.id, ids.first, "the first of \(words)")
            stage.equal(fresh().last?.id, ids.last, "the last of \(words)")
            stage.equal(fresh().count, ids.count, "the count of \(words)")
            if ids.isEmpty { continue }
            let places = Set([ids.count / 2, min(255, ids.count - 1)])
            for place in places.sorted() {
              let results = fresh()
              stage.equal(results[place].id, ids[place], "number \(place) of \(words)")
              stage.equal(results.index(of: results[place]), place, "its position in \(words)")
            }
          }
        }
      },
    ] + [
      .firstAmongAllKeys, .positionsOfAll, .positionsThatMove, Named.matching,
    ] + [SmallPlaces.probe, LikeTexts.places] + Signs.positions)
}

extension Fields {
  /// Those whose order a sort knows, and which this suite knows, too.
  static var sortable: [any AnyField] { ordered + texts }
}

extension Crowd {
  /// Where an object's value stands in the order of a field.
  func place(_ field: some AnyField, _ id: Int) -> Int {
    typed(field, id).flatMap { field.values.firstIndex(of: $0) } ?? -1
  }

  /// Where the values of objects stand in the order of fields.
  func places(_ ids: [Int], _ orders: [(any AnyField, Bool)]) -> [[Int]] {
    ids.map { id in
      var places: [Int] = []
      for (field, _) in orders { places.append(place(field, id)) }
      return places
    }
  }

  /// Objects in the order of fields; those that are alike stay as they are.
  func sorted(_ ids: [Int], _ orders: [(any AnyField, Bool)]) -> [Int] {
    var places: [[Int: Int]] = []
    for (field, up) in orders {
      places.append(
        Dictionary(uniqueKeysWithValues: Set(ids).map { ($0, place(field, $0) * (up ? 1 : -1)) }))
    }
    return ids.enumerated().sorted { one, other in
      for place in places where place[one.element]! != place[other.element]! {
        return place[one.element]! < place[other.element]!
      }
      return one.offset < other.offset
    }.map(\.element)
  }

  /// The first of the objects with each value of a field.
  func distinct(_ ids: [Int], _ field: some AnyField) -> [Int] {
    var seen: Set<AnyHashable?> = []
    return ids.filter { seen.insert(value(field, $0)).inserted }
  }
}
