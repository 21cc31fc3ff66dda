import EngineUnderTest
import Foundation
import Harness

/// What is replaced again and again, by as much: each replaces what it had put in its place.
private struct Replacement: Sendable {
  let name: String
  let replace: @Sendable (Realm, Vessel, Int) -> Void

  init(_ name: String, _ replace: @escaping @Sendable (Realm, Vessel, Int) -> Void) {
    (self.name, self.replace) = (name, replace)
  }

  private static func text(_ round: Int, _ size: Int = 700) -> String {
    String(repeating: "\(round % 10)", count: size + round % 7)
  }

  private static func words(_ round: Int, _ count: Int = 10) -> [String] {
    (0..<count).map { "the word \($0) of round \(round % 10), as long as it has to be" }
  }

  static let all: [Replacement] =
    [
      Replacement("a text") { $1.text = text($2) },
      Replacement("an optional text, by way of nil") {
        $1.maybeText = nil
        $1.maybeText = $2 % 2 == 0 ? text($2) : nil
      },
      Replacement("data") { $1.data = Data(text($2).utf8) },
      Replacement("an indexed text") { $1.name = text($2, 300) },
      Replacement("an indexed text of many") { realm, _, round in
        for id in 10..<20 { realm.vessel(id)?.name = "\(round % 10) \(id) is the name of it" }
      },
      Replacement("a mixed value") { $1.mixed = .string(text($2)) },
      Replacement("an embedded object") { $1.part = Part(text: text($2)) },
      Replacement("embedded objects in a list") { _, vessel, round in
        vessel.parts.removeAll()
        for word in words(round) { vessel.parts.append(Part(text: word)) }
      },
      Replacement("embedded objects in a map") { _, vessel, round in
        vessel.partMap.removeAll()
        for word in words(round) { vessel.partMap[word] = .some(Part(text: word)) }
      },
      Replacement("a list of numbers") { $1.numbers.assign(($2..<$2 + 200)) },
      Replacement("a list of texts") { $1.texts.assign(words($2)) },
      Replacement("a list of data") { $1.blobs.assign(words($2).map { Data($0.utf8) }) },
      Replacement("a list of mixed values") { $1.mixture.assign(words($2).map { .string($0) }) },
      Replacement("a list of objects") { realm, vessel, round in
        vessel.links.assign((0..<60).map { realm.vessel(10 + ($0 + round) % 30) })
      },
      Replacement("a set of objects") { realm, vessel, round in
        vessel.group.removeAll()
        for id in 0..<20 { vessel.group.insert(realm.vessel(10 + (id + round) % 30)) }
      },
      Replacement("a set of texts") { _, vessel, round in
        vessel.labels.removeAll()
        vessel.labels.insert(objectsIn: words(round))
      },
      Replacement("a map of texts under new keys") { _, vessel, round in
        vessel.titles.removeAll()
        for word in words(round) { vessel.titles[word] = word }
      },
      Replacement("a map of mixed values, one by one") { _, vessel, round in
        for number in 0..<10 { vessel.mixedMap["\(number)"] = .string("\(round % 10) in a map") }
      },
      Replacement("a map of objects") { realm, vessel, round in
        for id in 10..<20 {
          vessel.named["\(id)"] = round % 2 == 0 ? .some(realm.vessel(id)) : .some(nil)
        }
      },
      Replacement("objects under the same keys") { realm, _, round in
        for id in 50..<58 {
          if let one = realm.vessel(id) { realm.delete(one) }
          let new = Vessel(id: id)
          (new.text, new.name) = ("the one of round \(round % 10)", "\(id)")
          new.texts.append("the one of round \(round % 10)")
          realm.add(new)
        }
      },
      Replacement("objects under new keys") { realm, _, round in
        realm.delete(realm.objects(Vessel.self).where { $0.id >= 1_000 })
        for id in 0..<8 { realm.add(Vessel(id: 1_000 + (round % 10) * 100 + id)) }
      },
    ]
    + (Engine.offersReins
      ? [
        Replacement("a list in a mixed value") { realm, _, round in
          realm.vessel(2).mixed = .fromArray(words(round).map { .string($0) })
        },
        Replacement("a dictionary in a mixed value in a list") { realm, _, round in
          realm.vessel(2).mixture.assign([
            .fromDictionary(["a": .string(text(round)), "b": .fromArray([.int(round)])])
          ])
        },
      ] : [])
}

extension Probe {
  /// All kinds of things are replaced in each commit: whichever of them leaves something behind
  /// each time shows in the end.
  static let replacements: [Probe] = [
    "by each kind of commit", "amid cancelled writes",
  ].map { way in
    Probe("the file stays as it is where everything is replaced by as much: \(way)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Vessel.stocked(stage)
      try realm.write { for id in 10..<40 { realm.add(Vessel(id: id)) } }
      func all(_ round: Int) {
        for one in Replacement.all { one.replace(realm, realm.vessel(1), round) }
      }
      func commits(_ rounds: Range<Int>) throws {
        for round in rounds {
          switch way {
          case "by each kind of commit":
            try Manner.all[round % Manner.all.count].commit(stage, realm) { all(round) }
          case "amid cancelled writes":
            realm.beginWrite()
            all(round)
            realm.cancelWrite()
            try realm.write { all(round) }
          default: try realm.write { all(round) }
          }
        }
      }
      let rounds = way == "amid cancelled writes" ? 70 : 160
      try commits(0..<30)
      let size = stage.size(of: "vessels")
      try commits(30..<rounds)
      // Files grow by large steps. Of a thing that is replaced a hundred times none may stay behind
      // each time, however small.
      stage.expect(
        stage.size(of: "vessels") <= size + 65_536,
        "a file that has stopped growing at \(size)",
        observed: "\(stage.size(of: "vessels"))")
    }
  }
}
