import EngineUnderTest
import Evidence
import Foundation

/// What a specimen shows of itself, of those it links to and of all that it has.
final class WideView: Projection<Specimen> {
  @Projected(\Specimen.id) var number
  @Projected(\Specimen.amount) var amount
  @Projected(\Specimen.whole) var whole
  @Projected(\Specimen.text) var text
  @Projected(\Specimen.next?.amount) var nextAmount
  @Projected(\Specimen.next?.next?.word) var farWord
  @Projected(\Specimen.numbers) var numbers
  @Projected(\Specimen.scores) var scores
  @Projected(\Specimen.members.projectTo.word) var words: ProjectedCollection<String>
  @Projected(\Specimen.members.projectTo.whole) var wholes: ProjectedCollection<Int?>
  @Projected(\Specimen.group.projectTo.id) var groupIDs: ProjectedCollection<Int>
  @Projected(\Specimen.throughNext.projectTo.id) var followers: ProjectedCollection<Int>
}

/// Projections show what their object has, whatever is done to it, and are asked for by it.
enum Shown {
  /// What an object has, taken from the object itself.
  private struct Sight: Equatable {
    let number: Int
    let amount: Int
    let whole: Int?
    let text: String?
    let nextAmount: Int?
    let farWord: String?
    let numbers: [Int?]
    let scores: [String: Int]
    let words: [String]
    let wholes: [Int?]
    let group: Set<Int>
    let followers: Set<Int>

    init(_ one: Specimen) {
      (number, amount, whole, text) = (one.id, one.amount, one.whole, one.text)
      nextAmount = one.next.map(\.amount)
      farWord = one.next.flatMap(\.next).map(\.word)
      numbers = Array(one.numbers)
      scores = Dictionary(uniqueKeysWithValues: one.scores.map { ($0.key, $0.value) })
      words = one.members.map(\.word)
      wholes = one.members.map(\.whole)
      group = Set(one.group.map(\.id))
      followers = Set(one.throughNext.map(\.id))
    }

    init(_ view: WideView) {
      (number, amount, whole, text) = (view.number, view.amount, view.whole, view.text)
      (nextAmount, farWord) = (view.nextAmount, view.farWord)
      numbers = Array(view.numbers)
      scores = Dictionary(uniqueKeysWithValues: view.scores.map { ($0.key, $0.value) })
      words = Array(view.words)
      wholes = (0..<view.wholes.count).map { view.wholes[$0] }
      group = Set(view.groupIDs)
      followers = Set(view.followers)
    }
  }

  private static func change(_ realm: Realm, _ count: Int, _ chance: inout SeededGenerator) {
    let one = realm.specimen(chance.below(count))!
    let other = realm.specimen(chance.below(count))!
    switch chance.below(11) {
    case 0: one.amount = chance.below(6) - 2
    case 1: one.whole = chance.below(3) == 0 ? nil : chance.below(9)
    case 2: one.text = chance.below(3) == 0 ? nil : "text \(chance.below(9))"
    case 3: one.next = chance.below(4) == 0 ? nil : other
    case 4: one.word = "word \(chance.below(9))"
    case 5: one.numbers.append(chance.below(3) == 0 ? nil : chance.below(9))
    case 6: one.scores[["a", "b"][chance.below(2)]] = chance.below(9)
    case 7: one.members.append(other)
    case 8: if one.members.count > 1 { one.members.remove(at: chance.below(one.members.count)) }
    case 9: one.group.insert(other)
    default: one.group.remove(other)
    }
  }

  private static func stocked(_ stage: Stage, _ count: Int) throws -> Realm {
    let realm = try Realm(configuration: stage.specimens())
    var chance = stage.chance
    try realm.write {
      for id in 0..<count { realm.add(Specimen(id: id)) }
      for _ in 0..<(12 * count) { change(realm, count, &chance) }
    }
    return realm
  }

  // MARK: Read and written

