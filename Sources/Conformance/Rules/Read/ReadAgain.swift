import EngineUnderTest
import Foundation
import Harness

/// Each question to a realm in each way to ask it, asked again after each thing that can happen,
/// while somebody keeps whatever it gave before.
enum AskedAgain {
  /// What plain Swift knows: the amount, the text and the link of each, and what the first holds.
  private struct Facts: Equatable {
    var amounts: [Int: Int] = [:]
    var words: [Int: String] = [:]
    var links: [Int: Int] = [:]
    var members: [Int] = []
    var group: Set<Int> = []
    var named: [String: Int?] = [:]

    var ids: [Int] { amounts.keys.sorted() }

    mutating func add(_ id: Int, _ amount: Int, _ word: String = "") {
      (amounts[id], words[id]) = (amount, word)
    }

    mutating func delete(_ id: Int) {
      amounts[id] = nil
      words[id] = nil
      links[id] = nil
      links = links.filter { $0.value != id }
      members.removeAll { $0 == id }
      group.remove(id)
      for (key, value) in named where value == id { named[key] = .some(nil) }
      if id == 0 { (members, group, named) = ([], [], [:]) }
    }
  }

  private struct Question {
    let name: String
    /// Tells the answer in words, and gives what is to be kept.
    let ask: (Realm) -> (words: String, kept: Any)
    let answer: (Facts) -> String

    init<Kept>(
      _ name: String, _ ask: @escaping (Realm) -> Kept, words: @escaping (Kept) -> String,
      answer: @escaping (Facts) -> String
    ) {
      self.name = name
      self.ask = { realm in
        let kept = ask(realm)
        return (words(kept), kept)
      }
      self.answer = answer
    }
  }

  private static func words(_ one: Specimen?) -> String {
    one.map { "\($0.id) \($0.amount) \($0.word) \($0.next?.id ?? -1)" } ?? "nobody"
  }

  private static func words(_ one: DynamicObject?) -> String {
    guard let one else { return "nobody" }
    let next = ByName.value("next", of: one) as? DynamicObject
    func word(_ value: Any?) -> String { value.map { "\($0)" } ?? "nothing" }
    return "\(word(ByName.value("id", of: one))) \(word(ByName.value("amount", of: one))) "
      + "\(word(ByName.value("word", of: one))) "
      + "\(next.map { word(ByName.value("id", of: $0)) } ?? "-1")"
  }

  private static func words(_ id: Int, _ facts: Facts) -> String {
    facts.amounts[id].map { "\(id) \($0) \(facts.words[id] ?? "") \(facts.links[id] ?? -1)" }
      ?? "nobody"
  }

  private static func of<Members: Sequence>(_ members: Members) -> String
  where Members.Element == Specimen { members.map { words($0) }.joined(separator: ", ") }

  private static func of(_ ids: [Int], _ facts: Facts) -> String {
    ids.map { words($0, facts) }.joined(separator: ", ")
  }

  private static var questions: [Question] { lookups + collections + held }

  private static var lookups: [Question] {
    [0, 1, 2, 4, 5, 99].flatMap { id in
      [
        Question(
          "\(id), by its key", { $0.specimen(id) }, words: { words($0) },
          answer: { words(id, $0) }),
        Question(
          "\(id), by its class's name",
          { $0.dynamicObject(ofType: "Specimen", forPrimaryKey: id) }, words: { words($0) },
          answer: { words(id, $0) }),
        Question(
          "\(id), by a query", { $0.objects(Specimen.self).where { $0.id == id }.first },
          words: { words($0) }, answer: { words(id, $0) }),
        Question(
          "\(id), by its place",
          { realm -> Specimen? in
            let all = realm.objects(Specimen.self)
            return all.index(matching: "id == %@", id).map { all[$0] }
          }, words: { words($0) }, answer: { words(id, $0) }),
      ]
    }
  }

