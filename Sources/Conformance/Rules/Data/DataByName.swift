import EngineUnderTest
import Foundation

/// Where the first member is that satisfies a question, and what members have by the names of
/// their properties.
enum Named {
  /// By each way to ask, of each kind of collection.
  static let matching = Probe("the first member that a question finds, in words and in Swift") {
    stage in
    Backstage.hooks?.skipFlushes()
    try stage.eachView([Fields.ordered[0]], sizes: [1, 6, 70, 300]) { view, _, crowd in
      let realm = view.members.realm!
      if !view.members.isFrozen {
        try realm.write {
          for id in 0..<crowd.size {
            let specimen = realm.specimen(id)!
            specimen.amount = (id &* 7_919) % 11
            specimen.word = ["a", "b", "cc"][(id &* 31) % 3]
            specimen.next = id % 5 == 0 ? nil : realm.specimen((id &* 13) % crowd.size)
          }
        }
      }
      let members = Array(view.members)
      func check(
        _ words: String, _ format: String, _ arguments: [Any],
        _ query: (Query<Specimen>) -> Query<Bool>, _ holds: (Specimen) -> Bool
      ) {
        let place = members.firstIndex(where: holds)
        let what = "where the first \(words) is in \(view.name) of \(crowd.size)"
        stage.equal(view.members.index(matching: query), place, "\(what), in Swift")
        let found =
          arguments.count == 2
          ? view.members.index(matching: format, arguments[0], arguments[1])
          : view.members.index(matching: format, arguments[0])
        stage.equal(found, place, "\(what), in words")
        if let place {
          stage.equal(view.members.index(of: members[place]), place, "the position, \(what)")
        }
      }
      for amount in [0, 3, 10, 99] {
        check(
          "of \(amount)", "amount == %@", [amount], { $0.amount == amount },
          { $0.amount == amount })
        check(
          "above \(amount) with a text", "amount > %@ AND word == %@", [amount, "b"],
          { $0.amount > amount && $0.word == "b" }, { $0.amount > amount && $0.word == "b" })
        check(
          "whose link has less than \(amount)", "next.amount < %@", [amount],
          { $0.next.amount < amount }, { ($0.next?.amount).map { $0 < amount } ?? false })
        check(
          "that is not of \(amount)", "NOT amount == %@", [amount], { !($0.amount == amount) },
          { $0.amount != amount })
      }
      check("without", "word == %@", ["z"], { $0.word == "z" }, { $0.word == "z" })
      // Of those that were asked for before, in another order.
      let some = view.members.where { $0.amount > 2 }.sorted(by: ["word", "id"])
      let list = Array(some)
      for word in ["a", "b", "cc", "z"] {
        let place = list.firstIndex { $0.word == word }
        stage.equal(
          some.index(matching: { $0.word == word }), place,
          "where the first \(word) is in a part of \(view.name) of \(crowd.size)")
        stage.equal(
          some.index(matching: "word == %@", word), place,
          "where the first \(word) is in a part of \(view.name) of \(crowd.size), in words")
      }
    }
    // Of values, wherever they are, and however often.
    let realm = try Realm(configuration: stage.cupboards("values"))
    try realm.write { realm.add(Cupboard(id: 0)) }
    let cupboard = realm.cupboard(0)
    let numbers = (0..<90).map { ($0 &* 37) % 12 }
    try realm.write {
      cupboard.wholeList.append(objectsIn: numbers)
      cupboard.wholeSet.insert(objectsIn: numbers)
    }
    for cupboard in [cupboard, cupboard.freeze()] {
      for number in -1...12 {
        let (list, set) = (cupboard.wholeList, cupboard.wholeSet)
        let when = "\(number), frozen: \(cupboard.isFrozen)"
        let down = list.sorted(ascending: false)
        stage.equal(list.index(of: number), numbers.firstIndex(of: number), "the first \(when)")
        stage.equal(
          list.index(matching: "self == %@", number), numbers.firstIndex(of: number),
          "the first that is \(when)")
        stage.equal(
          down.index(matching: "self < %@", number),
          numbers.sorted(by: >).firstIndex { $0 < number }, "the first below, from above, \(when)")
        stage.equal(
          down.index(of: number), numbers.sorted(by: >).firstIndex(of: number),
          "the first from above, \(when)")
        stage.equal(
          set.index(matching: "self == %@", number).map { set[$0] },
          numbers.contains(number) ? number : nil, "the one of a set that is \(when)")
      }
    }
  }

