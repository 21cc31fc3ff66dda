import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Imports of many objects whose keys are no neighbours, of a class with and without objects
  /// before.
  static let scatteredImports = [(0, 2_000), (1, 2_000), (300, 2_000), (0, 40_000)].map {
    before, count in
    Probe("\(count) scattered objects are told of where \(before) were before") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      realm.autorefresh = false
      // Of another class, so that the file is not empty.
      try realm.write {
        realm.add(Todo(value: ["name": "x"]))
        for id in 0..<before { realm.add(Account(id: id * 7 + 1, balance: 5)) }
      }
      let all = realm.objects(Account.self)
      var (known, told): ([Int], [String]) = ([], [])
      let tokens = [
        all.observe { change in
          let now = Array(all.map(\.id))
          if case .update(_, let gone, let come, let modified) = change {
            told.append("all")
            var mirror = known
            for place in gone.reversed() { mirror.remove(at: place) }
            var at = 0
            var merged: [Int] = []
            let coming = Set(come)
            for place in 0..<now.count {
              if coming.contains(place) || at >= mirror.count {
                merged.append(now[place])
              } else {
                merged.append(mirror[at])
                at += 1
              }
            }
            stage.expect(
              merged == now && come.count - gone.count == now.count - known.count,
              "the mirror is what is there",
              observed: "\(gone.count) gone, \(come.count) come, \(modified.count) modified")
          }
          known = now
        },
        all.where { $0.balance >= 0 }.observe { if case .update = $0 { told.append("filter") } },
        realm.observe { _, _ in told.append("realm") },
      ]
      try stage.settle(realm)
      for round in 0..<(count > 10_000 ? 1 : 2) {
        told = []
        try stage.foreign { realm in
          for id in 0..<count {
            realm.add(Account(id: id &* 7_919 &* (round * 2 - 1) - 3, balance: id), update: .all)
          }
        }
        realm.refresh()
        stage.equal(Set(told), ["all", "filter", "realm"], "who is told of import \(round)")
        stage.equal(known.count, all.count, "the objects as told")
      }
      for token in tokens { token.invalidate() }
    }
  }

  /// Steps of more rows than a home may find out about at once, to which it comes by itself.
  static let largeSteps = [600, 5_000, 40_000].map { count in
    Probe("index sets of steps of \(count) objects turn the old state into the new one") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      try realm.write { for id in 0..<count { realm.add(Account(id: id * 3, balance: id % 10)) } }
      let all = realm.objects(Account.self)
      // What each of very many rows costs an engine counts here twice and not four times.
      let collections = [
        all, all.where { $0.balance > 4 }, all.sorted(by: ["balance", "id"]),
        all.where { $0.balance < 8 }.distinct(by: ["id"]),
      ].prefix(count > 10_000 ? 2 : 4)
      let mirrors = collections.map { _ in CollectionMirror() }
      let tokens = zip(collections, mirrors).map { some, mirror in
        some.observe { mirror.take($0) }
      }
      try stage.spin(until: { mirrors.allSatisfy { $0.calls == 1 } }, "the initial calls")
      let steps: [(Realm, Int) -> Bool] = [
        // Some come between others, and some change.
        { realm, id in
          if id % 2 == 0 { realm.add(Account(id: id * 3 + 1, balance: id % 9)) }
          guard id % 3 == 0 else { return false }
          realm.account(id * 3).balance += 2
          return true
        },
        // Some go, and others come in the places of some.
        { realm, id in
          guard id % 5 > 1 else { return false }
          realm.delete(realm.account(id * 3))
          if id % 5 == 2 { realm.add(Account(id: id * 3, balance: -1)) }
          return id % 5 == 2
        },
        // Nearly all change.
        { realm, id in
          if let one = realm.object(ofType: Account.self, forPrimaryKey: id * 3) {
            one.balance = 9 - one.balance
          }
          return true
        },
      ]
      for (number, step) in steps.prefix(count > 10_000 ? 2 : 3).enumerated() {
        var touched: Set<Int> = []
        try stage.foreign { realm in
          for id in 0..<count where step(realm, id) { touched.insert(id * 3) }
        }
        for mirror in mirrors { mirror.mayBeModified = touched }
        try stage.spin(until: { mirrors.allSatisfy { $0.calls == number + 2 } }, "call \(number)")
      }
      for (mirror, some) in zip(mirrors, collections) {
        stage.equal(mirror.wrong, nil, "what is wrong with the index sets")
        // Not in words: of so many rows they would take longer than the rows.
        stage.expect(
          mirror.rows == Array(some.map(CollectionMirror.row)),
          "the mirror is what is there in the end",
          observed: "\(mirror.rows.count) rows of \(some.count), or others")
      }
      for token in tokens { token.invalidate() }
    }
  }

  /// So many that each is looked at by itself, and more than one or two.
  static let dozens = Probe("index sets of dozens of objects that come between others, and go") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stage.open()
    let all = realm.objects(Account.self)
    let collections = [
      all, all.where { $0.balance > 4 }, all.sorted(by: ["balance", "id"]),
      all.where { $0.balance < 8 }.distinct(by: ["id"]),
    ]
    try realm.write { for id in 0..<120 { realm.add(Account(id: id * 3, balance: id % 10)) } }
    let mirrors = collections.map { _ in CollectionMirror() }
    let tokens = zip(collections, mirrors).map { some, mirror in
      some.observe { mirror.take($0) }
    }
    try stage.settle(realm)
    for (round, count) in [20, 33, 40, 50, 64, 64].enumerated() {
      // They come, they change, and they go, each in a commit of its own.
      let ids = (0..<count).map { ($0 * 7 + round) % 120 * 3 + 1 }
      try stage.foreign { realm in for id in ids { realm.add(Account(id: id, balance: 7)) } }
      realm.refresh()
      try stage.foreign { realm in for id in ids { realm.account(id).balance = 5 + id % 2 } }
      realm.refresh()
      try stage.foreign { realm in for id in ids { realm.delete(realm.account(id)) } }
      realm.refresh()
    }
    for (mirror, some) in zip(mirrors, collections) {
      stage.equal(mirror.wrong, nil, "what is wrong with the index sets")
      stage.equal(
        mirror.rows, Array(some.map(CollectionMirror.row)), "the mirror in the end")
    }
    for token in tokens { token.invalidate() }
  }

  /// Commits between the call of `observe` and the moment at which its queue comes to it.
  static let beforeTheQueueCame = ["an object", "a list", "results", "a map"].map { kind in
    Probe("what is committed before a queue comes to its listener is told or shown: \(kind)") {
      stage in
      let realm = try stage.stocked()
      let all = try realm.write { realm.create(Everything.self) }
      let queue = DispatchQueue(label: "busy")
      let release = Latch("the queue's other work")
      stage.later(on: queue) { _ = release.wait(stage.patience) }
      let told = Latch("the call that shows it")
      let token =
        switch kind {
        case "an object":
          realm.account(1).observe(on: queue) { change in
            if case .change(let account, let properties) = change, account.balance == 7,
              properties.map(\.name) == ["balance"]
            {
              told.open()
            }
          }
        case "a list":
          realm.person("Ann").dogs.observe(on: queue) { change in
            if change.members?.count == 3 { told.open() }
          }
        case "results":
          realm.objects(Account.self).where { $0.balance == 7 }.observe(on: queue) { change in
            if change.members?.count == 1 { told.open() }
          }
        default:
          all.scores.observe(on: queue) { change in
            switch change {
            case .initial(let map), .update(let map, _, _, _):
              if map["a"] == 7 { told.open() }
            case .error: break
            }
          }
        }
      // By others, and by the realm itself.
      if kind == "an object" || kind == "results" {
        try stage.foreign { $0.account(1).balance = 7 }
      } else {
        try realm.write {
          realm.person("Ann").dogs.append(Dog(name: "new"))
          all.scores["a"] = 7
        }
      }
      release.open()
      try stage.wait(for: told)
      stage.expect(true, "it is told or shown")
      token.invalidate()
    }
  }
}