  private static var collections: [Question] {
    [
      Question(
        "all", { $0.objects(Specimen.self).sorted(byKeyPath: "id") }, words: { of($0) },
        answer: {
          of($0.ids, $0)
        }),
      Question(
        "all, by the name of their class",
        { $0.dynamicObjects("Specimen").sorted(byKeyPath: "id") },
        words: { $0.map { words($0) }.joined(separator: ", ") }, answer: { of($0.ids, $0) }),
      Question(
        "some, by the name of their class", { $0.dynamicObjects("Specimen").filter("amount > 2") },
        words: { "\($0.count) \($0.isEmpty)" },
        answer: { facts in
          let count = facts.amounts.values.filter { $0 > 2 }.count
          return "\(count) \(count == 0)"
        }),
      Question(
        "whether there is anybody", { $0.isEmpty }, words: { "\($0)" },
        answer: {
          "\($0.amounts.isEmpty)"
        }),
      Question(
        "how many there are", { $0.objects(Specimen.self) }, words: { "\($0.count)" },
        answer: {
          "\($0.amounts.count)"
        }),
      Question(
        "the ends", { $0.objects(Specimen.self).sorted(by: ["amount", "id"]) },
        words: { words($0.first) + "; " + words($0.last) },
        answer: { facts in
          let ids = ranked(facts)
          return words(ids.first ?? -7, facts) + "; " + words(ids.last ?? -7, facts)
        }),
      Question(
        "members by their places",
        { realm -> [Specimen] in
          let all = realm.objects(Specimen.self).sorted(by: ["amount", "id"])
          return all.objects(at: IndexSet(all.indices.filter { $0 % 2 == 0 }))
        }, words: { of($0) },
        answer: { facts in
          let ids = ranked(facts)
          return of(ids.indices.filter { $0 % 2 == 0 }.map { ids[$0] }, facts)
        }),
      Question(
        "larger ones, by a format", { $0.objects(Specimen.self).filter("amount > 2") },
        words: { "\($0.map(\.id).sorted())" },
        answer: { facts in "\(facts.ids.filter { facts.amounts[$0]! > 2 })" }),
      Question(
        "those that link to somebody large",
        { $0.objects(Specimen.self).where { $0.next.amount > 2 } },
        words: { "\($0.map(\.id).sorted())" },
        answer: { facts in
          "\(facts.ids.filter { facts.links[$0].map { facts.amounts[$0]! > 2 } ?? false })"
        }),
      Question(
        "one of each text",
        { $0.objects(Specimen.self).sorted(byKeyPath: "id").distinct(by: ["word"]) },
        words: { "\($0.map(\.id))" },
        answer: { facts in
          var seen: Set<String> = []
          return "\(facts.ids.filter { seen.insert(facts.words[$0]!).inserted })"
        }),
      Question(
        "numbers", { $0.objects(Specimen.self) },
        words: {
          "\($0.sum(of: \.amount) as Int) \($0.min(of: \.amount) ?? -9) "
            + "\($0.max(ofProperty: "amount") ?? -9)"
        },
        answer: { facts in
          let all = facts.amounts.values
          return "\(all.reduce(0, +)) \(all.min() ?? -9) \(all.max() ?? -9)"
        }),
      Question(
        "the sections", { $0.objects(Specimen.self).sectioned(by: \.word) },
        words: { $0.map { "\($0.key) \($0.map(\.id).sorted())" }.joined(separator: ", ") },
        answer: { facts in
          Set(facts.words.values).sorted().map { word in
            "\(word) \(facts.ids.filter { facts.words[$0] == word })"
          }.joined(separator: ", ")
        }),
      Question(
        "what a projection shows",
        { $0.objects(SpecimenView.self).filter("amount > 2") }, words: { "\($0.count)" },
        answer: { "\($0.amounts.values.filter { $0 > 2 }.count)" }),
    ]
  }

  private static func ranked(_ facts: Facts) -> [Int] {
    facts.ids.sorted { (facts.amounts[$0]!, $0) < (facts.amounts[$1]!, $1) }
  }

  /// What the first one holds, and who leads to whom.
  private static var held: [Question] {
    [
      Question(
        "a list", { $0.specimen(0)?.members }, words: { $0.map { of($0) } ?? "" },
        answer: {
          of($0.members, $0)
        }),
      Question(
        "a list, sorted", { $0.specimen(0)?.members.sorted(byKeyPath: "id") },
        words: { $0.map { of($0) } ?? "" }, answer: { of($0.members.sorted(), $0) }),
      Question(
        "a set", { $0.specimen(0)?.group }, words: { "\($0?.map(\.id).sorted() ?? [])" },
        answer: { "\($0.group.sorted())" }),
      Question(
        "a map's keys", { $0.specimen(0)?.named.keys ?? [] }, words: { "\($0.sorted())" },
        answer: { "\($0.named.keys.sorted())" }),
      Question(
        "a map's values", { $0.specimen(0).map { Array($0.named.values) } ?? [] },
        words: { "\($0.map { $0?.id ?? -1 }.sorted())" },
        answer: { "\($0.named.values.map { $0 ?? -1 }.sorted())" }),
      Question(
        "a map's value", { $0.specimen(0)?.named["2"] ?? nil }, words: { words($0) },
        answer: { facts in (facts.named["2"] ?? nil).map { words($0, facts) } ?? "nobody" }),
      Question(
        "who links to 2", { $0.specimen(2)?.throughNext },
        words: { "\($0?.map(\.id).sorted() ?? [])" },
        answer: { facts in "\(facts.ids.filter { facts.links[$0] == 2 })" }),
      Question(
        "whose list has 2", { $0.specimen(2)?.throughMembers.count ?? 0 }, words: { "\($0)" },
        answer: { "\($0.members.filter { $0 == 2 }.count)" }),
      Question(
        "the next one of 1", { $0.specimen(1)?.next }, words: { words($0) },
        answer: { facts in
          facts.links[1].map { words($0, facts) } ?? "nobody"
        }),
    ]
  }

