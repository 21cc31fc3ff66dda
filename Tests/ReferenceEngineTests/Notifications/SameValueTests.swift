import Foundation
import Testing

@testable import ReferenceEngine

private class Gauge: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var note: Int
  @Persisted var doubles: List<Double>
  @Persisted var floats: MutableSet<Float>
  @Persisted var dates: List<Date>
  @Persisted var mixed: List<AnyRealmValue>
  @Persisted var byName: Map<String, Double>
  @Persisted var texts: List<String>
  @Persisted var text: String
  @Persisted var value: Double
}

/// NaN in a list was told as modified whenever its object changed, because Swift finds it different
/// from itself; and a text that was replaced by one in other letters was not told, nor written by
/// an update that writes what differs, because Swift finds them the same.
@Suite struct SameValueTests {
  private let (desk, other): (Desk, Desk)
  private let told = Noted<String>()

  init() {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Gauge.self])
    (desk, other) = (Desk(configuration), Desk(configuration))
  }

  private func brief<C: RealmCollection>(_ name: String) -> (RealmCollectionChange<C>) -> Void {
    { [told] change in
      if case .update = change { told.add("\(name) \(change.brief)") }
    }
  }

  private func change(_ body: (Gauge) -> Void) {
    other.commit { realm in
      if let gauge = realm.object(ofType: Gauge.self, forPrimaryKey: 1) { body(gauge) }
    }
    desk.work { _ in }
  }

  @Test func `NOTIFY-09: what is not a number is not told as modified where nobody touched it`() {
    let nan = Double.nan
    other.commit { realm in
      let gauge = realm.create(Gauge.self, value: ["id": 1])
      gauge.doubles.append(objectsIn: [nan, 1, nan])
      gauge.floats.insert(objectsIn: [.nan, 2])
      gauge.dates.append(Date(timeIntervalSinceReferenceDate: nan))
      gauge.mixed.append(objectsIn: [.double(nan), .float(.nan), .fromArray([.double(nan)])])
      gauge.byName["nan"] = nan
    }
    let tokens = desk.work { realm in
      let gauge = realm.objects(Gauge.self)[0]
      return [
        gauge.doubles.observe(brief("doubles")), gauge.floats.observe(brief("floats")),
        gauge.dates.observe(brief("dates")), gauge.mixed.observe(brief("mixed")),
        gauge.doubles.filter("self != 7").observe(brief("filtered")),
        gauge.doubles.sorted().observe(brief("sorted")),
        gauge.byName.observe { [told] change in
          if case .update(_, _, _, let modifications) = change { told.add("map \(modifications)") }
        },
      ]
    }
    desk.work { _ in }
    change { $0.note += 1 }
    #expect(told.all == [])
    change { gauge in
      gauge.doubles.append(3)
      gauge.floats.insert(4)
      gauge.dates.append(Date())
      gauge.mixed.append(.int(1))
      gauge.byName["one"] = 1
    }
    #expect(told.all.count == 7 && told.all.allSatisfy { $0.hasSuffix("~[]") || $0 == "map []" })
    told.clear()
    change { $0.doubles[1] = nan }
    #expect(told.all.contains("doubles -[] +[] ~[1]"))
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-06: a text that is replaced by one in other letters is told`() {
    let (one, two) = ("\u{E9}", "e\u{301}")
    #expect(one == two)
    other.commit { realm in
      let gauge = realm.create(Gauge.self, value: ["id": 1])
      gauge.texts.append(one)
      gauge.byName[one] = 1
    }
    let tokens = desk.work { realm in
      let gauge = realm.objects(Gauge.self)[0]
      return [
        gauge.texts.observe(brief("texts")),
        gauge.byName.observe { [told] change in
          if case .update(_, let deletions, let insertions, _) = change {
            told.add("map -\(deletions.count) +\(insertions.count)")
          }
        },
      ]
    }
    desk.work { _ in }
    change { $0.texts[0] = two }
    #expect(told.all == ["texts -[] +[] ~[0]"])
    told.clear()
    change { $0.byName[two] = 2 }
    #expect(told.all == ["map -0 +1"])
    for token in tokens { token.invalidate() }
  }

  @Test func `an update that writes what differs tells texts and numbers by their bytes`() {
    other.commit { realm in
      realm.create(Gauge.self, value: ["id": 1, "text": "\u{E9}", "value": Double.nan])
      realm.create(Gauge.self, value: ["id": 2, "value": 0.0])
    }
    let token = desk.work { realm in
      realm.objects(Gauge.self)[0].observe { [told] change in
        if case .change(_, let properties) = change { told.add("\(properties.map(\.name))") }
      }
    }
    desk.work { _ in }
    other.commit { realm in
      realm.create(Gauge.self, value: ["id": 1, "value": Double.nan], update: .modified)
      realm.create(Gauge.self, value: ["id": 2, "value": -0.0], update: .modified)
    }
    desk.work { _ in }
    #expect(told.all == [])
    other.commit { realm in
      realm.create(Gauge.self, value: ["id": 1, "text": "e\u{301}"], update: .modified)
    }
    desk.work { realm in
      #expect(Array(realm.objects(Gauge.self)[0].text.utf8) == Array("e\u{301}".utf8))
      #expect(realm.objects(Gauge.self)[1].value.sign == .minus)
    }
    #expect(told.all == ["[\"text\"]"])
    token.invalidate()
  }
}
