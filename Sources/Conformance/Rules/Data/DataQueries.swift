import EngineUnderTest
import Evidence
import Foundation

extension Rules.Values {
  static let queries: [Rule] = [data01, data02, data03, data04]

  static let data01 = Rule(
    "DATA-01", .implementation,
    "A query MUST find exactly the objects whose value is equal, or unequal, to what is asked. "
      + "Null equals null and nothing else: `!=` a value finds the objects that have none.",
    source: "CORE test/test_query2.cpp Query_NullShowcase, RT/QueryTests.m:736, :2224.",
    broken:
      "`!=` leaves out nulls; null taken for zero or for the empty value; a kind of value, a kind "
      + "of collection or a size that goes another way and was forgotten",
    probes: [
      Probe("equal and unequal, each kind of value in each kind of collection") { stage in
        try stage.eachView(Fields.all) { view, field, crowd in
          stage.checkEquality(field, view, crowd)
        }
      },
      .nearlyAlike("asked one by one"), Moods.found, Customs.asked, Nowhere.probe,
    ] + LongMembers.asked)

  static let data02 = Rule(
    "DATA-02", .implementation,
    "`<`, `<=`, `>`, `>=` and BETWEEN MUST find the objects whose value has that place in the "
      + "order of its kind, and none without a value; IN those with one of the values given.",
    source: "CORE test/test_query2.cpp Query_Null_BetweenMinMax_Nullable, :2337.",
    broken:
      "null compared as zero; a bound that belongs to the other side; the ends of a range overflow",
    probes: [
      Programs.comparing.probe,
      Probe("every bound of every ordered kind of value, in each kind of collection") { stage in
        try stage.eachView(Fields.ordered) { view, field, crowd in
          stage.checkOrder(field, view, crowd)
        }
      },
    ] + Probe.manyNamed + [Connectives.probe, Ranges.probe, .constantsOfOtherKinds]
      + AskedInSwift.probes + [FarSums.asked, Spellings.probe, Spellings.operationsProbe]
      + [TwiceAsked.probe])

  static let data03 = Rule(
    "DATA-03", .implementation,
    "With `[c]` string comparisons MUST take each letter for its capital and nothing else for "
      + "anything else; without, no two letters are the same.",
    source: "RS/Query.swift StringOptions; RT/QueryTests.m.",
    broken:
      "letters at the end of the alphabet not folded; neighbours of letters folded; only some "
      + "operators fold",
    probes: [
      Probe("every ASCII character and every operator, folded and not") { stage in
        let realm = try Realm(configuration: stage.specimens())
        let characters = (32..<127).map { String(UnicodeScalar($0)) }
        try realm.write {
          for (id, character) in characters.enumerated() {
            let specimen = Specimen(id: id)
            specimen.text = "1\(character)2"
            specimen.tag = character
            specimen.word = "1\(character)2"
            specimen.name = character
            realm.add(specimen)
          }
        }
        let all = realm.objects(Specimen.self)
        // What a pattern means by itself is another question.
        for character in characters where !"*?\\\"".contains(character) {
          for folds in [true, false] {
            let option = folds ? "[c]" : ""
            let same = characters.indices.filter {
              folds
                ? characters[$0].lowercased() == character.lowercased()
                : characters[$0] == character
            }
            let whole = "1\(character)2"
            for (format, argument) in [
              ("text ==\(option) %@", whole), ("word ==\(option) %@", whole),
              ("tag ==\(option) %@", character), ("name ==\(option) %@", character),
              ("text BEGINSWITH\(option) %@", "1\(character)"),
              ("text ENDSWITH\(option) %@", "\(character)2"),
              ("word CONTAINS\(option) %@", whole), ("tag BEGINSWITH\(option) %@", character),
              ("word LIKE\(option) %@", "?\(character)*"), ("name LIKE\(option) %@", character),
            ] {
              stage.equal(
                all.filter(format, argument).map(\.id), same, "what \(format) finds for \(argument)"
              )
            }
            stage.equal(
              all.filter("name !=\(option) %@", character).count, characters.count - same.count,
              "the count of name !=\(option) \(character)")
            stage.equal(
              all.filter("name IN\(option) %@", [character, "nobody"]).map(\.id), same,
              "what name IN\(option) finds for \(character)")
          }
        }
      }
    ] + [
      .lettersBeyondASCII, .patternsOfCharacters, .patternsOfManyStars, .textsWithin,
      TypedTexts.probe,
    ])

