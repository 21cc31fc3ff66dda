import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Change sets of each kind of question, applied to a mirror, from one changed row to hundreds.
  static let mirrors = [1, 3, 40, 200].map { most in
    Probe("change sets give the new state of each kind of question, \(most) changes at a time") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      try realm.write { for id in 0..<300 { realm.add(Account(id: id, balance: id % 7)) } }
      let all = realm.objects(Account.self)
      let questions: [(String, Results<Account>)] = [
        ("all", all), ("most", all.where { $0.balance >= 0 }),
        ("some", all.where { $0.balance > 3 }), ("few", all.where { $0.balance == 6 }),
        ("sorted", all.sorted(byKeyPath: "balance", ascending: false)),
        ("some sorted", all.where { $0.balance > 3 }.sorted(byKeyPath: "id", ascending: false)),
        ("distinct", all.distinct(by: ["balance"])),
      ]
      var known = questions.map { _ in [Int]() }
      var modified = questions.map { _ in Set<Int>() }
      var calls = questions.map { _ in 0 }
      let tokens = questions.indices.map { index in
        questions[index].1.observe { change in
          calls[index] += 1
          let now = Array(questions[index].1.map(\.id))
          guard case .update(_, let gone, let come, let changed) = change else {
            known[index] = now
            return
          }
          var mirror = known[index]
          modified[index] = Set(changed.map { $0 < mirror.count ? mirror[$0] : -1 })
          for place in gone.reversed() where place < mirror.count { mirror.remove(at: place) }
          for place in come where place <= mirror.count && place < now.count {
            mirror.insert(now[place], at: place)
          }
          stage.expect(
            mirror == now, "the mirror of \(questions[index].0) is what is there",
            observed: "\(gone) \(come) \(changed)")
          known[index] = now
        }
      }
      try stage.spin(until: { calls.allSatisfy { $0 > 0 } }, "the first calls")
      var chance = stage.chance
      var next = 300
      for _ in 0..<12 {
        modified = questions.map { _ in [] }
        let before = questions.map { Set($0.1.map(\.id)) }
        var (touched, fresh): (Set<Int>, Set<Int>) = ([], [])
        try realm.write {
          for _ in 0..<most {
            let count = all.count
            let account = all[Int.random(in: 0..<count, using: &chance)]
            switch Int.random(in: 0..<4, using: &chance) {
            case 0:
              realm.add(Account(id: next, balance: Int.random(in: 0..<7, using: &chance)))
              fresh.insert(next)
              next += 1
            case 1 where count > 250: realm.delete(account)
            case 2:
              account.note = "x"
              touched.insert(account.id)
            default:
              account.balance = Int.random(in: 0..<7, using: &chance)
              touched.insert(account.id)
            }
          }
        }
        try stage.settle(realm)
        for (index, (name, results)) in questions.enumerated() where index < 4 {
          let stayed = before[index].intersection(results.map(\.id)).subtracting(fresh)
          stage.equal(
            modified[index], stayed.intersection(touched), "the modified of \(name)")
        }
      }
      for token in tokens { token.invalidate() }
    }
  }

  /// Objects that members lead to, in each way that a property can.
  static let deepThroughEach = Probe(
    "a collection tells of an object that a member leads to by any kind of property"
  ) { stage in
    var configuration = stage.specimens()
    configuration.objectTypes = [Specimen.self, Todo.self]
    let realm = try Realm(configuration: configuration)
    let ways: [(String, (Specimen, Specimen) -> Void)] = [
      ("a link", { $0.next = $1 }), ("another link", { $0.other = $1 }),
      ("a list", { $0.members.append($1) }), ("another list", { $0.spares.append($1) }),
      ("a set", { $0.group.insert($1) }), ("a map", { $0.named["key"] = $1 }),
    ]
    try realm.write {
      for (number, (_, link)) in ways.enumerated() {
        let (holder, far, farther) = (
          Specimen(id: number), Specimen(id: 100 + number), Specimen(id: 200 + number)
        )
        for specimen in [holder, far, farther] { realm.add(specimen) }
        link(holder, far)
        link(far, farther)
      }
    }
    let others = configuration
    var told: [Int] = []
    let holders = realm.objects(Specimen.self).where { $0.id < 100 }
    let token = holders.observe {
      if case .update(_, _, _, let modified) = $0 { told += modified }
    }
    try stage.settle(realm)
    for (number, (name, _)) in ways.enumerated() {
      for far in [100, 200] {
        told = []
        try realm.write { realm.specimen(far + number)!.word = "changed" }
        try stage.settle(realm)
        stage.equal(told, [number], "the modified by \(name), \(far / 100) away")
        told = []
        try stage.elsewhere {
          let other = try Realm(configuration: others)
          try other.write { other.specimen(far + number)!.word = "changed again" }
        }
        realm.refresh()
        stage.equal(told, [number], "the modified by \(name) elsewhere, \(far / 100) away")
      }
    }
    token.invalidate()
  }

  /// Several commits that are told in one call.
  static let joinedChanges = Probe(
    "what several commits set is told together, with the values before the first and after the last"
  ) { stage in
    for count in 1...4 {
      let realm = try stage.stocked("\(count)")
      realm.autorefresh = false
      var told: [String] = []
      let token = realm.account(1).observe {
        guard case .change(_, let properties) = $0 else { return told.append("end") }
        told += properties.map { "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")" }
      }
      try stage.settle(realm)
      let changes: [(String, (Account) -> Void)] = [
        ("balance 100 8", { $0.balance = $0.balance == 7 ? 8 : 7 }), ("note  x", { $0.note = "x" }),
        ("balance 100 8", { $0.balance = 8 }), ("note  x", { _ in }),
      ]
      for change in changes.prefix(count) {
        try stage.foreign("\(count)") { change.1($0.account(1)) }
      }
      try stage.foreign("\(count)") { $0.account(2).balance = 0 }
      realm.refresh()
      let wanted = [["balance 100 7"], ["balance 100 7", "note  x"]]
      stage.equal(
        told.sorted(), count < 3 ? wanted[count - 1] : ["balance 100 8", "note  x"],
        "what is told of \(count) commits")
      token.invalidate()
    }
  }

  /// Writes in the calls of a realm's own listener, which come in the middle of a commit.
  static let writingRealmListeners = ["a plain write", "a commit in the background", "writeAsync"]
    .map { way in
      Probe("a realm listener that is called by a commit of any kind writes: \(way)") { stage in
        let realm = try stage.stocked()
        var (order, isInside, rounds, done): ([String], Bool, Int, Int) = ([], false, 0, 0)
        let token = realm.observe { _, realm in
          if isInside || realm.isInWriteTransaction || rounds == 12 { return }
          isInside = true
          defer { isInside = false }
          rounds += 1
          switch way {
          case "a plain write": try! realm.write { realm.account(1).balance += 1 }
          case "writeAsync":
            realm.writeAsync {
              realm.account(1).balance += 1
            } onComplete: { _ in
              done += 1
            }
          default:
            realm.beginWrite()
            realm.account(1).balance += 1
            realm.commitAsyncWrite { _ in done += 1 }
          }
        }
        try realm.write { realm.account(2).balance = 1 }
        realm.beginWrite()
        realm.account(2).balance += 10
        realm.commitAsyncWrite { _ in order.append("alone") }
        for number in 0..<5 {
          realm.beginAsyncWrite {
            realm.account(2).balance += 100
            if number == 3 {
              try! realm.commitWrite()
              order.append("plain")
            } else {
              realm.commitAsyncWrite(allowGrouping: true) { _ in order.append("\(number)") }
            }
          }
        }
        try stage.spin(until: { order.count == 6 }, "six commits")
        token.invalidate()
        if way != "a plain write" {
          try stage.spin(until: { done == rounds }, "the listener's completions")
        }
        stage.equal(
          order.filter { $0 != "plain" }, ["alone", "0", "1", "2", "4"], "the completions")
        stage.expect(rounds > 4, "the listener wrote", observed: "\(rounds) times")
        stage.equal(
          try stage.seen { "\($0.account(1).balance) \($0.account(2).balance)" },
          "\(100 + rounds) 511", "what it and the others wrote")
      }
    }

  /// Writes in callbacks while others write, too.
  static let nestedWrites = Probe(
    "listeners that write while others commit are told of every change, each once"
  ) { stage in
    let realm = try stage.open()
    try realm.write { for id in 0..<10 { realm.add(Account(id: id)) } }
    var told = [[Int]](repeating: [], count: 3)
    var rounds = 0
    let tokens = (0..<3).map { index in
      realm.objects(Account.self).observe { change in
        guard case .update(_, _, _, let modified) = change else { return }
        told[index] += modified
        // A call at the begin of a write keeps others from writing.
        guard index == 0, rounds < 3, !realm.isInWriteTransaction else { return }
        rounds += 1
        let round = rounds
        try! stage.foreign { $0.account(3 * round - 2).balance = 1 }
        try! realm.write { realm.account(3 * round - 1).balance = 1 }
        try! stage.foreign { $0.account(3 * round).balance = 1 }
      }
    }
    try stage.settle(realm)
    try stage.foreign { $0.account(0).balance = 1 }
    try stage.spin(until: { told.allSatisfy { $0.count >= 10 } }, "ten changes for each")
    try stage.settle(realm)
    for index in 0..<3 {
      stage.equal(told[index].sorted(), Array(0..<10), "what listener \(index) was told of")
    }
    for token in tokens { token.invalidate() }
  }
}
