import EngineUnderTest
import Evidence
import Foundation

extension Rules.Values {
  static let rows: [Rule] = [data12, data13]

  static let data12 = Rule(
    "DATA-12", .implementation,
    "An object MUST keep each of its values, and each null, whatever objects come and go around "
      + "it, in the write and in all later versions.",
    source: "CORE test/test_table.cpp Table_Nulls, Table_NullableChecks.",
    broken:
      "what says which values are null not moved with them when a row goes or comes; values of "
      + "neighbours mixed where a block of rows is split or joined",
    probes: [
      Programs.keeping.probe,
      Probe("every kind of value, while objects are added and deleted at random") { stage in
        let configuration = stage.specimens()
        let realm = try Realm(configuration: configuration)
        var chance = stage.chance
        let fields = Fields.all
        var model: [Int: [AnyHashable?]] = [:]
        func check(_ realm: Realm, _ moment: String) {
          stage.equal(realm.objects(Specimen.self).count, model.count, "the count \(moment)")
          for specimen in realm.objects(Specimen.self) {
            let id = specimen.id
            guard let facts = model[id] else {
              stage.fail(expected: "no object \(id) \(moment)", observed: "it is there")
              continue
            }
            for (field, value) in zip(fields, facts) {
              let observed = field.read(from: specimen)
              stage.expect(
                observed == value,
                "\(field.name) of \(id) is \(value.map { "\($0)".prefix(20) } ?? "null") \(moment)",
                observed: observed.map { "\($0)" } ?? "null")
            }
          }
        }
        for round in 0..<14 {
          try realm.write {
            // Grows to several hundred, then shrinks, then grows again; in no order of the keys.
            let deletes = round % 5 == 3 ? 60 : 12
            for _ in 0..<70 {
              let id = chance.below(1_200)
              if model[id] == nil {
                let specimen = Specimen(id: id)
                let facts = fields.map { field in field.pick(chance.next()).map { AnyHashable($0) }
                }
                for (field, value) in zip(fields, facts) { field.write(value, to: specimen) }
                realm.add(specimen)
                model[id] = facts
              }
            }
            for _ in 0..<deletes {
              let ids = model.keys.sorted()
              let id = ids[chance.below(ids.count)]
              realm.delete(realm.specimen(id)!)
              model[id] = nil
            }
            // What was set before may be set to null, and back.
            for id in model.keys.sorted() where chance.below(8) == 0 {
              let place = chance.below(fields.count)
              let value = fields[place].pick(chance.next()).map { AnyHashable($0) }
              fields[place].write(value, to: realm.specimen(id)!)
              model[id]![place] = value
            }
            if round % 3 == 0 { check(realm, "in write \(round)") }
          }
          if round % 2 == 1 {
            try stage.elsewhere {
              check(try Realm(configuration: configuration), "for others, after write \(round)")
            }
          }
        }
        check(realm, "at the end")
      },
    ] + [Probe.broadValues, .numbersThatGrow] + Probe.allKindsKept + HeldOnes.probes
      + [Moods.kept, Named.members] + Migrations.kept + [Migrations.ways] + Moved.told
      + MovedByName.followed + NewProperties.empty + [Required.filled] + ByClassName.probes
      + [Customs.kept, Customs.impossible, Shown.sights, Shown.members, LikeTexts.inside]
      + Probe.answersAtSizes)

