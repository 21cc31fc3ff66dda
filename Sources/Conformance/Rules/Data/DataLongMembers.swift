import EngineUnderTest
import Foundation

/// Questions about the members of long collections: one of them is unlike the others, wherever it
/// stands.
enum LongMembers {
  /// The one that has no such member, beside those that have.
  private static let plain = 9

  private static func fill(
    _ vessel: Vessel, _ count: Int, place: Int?, _ one: Vessel, _ other: Vessel
  ) {
    let place = place ?? -1
    for number in 0..<count {
      let isOther = number == place
      vessel.links.append(isOther ? one : other)
      vessel.numbers.append(isOther ? 100 : number % 7)
      vessel.texts.append(isOther ? "other" : "text \(number % 5)")
      vessel.mixture.append(.int(isOther ? 100 : number % 7))
      vessel.labels.insert(isOther ? "other" : "label \(number)")
      vessel.titles["key \(number)"] = isOther ? "other" : "title"
    }
  }

  /// Whom each question finds: those that have such a member, or the one that has none.
  private static let questions: [(words: String, findsThose: Bool)] = [
    ("ANY links == %@", true), ("NONE links == %@", false), ("%@ IN links", true),
    ("ANY links.number == 7", true), ("ALL links.number < 7", false),
    ("SUBQUERY(links, $x, $x.number == 7).@count == 1", true), ("links.@max.number == 7", true),
    ("ANY numbers == 100", true), ("NONE numbers == 100", false), ("ALL numbers < 50", false),
    ("ANY numbers > 50", true), ("ANY numbers IN {100, 101}", true), ("100 IN numbers", true),
    ("numbers.@max == 100", true), ("ANY texts == 'other'", true),
    ("ANY texts BEGINSWITH 'o'", true), ("ALL texts LIKE 'text *'", false),
    ("ANY labels == 'other'", true), ("NONE labels == 'other'", false),
    ("ANY titles.@values == 'other'", true), ("ALL titles.@values == 'title'", false),
    ("ANY mixture == 100", true),
  ]

  static let asked: [Probe] = [5, 1_500, 4_000].map { count in
    Probe("a question about \(count) members looks at each of them") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: Vessel.configuration(stage))
      let places = Set([0, count / 2, count * 3 / 4, count - 1]).sorted()
      try realm.write {
        let (one, other) = (Vessel(id: 1), Vessel(id: 2))
        one.number = 7
        realm.add([one, other])
        for (number, place) in ([nil] + places.map { $0 as Int? }).enumerated() {
          let vessel = Vessel(id: plain + number)
          realm.add(vessel)
          fill(vessel, count, place: place, one, other)
        }
      }
      let one = realm.vessel(1)!
      let asked = realm.objects(Vessel.self).where { $0.id >= plain }.sorted(byKeyPath: "id")
      for (words, findsThose) in questions {
        let found = words.contains("%@") ? asked.filter(words, one) : asked.filter(words)
        stage.equal(
          found.map(\.id),
          findsThose ? places.indices.map { plain + 1 + $0 } : [plain], "whom \(words) finds")
      }
    }
  }
}
