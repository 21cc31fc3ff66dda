import EngineUnderTest
import Evidence
import Foundation

extension Rules.Values {
  static let aggregates: [Rule] = [data08]

  static let data08 = Rule(
    "DATA-08", .implementation,
    "`min`, `max`, `sum` and `average` MUST leave out objects without a value, and NaN; of no "
      + "value at all the sum is zero and there is no least, greatest or mean.",
    source:
      "RS/RealmCollection.swift:337-373, :755-797; CORE test/test_table.cpp "
      + "Table_MinMaxSingleNullRow, aggregate_ops.hpp:55.",
    broken:
      "null counted as zero in the least or greatest, or as a member in the mean; zero as the mean "
      + "of nothing; the ends of the type as the ends of nothing; NaN as the "
      + "least and the greatest of what comes behind it",
    probes: [
      Programs.computing.probe,
      Probe("every number and date, in each kind of collection, with nulls, only nulls, and empty")
      {
        stage in
        let fields = Numbers.all
        for mood in Mood.allCases {
          for size in stage.crowds {
            let realm = try Realm(configuration: stage.specimens("\(mood) of \(size)"))
            let crowd = Crowd(size, seed: stage.seed)
            try crowd.fill(realm, [])
            try realm.write {
              for id in 0..<size {
                for field in fields { field.write(realm.specimen(id)!, field.value(mood, id)) }
              }
            }
            for view in View.all(crowd, in: realm) {
              for field in fields {
                field.check(stage, view, mood, "\(mood) numbers: ")
              }
              let none = View(
                "an empty \(view.name)", AnyRealmCollection(view.members.filter("id < 0")), [])
              for field in fields { field.check(stage, none, mood, "") }
            }
          }
        }
      },
      .sumsOfMembers, .sumsOfLargeNumbers, FarSums.maps, FarSums.mapsOfObjects,
      .noNumbersAmongNumbers,
    ])
}

/// What the objects of a crowd have for numbers.
private enum Mood: CaseIterable {
  case positive, negative, mixed, onlyNull
  /// Where null, taken for zero, would be the least or the greatest.
  case positiveOrNull, negativeOrNull

  /// A number that is so, of an object; small ones that every kind holds exactly.
  func number(_ id: Int) -> Int? {
    switch self {
    case .positive: 2 + id % 7
    case .negative: -2 - id % 5
    case .mixed: id % 3 == 0 ? nil : (id % 2 == 0 ? 1 : -1) * (3 + id % 4)
    case .positiveOrNull: id % 3 == 1 ? nil : 2 + id % 7
    case .negativeOrNull: id % 3 == 1 ? nil : -2 - id % 5
    case .onlyNull: nil
    }
  }
}

/// Aggregates of one property, asked by name and by key path, and what they must be.
private struct Numbers {
  let name: String
  let isOptional: Bool
  let write: (Specimen, Int?) -> Void
  let least: (AnyRealmCollection<Specimen>) -> Double?
  let greatest: (AnyRealmCollection<Specimen>) -> Double?
  /// Nil where there is no sum: of dates.
  let sum: ((AnyRealmCollection<Specimen>) -> Double)?
  let mean: ((AnyRealmCollection<Specimen>) -> Double?)?

  func value(_ mood: Mood, _ id: Int) -> Int? { mood.number(id) ?? (isOptional ? nil : 0) }

  func check(_ stage: Stage, _ view: View, _ mood: Mood, _ words: String) {
    let values = view.ids.compactMap { value(mood, $0) }.map(Double.init)
    let place = "\(words)\(name) in \(view.name) of \(view.ids.count)"
    stage.equal(least(view.members), values.min(), "the least \(place)")
    stage.equal(greatest(view.members), values.max(), "the greatest \(place)")
    if let sum { stage.equal(sum(view.members), values.reduce(0, +), "the sum of \(place)") }
    guard let mean else { return }
    let expected = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    let observed = mean(view.members)
    stage.expect(
      observed == expected || abs((observed ?? .nan) - (expected ?? .nan)) < 1e-6,
      "the mean of \(place) is \(expected.map { "\($0)" } ?? "none")",
      observed: observed.map { "\($0)" } ?? "none")
  }

  static var all: [Numbers] {
    [
      Numbers(
        name: "whole", isOptional: true, write: { $0.whole = $1 },
        least: { $0.min(of: \.whole).map(Double.init) },
        greatest: { $0.max(of: \.whole).map(Double.init) },
        sum: { Double($0.sum(ofProperty: "whole") as Int) },
        mean: { $0.average(ofProperty: "whole") }),
      Numbers(
        name: "number", isOptional: true, write: { $0.number = $1 },
        least: { ($0.min(ofProperty: "number") as Int?).map(Double.init) },
        greatest: { ($0.max(ofProperty: "number") as Int?).map(Double.init) },
        sum: { Double($0.sum(ofProperty: "number") as Int) },
        mean: { $0.average(ofProperty: "number") }),
      Numbers(
        name: "amount", isOptional: false, write: { $0.amount = $1! },
        least: { $0.min(of: \.amount).map(Double.init) },
        greatest: { $0.max(of: \.amount).map(Double.init) },
        sum: { Double($0.sum(of: \.amount)) }, mean: { $0.average(ofProperty: "amount") }),
      Numbers(
        name: "single", isOptional: true, write: { $0.single = $1.map(Float.init) },
        least: { $0.min(of: \.single).map(Double.init) },
        greatest: { $0.max(of: \.single).map(Double.init) },
        sum: { Double($0.sum(ofProperty: "single") as Float) },
        mean: { $0.average(ofProperty: "single") }),
      Numbers(
        name: "fraction", isOptional: true, write: { $0.fraction = $1.map(Double.init) },
        least: { $0.min(of: \.fraction) }, greatest: { $0.max(of: \.fraction) },
        sum: { $0.sum(ofProperty: "fraction") }, mean: { $0.average(ofProperty: "fraction") }),
      Numbers(
        name: "ratio", isOptional: false, write: { $0.ratio = Double($1!) },
        least: { $0.min(of: \.ratio) }, greatest: { $0.max(of: \.ratio) },
        sum: { $0.sum(of: \.ratio) }, mean: { $0.average(ofProperty: "ratio") }),
      Numbers(
        name: "price", isOptional: true, write: { $0.price = $1.map { Decimal128(Double($0)) } },
        least: { $0.min(of: \.price).flatMap { Double("\($0)") } },
        greatest: { $0.max(of: \.price).flatMap { Double("\($0)") } },
        sum: { Double("\($0.sum(ofProperty: "price") as Decimal128)") ?? .nan },
        mean: { ($0.average(ofProperty: "price") as Decimal128?).flatMap { Double("\($0)") } }),
      Numbers(
        name: "day", isOptional: true,
        write: { $0.day = $1.map { Date(timeIntervalSince1970: Double($0)) } },
        least: { $0.min(of: \.day)?.timeIntervalSince1970 },
        greatest: { $0.max(of: \.day)?.timeIntervalSince1970 }, sum: nil, mean: nil),
    ]
  }
}