  /// Something that happens, to a realm and to what is known.
  private static var events: [(name: String, run: (Realm) -> Void, model: (inout Facts) -> Void)] {
    [
      (
        "a first one",
        { realm in
          let owner = Specimen(id: 0)
          realm.add(owner)
        }, { $0.add(0, 0) }
      ),
      (
        "some more",
        { realm in
          for id in 1...4 {
            let one = Specimen(id: id)
            (one.amount, one.word) = (id, id % 2 == 0 ? "even" : "odd")
            realm.add(one)
          }
        }, { for id in 1...4 { $0.add(id, id, id % 2 == 0 ? "even" : "odd") } }
      ),
      (
        "links",
        { realm in
          let owner = realm.specimen(0)!
          for id in [2, 3, 2] { owner.members.append(realm.specimen(id)!) }
          owner.group.insert(realm.specimen(2)!)
          for id in 1...2 { owner.named["\(id)"] = .some(realm.specimen(id)!) }
          realm.specimen(1)!.next = realm.specimen(2)
          realm.specimen(4)!.next = realm.specimen(2)
        },
        {
          ($0.members, $0.group, $0.named) = ([2, 3, 2], [2], ["1": 1, "2": 2])
          ($0.links[1], $0.links[4]) = (2, 2)
        }
      ),
      (
        "other values",
        { realm in
          realm.specimen(2)!.amount = 9
          realm.specimen(2)!.word = "new"
        }, { ($0.amounts[2], $0.words[2]) = (9, "new") }
      ),
      ("a deletion", { $0.delete($0.specimen(2)!) }, { $0.delete(2) }),
      (
        "another under its key",
        { realm in
          let one = Specimen(id: 2)
          one.amount = 5
          realm.add(one)
        }, { $0.add(2, 5) }
      ),
      (
        "what leads to that one",
        { realm in
          realm.specimen(1)!.next = realm.specimen(2)
          realm.specimen(0)!.members.insert(realm.specimen(2)!, at: 0)
          realm.specimen(0)!.named["2"] = .some(realm.specimen(2)!)
        },
        {
          $0.links[1] = 2
          $0.members.insert(2, at: 0)
          $0.named["2"] = 2
        }
      ),
      (
        "its deletion by a query", { $0.delete($0.objects(Specimen.self).where { $0.id == 2 }) },
        { $0.delete(2) }
      ),
      (
        "one that is created",
        { realm in
          let value: [String: Any] = ["id": 5, "amount": 3, "word": "odd"]
          realm.create(Specimen.self, value: value, update: .all)
        }, { $0.add(5, 3, "odd") }
      ),
      (
        "one that is updated",
        { realm in
          realm.create(Specimen.self, value: ["id": 5, "amount": 1], update: .modified)
        }, { $0.amounts[5] = 1 }
      ),
      ("a deletion of all", { $0.deleteAll() }, { $0 = Facts() }),
      ("a first one again", { $0.add(Specimen(id: 0)) }, { $0.add(0, 0) }),
    ]
  }

  private enum Way: String, CaseIterable {
    case committed = "a write that is committed"
    case cancelled = "a write that is cancelled first"
    case elsewhere = "another's commit"
    case invalidated = "another's commit, after invalidate()"
    case asynchronous = "an asynchronous write"
  }

  static let probes: [Probe] = Way.allCases.map { way in
    Probe("each question is answered anew, though its last answer is kept: \(way.rawValue)") {
      stage in
      Backstage.hooks?.skipFlushes()
      let configuration = stage.specimens()
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      var facts = Facts()
      var kept: [Any] = []
      func look(_ moment: String) {
        for round in 1...2 {
          for question in questions {
            let (words, thing) = question.ask(realm)
            kept.append(thing)
            let expected = question.answer(facts)
            stage.expect(
              words == expected, "\(question.name), \(moment), round \(round): \(expected)",
              observed: words)
          }
        }
        // Some are kept through many moments, and some through one.
        if kept.count > 8 * questions.count { kept.removeFirst(5 * questions.count) }
      }
      look("at first")
      for event in events {
        var after = facts
        event.model(&after)
        let before = facts
        switch way {
        case .committed:
          realm.beginWrite()
          event.run(realm)
          facts = after
          look("in the write of \(event.name)")
          try realm.commitWrite()
        case .cancelled:
          realm.beginWrite()
          event.run(realm)
          facts = after
          look("in the write of \(event.name) that is cancelled")
          realm.cancelWrite()
          facts = before
          look("after \(event.name) was cancelled")
          try realm.write { event.run(realm) }
          facts = after
        case .elsewhere, .invalidated:
          let isDropped = way == .invalidated
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { event.run(other) }
          }
          look("before the refresh to \(event.name)")
          if isDropped { realm.invalidate() } else { realm.refresh() }
          facts = after
        case .asynchronous:
          var isDone = false
          realm.writeAsync {
            event.run(realm)
            facts = after
            look("in the block of \(event.name)")
          } onComplete: { _ in
            isDone = true
          }
          look("before the block of \(event.name)")
          try stage.spin(until: { isDone }, "the write of \(event.name)")
        }
        look("after \(event.name)")
      }
    }
  }
}