  private struct Facts: Equatable {
    var amount: Int
    var whole: Int?
    var word: String
    var next: Int?
  }

  private static func facts(_ specimen: Specimen) -> Facts {
    Facts(
      amount: specimen.amount, whole: specimen.whole, word: specimen.word, next: specimen.next?.id)
  }

  /// Properties of all members, read and written by their names.
  static let members = Probe("each member has what is set by name, of each kind of collection") {
    stage in
    Backstage.hooks?.skipFlushes()
    for size in [1, 6, 70, 200] {
      let realm = try Realm(configuration: stage.specimens("\(size)"))
      let crowd = Crowd(size, seed: stage.seed)
      try crowd.fill(realm, [])
      try realm.write {
        for id in 0..<size {
          let specimen = realm.specimen(id)!
          (specimen.amount, specimen.word) = (id, "text \(id)")
          specimen.whole = id % 3 == 0 ? nil : id
          specimen.next = id % 4 == 0 ? nil : realm.specimen(id / 2)
          specimen.other = realm.specimen(0)
        }
      }
      let all = realm.objects(Specimen.self)
      let holder = realm.specimen(0)!
      // Whoever is set by the property that decides where it stands, and whether, moves on the way.
      let collections: [(String, AnyRealmCollection<Specimen>)] = [
        ("all", AnyRealmCollection(all)),
        ("a part by what is set", AnyRealmCollection(all.where { $0.amount >= 1 })),
        (
          "all by what is set, down",
          AnyRealmCollection(all.sorted(byKeyPath: "amount", ascending: false))
        ),
        (
          "the first of each, a part",
          AnyRealmCollection(
            all.where { $0.amount < 60 }.sorted(byKeyPath: "word").distinct(by: ["word"]))
        ),
        ("a list", AnyRealmCollection(holder.members)),
        ("a set", AnyRealmCollection(holder.group)),
        ("those that link", AnyRealmCollection(holder.throughOther)),
        ("a part of a list", AnyRealmCollection(holder.members.where { $0.whole == nil })),
      ]
      for (name, members) in collections {
        for (key, value, set) in [
          ("amount", -7, { $0.amount = -7 }),
          ("word", "new", { $0.word = "new" }),
          ("whole", 5, { $0.whole = 5 }),
          ("whole", nil, { $0.whole = nil }),
          ("next", realm.specimen(0), { $0.next = 0 }),
          ("next", nil, { $0.next = nil }),
        ] as [(String, Any?, (inout Facts) -> Void)] {
          let what = "\(key) of \(name) of \(size)"
          realm.beginWrite()
          var expected = Dictionary(uniqueKeysWithValues: all.map { ($0.id, facts($0)) })
          let meant = members.map(\.id)
          for id in meant { set(&expected[id]!) }
          ByName.set(value, key, in: members)
          let observed = Dictionary(uniqueKeysWithValues: all.map { ($0.id, facts($0)) })
          let wrong = expected.keys.filter { expected[$0] != observed[$0] }.sorted()
          stage.expect(
            wrong.isEmpty, "all \(meant.count) and no others have the new \(what)",
            observed: "\(wrong.count) do not: \(wrong.prefix(5))")
          realm.cancelWrite()
        }
        guard let amounts = ByName.values("amount", of: members) else { continue }
        let ids = members.map(\.id)
        stage.equal(
          amounts.map { $0 as? Int }, ids.map { realm.specimen($0)?.amount }, "amounts of \(name)")
        stage.equal(
          ByName.values("word", of: members)?.map { $0 as? String },
          ids.map { realm.specimen($0)?.word }, "words of \(name)")
        stage.equal(
          ByName.values("whole", of: members)?.map { $0 as? Int },
          ids.map { realm.specimen($0)!.whole }, "optionals of \(name), a null for each")
        stage.equal(
          ByName.values("next", of: members)?.map { ($0 as? Specimen)?.id },
          ids.map { realm.specimen($0)?.next?.id }, "links of \(name), a null for each")
      }
    }
  }
}
