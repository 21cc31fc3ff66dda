import EngineUnderTest
import Foundation

/// Something large of which a little is changed: what a commit writes has to follow the change.
private struct Large: Sendable {
  let name: String
  /// So many members it has in the end, and so many bytes where it is one thing.
  let count: Int
  /// Puts in those of a range.
  let fill: @Sendable (Realm, Vessel, Range<Int>) -> Void
  /// What a commit changes; the numbers are another one each time, and a place spread over what is
  /// there.
  let changes: [String: @Sendable (Realm, Vessel, _ number: Int, _ place: Int) -> Void]

  static let all: [Large] = [
    Large(
      name: "a list of numbers", count: 60_000,
      fill: { $1.numbers.append(objectsIn: $2) },
      changes: [
        "one more": { _, vessel, number, _ in vessel.numbers.append(number) },
        "one set": { _, vessel, _, place in vessel.numbers[place] = -1 },
        "one put in": { _, vessel, _, place in vessel.numbers.insert(-2, at: place) },
        "one taken out": { _, vessel, _, place in vessel.numbers.remove(at: place) },
        "two swapped": { _, vessel, number, place in vessel.numbers.swapAt(number, place) },
      ]),
    Large(
      name: "a list of texts", count: 10_000,
      fill: { $1.texts.append(objectsIn: $2.map { "the text number \($0)" }) },
      changes: [
        "one more": { _, vessel, number, _ in vessel.texts.append("text \(number)") },
        "one set": { _, vessel, number, place in vessel.texts[place] = "another \(number)" },
        "the last taken out": { _, vessel, _, _ in vessel.texts.removeLast() },
      ]),
    Large(
      name: "a list of objects", count: 20_000,
      fill: { realm, vessel, range in
        for number in range { vessel.links.append(number % 2 == 0 ? vessel : realm.vessel(2)) }
      },
      changes: [
        "one more": { _, vessel, _, _ in vessel.links.append(vessel) },
        "one taken out": { _, vessel, _, place in vessel.links.remove(at: place) },
      ]),
    Large(
      name: "a set of texts", count: 8_000,
      fill: { $1.labels.insert(objectsIn: $2.map { "the label number \($0)" }) },
      changes: [
        "one more": { _, vessel, number, place in vessel.labels.insert("label \(number) \(place)")
        },
        "one taken out": { _, vessel, _, place in vessel.labels.remove("the label number \(place)")
        },
      ]),
    Large(
      name: "a map of texts", count: 8_000,
      fill: { _, vessel, range in
        for number in range { vessel.titles["key \(number)"] = "the title number \(number)" }
      },
      changes: [
        "one more": { _, vessel, number, place in
          vessel.titles["a key \(number) \(place)"] = "a title"
        },
        "one set": { _, vessel, number, place in
          vessel.titles["key \(place)"] = "another \(number)"
        },
        "one taken out": { _, vessel, _, place in vessel.titles["key \(place + 1)"] = nil },
      ]),
    Large(
      name: "an object with a long text", count: 800_000,
      fill: { $1.text += String(repeating: "long", count: $2.count / 4) },
      changes: [
        "another property set": { _, vessel, _, place in vessel.number = place },
        "an indexed property set": { _, vessel, _, place in vessel.name = "vessel \(place)" },
      ]),
    Large(
      name: "a class", count: 6_000,
      fill: { realm, _, range in for id in range { realm.add(Vessel(id: id + 10)) } },
      changes: [
        "an indexed property set": { realm, _, number, place in
          realm.vessel(place + 10).name = "another \(number)"
        },
        "one more": { realm, _, number, place in
          realm.add(Vessel(id: 100_000 + 10_000 * number + place))
        },
        "one deleted": { realm, _, _, place in realm.delete(realm.vessel(place + 11)) },
        "a link set": { realm, vessel, _, place in realm.vessel(place + 12).link = vessel },
      ]),
  ]

  private static let rounds = 20

  /// What a commit of each change writes, with so many members there.
  ///
  /// - Parameter first: Another one each time, so that nothing is changed twice.
  func costs(
    _ realm: Realm, _ vessel: Vessel, with members: Int, from first: Int
  ) throws -> [String: Int] {
    // Some changes take members out.
    let step = (members - members / 50) / (Large.rounds + 1)
    return try changes.mapValues { change in
      let before = Stage.bytesWritten()
      for number in 1...Large.rounds {
        try realm.write { change(realm, vessel, number, number * step + first) }
      }
      return (Stage.bytesWritten() - before) / Large.rounds
    }
  }
}

extension Probe {
  static let smallChanges: [Probe] = Large.all.map { large in
    Probe("a small change to \(large.name) writes little") { stage in
      let realm = try Vessel.stocked(stage)
      let vessel = realm.vessel(1)!
      let empty = Stage.bytesWritten()
      // A quarter first: what is written must not grow as what is there does.
      let few = large.count / 4
      try realm.write { large.fill(realm, vessel, 0..<few) }
      var filled = Stage.bytesWritten() - empty
      let before = try large.costs(realm, vessel, with: few, from: 0)
      let half = Stage.bytesWritten()
      try realm.write { large.fill(realm, vessel, few..<large.count) }
      filled += Stage.bytesWritten() - half
      let after = try large.costs(realm, vessel, with: large.count, from: 5)
      for (name, cost) in after.sorted(by: { $0.key < $1.key }) {
        // A commit has a slot, a record and free space to write, too.
        let most = filled / 8 + 4_096
        stage.expect(
          cost < most, "\(name): a commit that writes less than \(most) of \(filled) bytes",
          observed: "\(cost) bytes")
        // A tree of four times as many is hardly deeper.
        let asFew = before[name] ?? 0
        stage.expect(
          cost < 2 * asFew + 16_384,
          "\(name): a commit that writes hardly more than with a quarter of it there, \(asFew)",
          observed: "\(cost) bytes")
      }
    }
  }
}