  static let data13 = Rule(
    "DATA-13", .implementation,
    "Lists, maps and sets of values MUST hold what was put into them, in the order of their "
      + "positions, whichever position was changed, at every size.",
    source: "RS/List.swift:150, :160, :306; RS/Map.swift; RS/MutableSet.swift.",
    broken:
      "off by one at an end or where a block of members is split; a move that goes one too far; an "
      + "empty key or null taken for nothing",
    probes: [
      Programs.collecting.probe, MixedKinds.oneMember, MixedKinds.replaced,
      Probe("every operation of a collection at random positions, beside plain Swift") { stage in
        let realm = try Realm(configuration: stage.specimens())
        try realm.write { realm.add(Specimen(id: 0)) }
        let specimen = realm.specimen(0)!
        var chance = stage.chance
        var numbers: [Int?] = []
        var words: [String] = []
        var scores: [String: Int] = [:]
        var labels: Set<String> = []
        func check(_ specimen: Specimen, _ moment: String) {
          stage.equal(Array(specimen.numbers), numbers, "the numbers \(moment)")
          stage.equal(Array(specimen.words), words, "the words \(moment)")
          stage.equal(
            Dictionary(uniqueKeysWithValues: specimen.scores.map { ($0.key, $0.value) }), scores,
            "the scores \(moment)")
          stage.equal(Set(specimen.labels), labels, "the labels \(moment)")
          stage.equal(specimen.labels.count, labels.count, "their count \(moment)")
          for (place, number) in numbers.enumerated().filter({ $0.offset % 37 == 0 }) {
            stage.equal(specimen.numbers[place], number, "number \(place) \(moment)")
            stage.equal(
              specimen.numbers.index(of: number), numbers.firstIndex(of: number),
              "where \(number.map(String.init) ?? "null") is first \(moment)")
          }
        }
        for round in 0..<60 {
          // Some rounds make them large, some empty.
          let steps = round % 6 == 0 ? 300 : 8
          try realm.write {
            for _ in 0..<steps {
              Stage.change(
                specimen.numbers, &numbers, &chance,
                value: { $0.below(4) == 0 ? nil : $0.below(900) - 300 })
              Stage.change(
                specimen.words, &words, &chance,
                value: { String(repeating: "w", count: $0.below(40)) })
              let key = ["", "a", "B", "\(chance.below(50))"][chance.below(4)]
              switch chance.below(4) {
              case 0:
                specimen.scores[key] = nil
                scores[key] = nil
                specimen.labels.remove(key)
                labels.remove(key)
              default:
                let score = chance.below(1_000)
                specimen.scores[key] = score
                scores[key] = score
                specimen.labels.insert(key)
                labels.insert(key)
              }
            }
            if round % 17 == 16 {
              specimen.numbers.removeAll()
              numbers = []
              specimen.words.removeAll()
              words = []
              specimen.scores.removeAll()
              scores = [:]
              specimen.labels.removeAll()
              labels = []
            }
            check(specimen, "in write \(round)")
          }
          check(specimen, "after write \(round)")
          check(specimen.freeze(), "frozen after write \(round)")
        }
      },
    ] + Probe.allKindsOfMembers
      + [CollectionCalls.merges, CollectionCalls.entries, CollectionCalls.sets]
      + [CollectionCalls.lists, Customs.collected, SmallCollections.sets] + SmallCollections.lists)
}

extension Stage {
  /// Makes one change to a list, here and in plain Swift.
  fileprivate static func change<Value: RealmCollectionValue>(
    _ list: List<Value>, _ facts: inout [Value], _ chance: inout SeededGenerator,
    value: (inout SeededGenerator) -> Value
  ) {
    let new = value(&chance)
    let place = chance.below(facts.count + 1)
    switch facts.isEmpty ? 0 : chance.below(9) {
    case 0, 1, 2:
      list.insert(new, at: place)
      facts.insert(new, at: place)
    case 3, 4:
      list.append(new)
      facts.append(new)
    case 5:
      let place = min(place, facts.count - 1)
      list.remove(at: place)
      facts.remove(at: place)
    case 6:
      let place = min(place, facts.count - 1)
      list[place] = new
      facts[place] = new
    case 7:
      let (from, to) = (chance.below(facts.count), chance.below(facts.count))
      list.move(from: from, to: to)
      facts.insert(facts.remove(at: from), at: to)
    default:
      let (one, other) = (chance.below(facts.count), chance.below(facts.count))
      list.swapAt(one, other)
      facts.swapAt(one, other)
    }
  }
}