  static let sights = Probe("a projection shows what its object has, in each state of it") {
    stage in
    Backstage.hooks?.skipFlushes()
    let count = 12
    let realm = try stocked(stage, count)
    let configuration = realm.configuration
    var chance = stage.chance
    let kept = (0..<count).map { WideView(projecting: realm.specimen($0)!) }
    func look(_ realm: Realm, _ views: [WideView], _ moment: String) {
      for view in views {
        let object = realm.specimen(view.number)!
        stage.equal(Sight(view), Sight(object), "what \(view.number) shows \(moment)")
        stage.equal(view.isFrozen, realm.isFrozen, "whether it is frozen \(moment)")
        stage.equal(view.isInvalidated, false, "whether it is invalidated \(moment)")
        stage.expect(view.realm == realm, "its realm \(moment)")
        stage.expect(view == WideView(projecting: object), "that it is another's equal \(moment)")
      }
    }
    for round in 0..<8 {
      let (frozen, before) = (kept.map { $0.freeze() }, realm.freeze())
      if round % 4 == 3 {
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          var dice = stage.chance
          try other.write { for _ in 0..<(10 + round) { change(other, count, &dice) } }
        }
        realm.refresh()
      } else {
        realm.beginWrite()
        for _ in 0..<10 { change(realm, count, &chance) }
        look(realm, kept, "in write \(round)")
        if round % 4 == 1 { realm.cancelWrite() } else { try realm.commitWrite() }
      }
      look(realm, kept, "after write \(round)")
      look(before, frozen, "frozen before write \(round)")
      look(realm, frozen.compactMap { $0.thaw() }, "thawed after write \(round)")
      look(realm, Array(realm.objects(WideView.self)), "asked of its realm in round \(round)")
      let travelling = ThreadSafeReference(to: kept[round])
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        guard let view = other.resolve(travelling) else {
          return stage.fail(expected: "a projection elsewhere", observed: "none")
        }
        stage.equal(Sight(view), Sight(other.specimen(round)!), "what \(round) shows elsewhere")
      }
    }
    // What is written to a projection is the object's.
    for view in kept {
      try realm.write {
        view.amount += 100
        view.whole = view.number % 2 == 0 ? nil : 7
        view.text = "by its view"
        view.numbers.append(77)
        view.scores["view"] = view.number
      }
      let object = realm.specimen(view.number)!
      stage.equal(object.text, "by its view", "the text of \(view.number)")
      stage.equal(object.whole, view.number % 2 == 0 ? nil : 7, "the number of \(view.number)")
      stage.equal(object.numbers.last, 77, "the last number of \(view.number)")
      stage.equal(object.scores["view"], view.number, "the score of \(view.number)")
    }
    look(realm, kept, "after all was written through it")
    try stage.elsewhere {
      let other = try Realm(configuration: configuration)
      stage.equal(other.objects(WideView.self).count { $0.amount >= 98 }, count, "those elsewhere")
    }
    // Who goes takes its views along, and leaves others'.
    let last = kept[count - 1].freeze()
    try realm.write { realm.delete(realm.specimen(count - 1)!) }
    stage.equal(kept[count - 1].isInvalidated, true, "whether the deleted one's is invalidated")
    stage.expect(last.thaw() == nil, "what is frozen of it has no live one")
    stage.equal(last.text, "by its view", "what is frozen of it")
    look(realm, Array(kept.dropLast()), "after a deletion")
  }

  // MARK: Asked for

  static let asked = Probe("projections are found, sorted, told apart and computed as objects are")
  {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stocked(stage, 40)
    for home in [realm, realm.freeze()] {
      let (objects, views) = (home.objects(Specimen.self), home.objects(WideView.self))
      let when = "frozen: \(home.isFrozen)"
      for words in [
        "amount > 0", "whole == nil", "next.amount >= 1", "next.next.word != ''",
        "members.@count > 2", "ANY members.whole > 3", "ANY numbers == nil", "scores['a'] > 2",
        "group.@sum.amount > 1", "id < 0",
      ] {
        let (found, ids) = (views.filter(words), Array(objects.filter(words).map(\.id)))
        stage.equal(Array(found.map(\.number)), ids, "who has \(words), \(when)")
        stage.equal(found.first?.number, ids.first, "the first who has \(words), \(when)")
        stage.equal(found.count, ids.count, "how many have \(words), \(when)")
        let sorted = objects.filter(words).sorted(byKeyPath: "amount", ascending: false)
        stage.equal(
          Array(found.sorted(byKeyPath: "amount", ascending: false).map(\.number)),
          Array(sorted.map(\.id)), "who has \(words), sorted, \(when)")
        stage.equal(
          Array(found.distinct(by: ["amount"]).map(\.number)),
          Array(objects.filter(words).distinct(by: ["amount"]).map(\.id)),
          "who has \(words), distinct, \(when)")
        stage.equal(
          found.sum(ofProperty: "amount") as Int,
          objects.filter(words).sum(ofProperty: "amount") as Int, "the sum of \(words), \(when)")
        stage.equal(
          found.max(ofProperty: "whole") as Int?,
          objects.filter(words).max(ofProperty: "whole") as Int?, "the most of \(words), \(when)")
      }
      for (place, view) in views.enumerated() where stage.isDue(place, of: 7) {
        stage.equal(views.index(of: view), place, "where view \(place) is, \(when)")
        stage.equal(
          views.index(matching: "id == \(view.number)"), place, "where \(place) matches, \(when)")
      }
    }
  }

  /// By what is shown, where it is asked in Swift.
  static let askedInSwift = Probe("projections are asked for by what they show, in Swift") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stocked(stage, 40)
    for home in [realm, realm.freeze()] {
      let views = home.objects(WideView.self)
      let all = Array(views)
      let when = "frozen: \(home.isFrozen)"
      func found(_ results: Results<WideView>, _ words: String, _ holds: (WideView) -> Bool) {
        stage.equal(
          Array(results.map(\.number)), all.filter(holds).map(\.number), "who \(words), \(when)")
      }
      found(views.where { $0.amount > 0 }, "has more") { $0.amount > 0 }
      found(views.where { $0.whole == nil }, "has none") { $0.whole == nil }
      found(views.where { $0.nextAmount >= 1 }, "links to more") { ($0.nextAmount ?? 0) >= 1 }
      found(views.where { $0.farWord == "" }, "links far to nothing") { $0.farWord == "" }
      found(views.where { $0.text == "text 3" && $0.number > 5 }, "has a text") {
        $0.text == "text 3" && $0.number > 5
      }
      for up in [true, false] {
        stage.equal(
          views.sorted(by: \.amount, ascending: up).map(\.amount),
          up ? all.map(\.amount).sorted() : all.map(\.amount).sorted(by: >),
          "sorted, up: \(up), \(when)")
      }
      stage.equal(
        views.distinct(by: [\WideView.amount, \WideView.whole]).count,
        Set(all.map { "\($0.amount) \($0.whole ?? -1)" }).count, "distinct, \(when)")
      stage.equal(views.sum(of: \.amount), all.map(\.amount).reduce(0, +), "the sum, \(when)")
      stage.equal(views.min(of: \.amount), all.map(\.amount).min(), "the least, \(when)")
      stage.equal(views.max(of: \.amount), all.map(\.amount).max(), "the greatest, \(when)")
      stage.equal(
        views.average(of: \.amount), Double(all.map(\.amount).reduce(0, +)) / Double(all.count),
        "the mean, \(when)")
      let sections = views.sectioned(by: \.amount, ascending: false)
      stage.equal(
        sections.allKeys, Set(all.map(\.amount)).sorted(by: >), "the keys of sections, \(when)")
      stage.equal(
        sections.map { section in section.map(\.amount).filter { $0 != section.key }.count },
        sections.map { _ in 0 }, "who is in another's section, \(when)")
      stage.equal(sections.map(\.count).reduce(0, +), all.count, "all of them, \(when)")
    }
  }

  /// Shown members as a collection of their own.
  static let members = Probe("what is shown of members is a collection, written, frozen and thawed")
  {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stocked(stage, 12)
    let configuration = realm.configuration
    for id in 0..<12 {
      let view = WideView(projecting: realm.specimen(id)!)
      let object = realm.specimen(id)!
      let (words, groups) = (view.words, view.groupIDs)
      let frozen = (words.freeze(), groups.freeze())
      let before = (Array(words), Set(groups))
      stage.equal(before.0, object.members.map(\.word), "the words of \(id)")
      try realm.write {
        for place in words.indices { words[place] = "\(place) of \(id)" }
        object.members.append(realm.specimen((id + 1) % 12)!)
        object.group.insert(realm.specimen((id + 2) % 12)!)
      }
      stage.equal(Array(words), object.members.map(\.word), "the words of \(id) as they are now")
      stage.equal(words.count, object.members.count, "how many words \(id) shows")
      stage.equal(words.last, object.members.last?.word, "the last word of \(id)")
      stage.equal(words.reversed(), Array(Array(words).reversed()), "the words of \(id), reversed")
      stage.equal(Array(frozen.0), before.0, "the frozen words of \(id)")
      stage.equal(Set(frozen.1), before.1, "the frozen group of \(id)")
      stage.equal([frozen.0.isFrozen, words.isFrozen], [true, false], "which is frozen, of \(id)")
      stage.equal(frozen.0.thaw().map { Array($0) }, Array(words), "the thawed words of \(id)")
      stage.expect(words.realm == realm, "the realm of the words of \(id)")
      let travelling = ThreadSafeReference(to: words)
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        stage.equal(
          other.resolve(travelling).map { Array($0) },
          Array(other.specimen(id)!.members.map(\.word)), "the words of \(id) elsewhere")
      }
    }
    let view = WideView(projecting: realm.specimen(0)!)
    let (words, frozen) = (view.words, view.words.freeze())
    try realm.write { realm.delete(realm.specimen(0)!) }
    stage.equal(words.isInvalidated, true, "whether words of a deleted object are invalidated")
    stage.expect(frozen.thaw() == nil, "what is frozen of them has no live one")
  }
}