  static let data04 = Rule(
    "DATA-04", .implementation,
    "What is found through an index MUST be what is there: in the write that changed it, after its "
      + "commit or its cancel, after a refresh to another's commit, and in a version that is kept.",
    source: "RS/Property documentation of `indexed`: an index changes speed only.",
    broken:
      "an index read at another version than its rows; an entry left behind, or not made, when a "
      + "value changes to or from null or its object goes",
    probes: [
      Probe("indexed values of each kind, changed here and elsewhere") { stage in
        let configuration = stage.specimens()
        let realm = try Realm(configuration: configuration)
        var chance = stage.chance
        let indexed = Fields.indexed
        var model: [Int: [String: AnyHashable]] = [:]
        /// Changes, adds and deletes some objects, in the realm and in the model.
        func change(_ realm: Realm, _ model: inout [Int: [String: AnyHashable]]) {
          for _ in 0..<40 {
            let id = chance.below(60)
            if chance.below(4) == 0, let old = realm.specimen(id) {
              realm.delete(old)
              model[id] = nil
              continue
            }
            let specimen = realm.specimen(id) ?? Specimen(id: id)
            if specimen.realm == nil { realm.add(specimen) }
            var facts = model[id] ?? [:]
            for field in indexed where chance.below(2) == 0 || model[id] == nil {
              let value = field.pick(chance.next()).map { AnyHashable($0) }
              field.write(value, to: specimen)
              facts[field.name] = value
            }
            model[id] = facts
          }
        }
        /// The index that was asked last is asked first the next time: an engine may have kept it.
        var order = Array(indexed.indices)
        func check(_ realm: Realm, _ model: [Int: [String: AnyHashable]], _ moment: String) {
          order = [order[order.count - 1]] + order.dropLast().shuffled(using: &chance)
          for place in order { stage.checkIndex(indexed[place], realm, model, moment) }
        }
        for round in 0..<12 {
          realm.beginWrite()
          let before = model
          change(realm, &model)
          check(realm, model, "in a write")
          if round % 3 == 2 {
            realm.cancelWrite()
            model = before
            check(realm, model, "after a cancel")
            continue
          }
          try realm.commitWrite()
          check(realm, model, "after the commit")
          let frozen = realm.freeze()
          let kept = model
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { change(other, &model) }
            check(other, model, "after another thread's commit, there")
          }
          check(realm, kept, "before the refresh")
          realm.refresh()
          check(realm, model, "after the refresh")
          check(frozen, kept, "in a frozen realm")
        }
      }
    ] + LateIndexes.probes + [MixedKinds.asked])
}

extension Stage {
  fileprivate func checkEquality<F: AnyField>(_ field: F, _ view: View, _ crowd: Crowd) {
    let held = view.ids.map { ($0, crowd.typed(field, $0)) }
    for (number, value) in field.range.enumerated() {
      let same = held.filter { $0.1 == value }.map(\.0)
      let others = held.filter { $0.1 != value }.map(\.0)
      let words = value.map { "\($0)".prefix(12) } ?? "null"
      let argument = value.map { $0 as Any } ?? NSNull()
      found(
        view.members.where { field.equal($0, value) }, same, by: "\(field.name) == \(words)",
        of: view, crowd)
      found(
        view.members.where { field.unequal($0, value) }, others, by: "\(field.name) != \(words)",
        of: view, crowd)
      // The same said otherwise, each time in one of the other ways.
      switch (number + crowd.size) % 3 {
      case 0:
        found(
          view.members.where { !field.equal($0, value) }, others,
          by: "NOT \(field.name) == \(words)", of: view, crowd)
      case 1:
        found(
          view.members.filter("\(field.name) == %@", argument), same,
          by: "the filter \(field.name) == \(words)", of: view, crowd)
      default:
        found(
          view.members.filter("\(field.name) != %@", argument), others,
          by: "the filter \(field.name) != \(words)", of: view, crowd)
      }
    }
  }

  fileprivate func checkOrder<F: AnyField>(_ field: F, _ view: View, _ crowd: Crowd) {
    guard let precedes = field.precedes else { return }
    let held = view.ids.map { ($0, crowd.typed(field, $0)) }
    func check(_ format: String, _ arguments: [Any], _ holds: (F.Value) -> Bool) {
      let ids = held.filter { $0.1.map(holds) ?? false }.map(\.0)
      let results =
        arguments.count == 1
        ? view.members.filter(format, arguments[0])
        : view.members.filter(format, arguments[0], arguments[1])
      found(results, ids, by: "\(format) with \(arguments)", of: view, crowd)
    }
    for value in field.values {
      check("\(field.name) < %@", [value]) { precedes($0, value) }
      check("\(field.name) <= %@", [value]) { !precedes(value, $0) }
      check("\(field.name) > %@", [value]) { precedes(value, $0) }
      check("\(field.name) >= %@", [value]) { !precedes($0, value) }
    }
    let (low, high) = (field.values[1], field.values[field.values.count - 2])
    check("\(field.name) >= %@ AND \(field.name) < %@", [low, high]) {
      !precedes($0, low) && precedes($0, high)
    }
    check("\(field.name) BETWEEN {%@, %@}", [low, high]) {
      !precedes($0, low) && !precedes(high, $0)
    }
    check("\(field.name) IN {%@, %@}", [low, high]) { $0 == low || $0 == high }
  }

  fileprivate func checkIndex<F: AnyField>(
    _ field: F, _ realm: Realm, _ model: [Int: [String: AnyHashable]], _ moment: String
  ) {
    let all = realm.objects(Specimen.self)
    for value in field.range {
      let ids = model.filter { $0.value[field.name] == value.map { AnyHashable($0) } }.keys.sorted()
      let found = all.where { field.equal($0, value) }
      equal(
        found.map(\.id).sorted(), ids,
        "what has \(field.name) \(value.map { "\($0)".prefix(12) } ?? "null") \(moment)")
      equal(found.count, ids.count, "their count \(moment)")
    }
  }
}
