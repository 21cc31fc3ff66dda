import EngineUnderTest
import Foundation

/// Something large of which a little is changed: what a commit writes has to follow the change.
private struct Large: Sendable {
  let name: String
  let fill: @Sendable (Realm, Vessel) -> Void
  /// What a commit changes; the number is another one each time.
  let changes: [String: @Sendable (Realm, Vessel, Int) -> Void]

  static let all: [Large] = [
    Large(
      name: "a list of numbers", fill: { $1.numbers.append(objectsIn: 0..<60_000) },
      changes: [
        "one more": { _, vessel, number in vessel.numbers.append(number) },
        "one set": { _, vessel, number in vessel.numbers[number * 1_000] = -1 },
        "one put in": { _, vessel, number in vessel.numbers.insert(-2, at: number * 1_000) },
        "one taken out": { _, vessel, number in vessel.numbers.remove(at: number * 1_000) },
        "two swapped": { _, vessel, number in vessel.numbers.swapAt(number, number * 1_000) },
      ]),
    Large(
      name: "a list of texts",
      fill: { $1.texts.append(objectsIn: (0..<10_000).map { "the text number \($0)" }) },
      changes: [
        "one more": { _, vessel, number in vessel.texts.append("text \(number)") },
        "one set": { _, vessel, number in vessel.texts[number * 400] = "another" },
        "the last taken out": { _, vessel, _ in vessel.texts.removeLast() },
      ]),
    Large(
      name: "a list of objects",
      fill: { realm, vessel in
        for number in 0..<20_000 { vessel.links.append(number % 2 == 0 ? vessel : realm.vessel(2)) }
      },
      changes: [
        "one more": { _, vessel, _ in vessel.links.append(vessel) },
        "one taken out": { _, vessel, number in vessel.links.remove(at: number * 400) },
      ]),
    Large(
      name: "a set of texts",
      fill: { $1.labels.insert(objectsIn: (0..<8_000).map { "the label number \($0)" }) },
      changes: [
        "one more": { _, vessel, number in vessel.labels.insert("label \(number)") },
        "one taken out": { _, vessel, number in
          vessel.labels.remove("the label number \(number * 100)")
        },
      ]),
    Large(
      name: "a map of texts",
      fill: { _, vessel in
        for number in 0..<8_000 { vessel.titles["key \(number)"] = "the title number \(number)" }
      },
      changes: [
        "one more": { _, vessel, number in vessel.titles["a key \(number)"] = "a title" },
        "one set": { _, vessel, number in vessel.titles["key \(number * 100)"] = "another" },
        "one taken out": { _, vessel, number in vessel.titles["key \(number * 101 + 1)"] = nil },
      ]),
    Large(
      name: "an object with a long text",
      fill: { $1.text = String(repeating: "long", count: 200_000) },
      changes: [
        "another property set": { _, vessel, number in vessel.number = number },
        "an indexed property set": { _, vessel, number in vessel.name = "vessel \(number)" },
      ]),
    Large(
      name: "a class",
      fill: { realm, _ in for id in 10..<6_000 { realm.add(Vessel(id: id)) } },
      changes: [
        "an indexed property set": { realm, _, number in
          realm.vessel(number * 200 + 10).name = "another \(number)"
        },
        "one more": { realm, _, number in realm.add(Vessel(id: 10_000 + number)) },
        "one deleted": { realm, _, number in realm.delete(realm.vessel(number * 100 + 11)) },
        "a link set": { realm, vessel, number in realm.vessel(number * 200 + 12).link = vessel },
      ]),
  ]
}

extension Probe {
  static let smallChanges: [Probe] = Large.all.map { large in
    Probe("a small change to \(large.name) writes little") { stage in
      let realm = try Vessel.stocked(stage)
      let vessel = realm.vessel(1)!
      let empty = Stage.bytesWritten()
      try realm.write { large.fill(realm, vessel) }
      let filled = Stage.bytesWritten() - empty
      let rounds = 20
      for (name, change) in large.changes.sorted(by: { $0.key < $1.key }) {
        let before = Stage.bytesWritten()
        for number in 1...rounds { try realm.write { change(realm, vessel, number) } }
        let perCommit = (Stage.bytesWritten() - before) / rounds
        // A commit has a slot, a record and free space to write, too.
        let most = filled / 8 + 4_096
        stage.expect(
          perCommit < most, "\(name): a commit that writes less than \(most) of \(filled) bytes",
          observed: "\(perCommit) bytes")
      }
    }
  }
}
