import EngineUnderTest
import Foundation
import Harness

extension Rules.Notify {
  static let collections: [Rule] = [
    notify04, notify05, notify06, notify07, notify08, notify09, notify10, notify13, notify20,
    notify37, notify38, notify39, notify40,
  ]

  static let notify04 = Rule(
    "NOTIFY-04", .documented,
    "Collection observers MUST get exactly one `.initial` first, with the collection "
      + "usable, before any `.update`.",
    source: "S4 code (`.initial` case); RS/RealmCollection.swift:135.",
    broken: "update first; two initials",
    probes: [
      Probe("one initial first") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.objects(Account.self).observe { change in
          switch change {
          case .initial(let accounts): events.append("initial \(accounts.count)")
          case .update: events.append("update")
          case .error: events.append("error")
          }
        }
        try stage.spin(until: { events.count == 1 }, "the initial call")
        try realm.write { realm.account(1).balance = 7 }
        try stage.spin(until: { events.count == 2 }, "the update")
        stage.equal(events, ["initial 3", "update"], "the calls")
        token.invalidate()
      }
    ] + FirstCalls.probes)

  static let notify05 = Rule(
    "NOTIFY-05", .implementation,
    "Changes committed before the initial callback ran MUST be folded into `.initial` and "
      + "not be reported again.",
    source: "(impl) OC/RLMCollection.mm:459-469; AsyncTests.mm:949.",
    broken: "duplicate update (row inserted twice in a UI)",
    probes: [
      Probe("what came before the initial call is in it and not told again") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.objects(Account.self).observe { change in
          switch change {
          case .initial(let accounts): events.append("initial \(accounts.count)")
          case .update(_, let deletions, let insertions, let modifications):
            events.append("update \(deletions) \(insertions) \(modifications)")
          case .error: events.append("error")
          }
        }
        try stage.foreign { $0.add(Account(id: 9)) }
        try stage.spin(until: { !events.isEmpty }, "the initial call")
        try realm.write { realm.account(9).balance = 1 }
        let last = "update [] [] [3]"
        try stage.spin(until: { events.last == last }, "the update")
        // An engine that had all ready before the commit tells of it by itself: once, too.
        let isFolded = events.first == "initial 4"
        stage.equal(
          events, isFolded ? ["initial 4", last] : ["initial 3", "update [] [3] []", last],
          "the calls")
        token.invalidate()
      },
      Probe("the realm's own write comes after the initial call, and is told") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.objects(Account.self).observe { change in
          switch change {
          case .initial(let accounts): events.append("initial \(accounts.count)")
          case .update(_, _, let insertions, _): events.append("update \(insertions)")
          case .error: events.append("error")
          }
        }
        try stage.foreign { $0.add(Account(id: 8)) }
        try realm.write { realm.add(Account(id: 9)) }
        try stage.spin(until: { events.count >= 2 }, "the update")
        try stage.settle(realm)
        stage.equal(events, ["initial 4", "update [4]"], "the calls")
        token.invalidate()
      },
    ])

  static let notify06 = Rule(
    "NOTIFY-06", .documented,
    "A collection observer MUST be called after a write which inserted, deleted or modified "
      + "members, with the index sets.",
    source: "S4 Register a Collection Change Listener.",
    broken: "one of three kinds missed; wrong arrays",
    probes: [
      Programs.tellingOfMembers.probe,
      Probe("insertions, deletions and modifications, alone and together") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.objects(Account.self).sorted(byKeyPath: "id").observe { change in
          if case .update(_, let deletions, let insertions, let modifications) = change {
            events.append("\(deletions) \(insertions) \(modifications)")
          }
        }
        try stage.settle(realm)
        let changes: [() -> Void] = [
          { realm.add(Account(id: 4)) },
          { realm.delete(realm.account(1)) },
          { realm.account(2).balance = 7 },
          {
            realm.delete(realm.account(2))
            realm.add(Account(id: 5))
            realm.account(3).balance = 8
          },
        ]
        for (number, change) in changes.enumerated() {
          try realm.write { change() }
          try stage.spin(until: { events.count == number + 1 }, "call \(number)")
        }
        stage.equal(
          events, ["[] [3] []", "[0] [] []", "[] [] [0]", "[0] [2] [1]"], "the index sets")
        token.invalidate()
      },
    ] + [Probe.eachListenerHears("own commits")] + Probe.scatteredImports + [Probe.changesTold]
      + Probe.sizesOfCollections
      + FarSections.probes + [ManyPlaces.probe]
      + Probe.newsInEachState)

  static let notify07 = Rule(
    "NOTIFY-07", .documented,
    "In `.update`, `deletions` MUST be indices into the previous state, `insertions` "
      + "indices into the new state, and `modifications` indices into the previous state; all "
      + "ascending; together they MUST transform the previous into the new state.",
    source: "S4 Register a Collection Change Listener (+code); RS/RealmCollection.swift:150-160; "
      + "CORE collection_notifications.hpp:70-86 (`modifications` = old, `modifications_new` "
      + "exists but is not exposed).",
    broken: "modifications in new indices; insertions in old indices; unsorted",
    probes: [
      Programs.tellingOfMany.probe,
      Probe("index sets turn the old state into the new one") { stage in
        let realm = try stage.open()
        try realm.write { for id in 0..<20 { realm.add(Account(id: id, balance: id % 4)) } }
        let plain = realm.objects(Account.self).sorted(byKeyPath: "id")
        let filtered = realm.objects(Account.self).where { $0.balance > 1 }.sorted(
          byKeyPath: "balance")
        let mirrors = [CollectionMirror(), CollectionMirror()]
        let tokens = [
          plain.observe { mirrors[0].take($0) }, filtered.observe { mirrors[1].take($0) },
        ]
        try stage.spin(until: { mirrors.allSatisfy { $0.calls == 1 } }, "the initial calls")
        var chance = stage.chance
        var next = 20
        for _ in 0..<60 {
          let before = mirrors[0].calls
          var touched: Set<Int> = []
          try realm.write {
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
              let all = realm.objects(Account.self)
              let place = Int.random(in: 0..<all.count, using: &chance)
              switch Int.random(in: 0..<3, using: &chance) {
              case 0:
                realm.add(Account(id: next, balance: Int.random(in: 0..<4, using: &chance)))
                next += 1
              case 1 where all.count > 5: realm.delete(all[place])
              default:
                touched.insert(all[place].id)
                all[place].balance = Int.random(in: 0..<4, using: &chance)
              }
            }
            // Who was added and deleted is nobody to be told of: somebody is changed each time.
            touched.insert(realm.objects(Account.self)[0].id)
            realm.objects(Account.self)[0].balance = Int.random(in: 0..<4, using: &chance)
          }
          for mirror in mirrors { mirror.mayBeModified = touched }
          try stage.spin(until: { mirrors[0].calls > before }, "an update")
          try stage.settle(realm)
          guard mirrors.allSatisfy({ $0.wrong == nil }) else { break }
        }
        stage.equal(mirrors[0].wrong, nil, "what is wrong with the index sets")
        stage.equal(mirrors[1].wrong, nil, "what is wrong with the filtered index sets")
        stage.equal(mirrors[0].rows, plain.map(CollectionMirror.row), "the mirror in the end")
        stage.equal(
          mirrors[1].rows, filtered.map(CollectionMirror.row), "the filtered mirror in the end")
        for token in tokens { token.invalidate() }
      },
      .followed(
        "index sets of a query that other objects decide",
        of: [
          "throughNext.@count > 0", "ANY throughMembers.amount > 3", "throughGroup.@count == 0",
          "next.other.amount > 3", "ANY throughOther.throughNext.amount < 3", "members.@count > 1",
        ]),
      Probe("index sets of a list follow what is moved about in it") { stage in
        let realm = try stage.open()
        let owner = Everything()
        try realm.write {
          realm.add(owner)
          owner.numbers.append(objectsIn: 0..<12)
        }
        let list = owner.numbers
        var mirror: [Int?] = []
        var calls = 0
        let token = list.observe { change in
          calls += 1
          switch change {
          case .initial(let all): mirror = Array(all)
          case .update(let all, let deletions, let insertions, let modifications):
            for index in modifications where index < mirror.count { mirror[index] = nil }
            for index in deletions.reversed() where index < mirror.count {
              mirror.remove(at: index)
            }
            for index in insertions where index <= mirror.count { mirror.insert(nil, at: index) }
            mirror = zip(mirror, all).map { $0 ?? $1 }
          case .error: mirror = []
          }
        }
        try stage.spin(until: { calls == 1 }, "the initial call")
        var chance = stage.chance
        for round in 0..<40 {
          try realm.write {
            for step in 0..<Int.random(in: 1...3, using: &chance) {
              let place = Int.random(in: 0..<list.count, using: &chance)
              switch Int.random(in: 0..<4, using: &chance) {
              case 0: list.insert(100 * round + step, at: place)
              case 1 where list.count > 4: list.remove(at: place)
              case 2: list.move(from: place, to: Int.random(in: 0..<list.count, using: &chance))
              default: list[place] = -(100 * round + step)
              }
            }
          }
          try stage.settle(realm)
          guard stage.equal(mirror, Array(list), "the list that was put together in round \(round)")
          else { break }
        }
        token.invalidate()
      },
    ] + Probe.mirrors + Probe.largeSteps + [.dozens, .movedMembers] + Probe.twins
      + Probe.reachedOnes
      + Probe.sectionPlaces + SectionOrders.probes + ShownNews.members + FarPaths.ofSections
      + BetweenCommits.listeners
      + Probe.changedInABegin + ChangePairs.probes)

  static let notify08 = Rule(
    "NOTIFY-08", .documented,
    "A self-assignment (same value) of a managed property MUST count as a modification.",
    source: "S4 collection and object sections.",
    broken: "value-diffing",
    probes: [
      Probe("an assignment of the same value is a modification") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let tokens = [
          realm.objects(Account.self).observe {
            if case .update(_, _, _, let m) = $0 { events.append("collection \(m)") }
          },
          realm.account(1).observe {
            if case .change(_, let p) = $0 { events.append("object \(p.map(\.name))") }
          },
        ]
        try stage.settle(realm)
        try realm.write {
          let account = realm.account(1)
          let same = account.balance
          account.balance = same
        }
        try stage.spin(until: { events.count == 2 }, "both calls")
        stage.equal(events.sorted(), ["collection [0]", "object [\"balance\"]"], "the calls")
        for token in tokens { token.invalidate() }
      }
    ] + [.selfAssignments])

  static let notify09 = Rule(
    "NOTIFY-09", .documented,
    "Commits which do not touch the observed collection's objects (or linked objects within "
      + "key-path reach) MUST NOT trigger a collection callback.",
    source: "S4 (called \"after each write transaction which ...\"); TOS/results.cpp:1572-1600.",
    broken: "fires on every commit",
    probes: [
      Probe("unrelated commits are not told") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.objects(Account.self).observe {
          if case .update(_, let d, let i, let m) = $0 { events.append("\(d) \(i) \(m)") }
        }
        try stage.settle(realm)
        try realm.write { realm.add(Todo(value: ["name": "x"])) }
        try stage.settle(realm)
        try realm.write { realm.account(2).balance = 1 }
        try stage.spin(until: { !events.isEmpty }, "the related change")
        stage.equal(events, ["[] [] [1]"], "the calls")
        token.invalidate()
      }
    ] + [Probe.eachListenerHears("commits of something else"), .unlinkedAreNoNews]
      + OneSection.probes)

  static let notify10 = Rule(
    "NOTIFY-10", .documented,
    "Changes that leave a non-matching object non-matching MUST NOT trigger a filtered "
      + "Results observer; becoming matching = insertion, ceasing to match = deletion.",
    source: "S4; TOS/results.cpp:1562-1735.",
    broken: "modification reported instead of insertion/deletion",
    probes: [
      Probe("a filtered observer hears of matching only") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.objects(Account.self).where { $0.balance > 150 }.observe {
          if case .update(_, let d, let i, let m) = $0 { events.append("\(d) \(i) \(m)") }
        }
        try stage.settle(realm)
        try realm.write { realm.account(1).balance = 120 }
        try stage.settle(realm)
        stage.equal(events, [], "calls for what does not match before or after")
        try realm.write { realm.account(1).balance = 160 }
        try stage.spin(until: { events.count == 1 }, "the insertion")
        try realm.write { realm.account(1).balance = 170 }
        try stage.spin(until: { events.count == 2 }, "the modification")
        try realm.write { realm.account(1).balance = 10 }
        try stage.spin(until: { events.count == 3 }, "the deletion")
        stage.equal(events, ["[] [0] []", "[] [] [0]", "[0] [] []"], "the calls")
        token.invalidate()
      }
    ] + Probe.operands)

  static let notify13 = Rule(
    "NOTIFY-13", .implementation,
    "For collections, insertions and deletions MUST notify whatever the key paths.",
    source: "(impl) RST:803-1060.",
    broken: "insert or delete filtered out",
    probes: [
      Probe("insertions and deletions are told whatever the key paths") { stage in
        try stage.insertionsAndDeletionsOnly(keyPaths: ["note"])
      }
    ] + Probe.ordersBesidePaths)

  static let notify20 = Rule(
    "NOTIFY-20", .implementation,
    "Several transactions MAY be coalesced into one callback; the change set MUST then be "
      + "the net difference between delivered states; no net change, no callback.",
    source: "RS/Realm.swift:829; TOS/results.cpp:1643-1709.",
    broken: "lost or doubled changes",
    probes: [
      Programs.tellingAtOnce.probe,
      Probe("several commits, one net difference") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        var events: [String] = []
        let token = realm.objects(Account.self).sorted(byKeyPath: "id").observe {
          if case .update(_, let d, let i, let m) = $0 { events.append("\(d) \(i) \(m)") }
        }
        try stage.settle(realm)
        try stage.foreign { $0.add(Account(id: 9)) }
        try stage.foreign { $0.delete($0.account(9)) }
        realm.refresh()
        try stage.settle(realm)
        stage.equal(events, [], "calls without net change")
        try stage.foreign { $0.add(Account(id: 9)) }
        try stage.foreign { $0.account(2).balance = 1 }
        try stage.foreign { $0.delete($0.account(1)) }
        realm.refresh()
        try stage.spin(until: { !events.isEmpty }, "the call")
        stage.equal(events, ["[0] [2] [1]"], "the calls")
        try stage.foreign { $0.account(3).note = "x" }
        realm.refresh()
        try stage.spin(until: { events.count >= 2 }, "the second call")
        stage.equal(events.last, "[] [] [1]", "the second call")
        token.invalidate()
      },
      Probe("many commits at a time, told as what they come to") { stage in
        let realm = try stage.open()
        try realm.write { for id in 0..<20 { realm.add(Account(id: id, balance: id % 4)) } }
        realm.autorefresh = false
        let accounts = realm.objects(Account.self).sorted(byKeyPath: "id")
        let mirror = CollectionMirror()
        let token = accounts.observe { mirror.take($0) }
        try stage.spin(until: { mirror.calls == 1 }, "the initial call")
        var chance = stage.chance
        var next = 20
        for round in 0..<12 {
          var touched: Set<Int> = []
          for _ in 0..<Int.random(in: 1...5, using: &chance) {
            try stage.foreign { realm in
              let all = realm.objects(Account.self)
              let place = Int.random(in: 0..<all.count, using: &chance)
              switch Int.random(in: 0..<3, using: &chance) {
              case 0:
                realm.add(Account(id: next, balance: 1))
                next += 1
              case 1 where all.count > 5: realm.delete(all[place])
              default:
                touched.insert(all[place].id)
                all[place].balance += 1
              }
            }
          }
          mirror.mayBeModified = touched
          realm.refresh()
          try stage.settle(realm)
          stage.equal(mirror.wrong, nil, "what is wrong with the index sets of round \(round)")
          guard
            stage.equal(
              mirror.rows, accounts.map(CollectionMirror.row), "the mirror of round \(round)")
          else { break }
        }
        token.invalidate()
      },
      Probe("whatever happens to one key between two looks is told as what it comes to") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        let mirror = CollectionMirror()
        let accounts = realm.objects(Account.self).sorted(byKeyPath: "id")
        let token = accounts.observe(mirror.take)
        try stage.spin(until: { mirror.calls > 0 }, "the initial call")
        var told: [String] = []
        let kinds = ["deleted", "added", "changed"]
        var chance = stage.chance
        for round in 0..<40 {
          var object: NotificationToken?
          if let account = realm.object(ofType: Account.self, forPrimaryKey: 2) {
            object = account.observe {
              switch $0 {
              case .change: told.append("changed")
              case .deleted: told.append("deleted")
              case .error: told.append("an error")
              }
            }
          }
          try stage.settle(realm)
          told = []
          let wasThere = object != nil
          var isThere = wasThere
          var acts: [String] = []
          for step in 0..<3 {
            let act = kinds[Int.random(in: 0..<3, using: &chance)]
            guard isThere == (act != "added") else { continue }
            acts.append(act)
            isThere = act != "deleted"
            try stage.foreign { other in
              let old = other.object(ofType: Account.self, forPrimaryKey: 2)
              switch act {
              case "deleted": other.delete(old!)
              case "added": other.add(Account(id: 2, balance: 1_000 + round * 10 + step))
              default: old!.balance += 1
              }
            }
          }
          realm.refresh()
          try stage.settle(realm)
          stage.equal(mirror.wrong, nil, "what is wrong after \(acts)")
          stage.equal(mirror.rows, accounts.map(CollectionMirror.row), "the mirror after \(acts)")
          if wasThere, !acts.isEmpty {
            stage.expect(
              !told.isEmpty, "the object's listener hears of \(acts)", observed: "nothing")
            if !isThere { stage.equal(told.last, "deleted", "what it hears last after \(acts)") }
          }
          object?.invalidate()
        }
        token.invalidate()
      },
      Probe("scattered changes of every number are told", deadline: .seconds(120)) { stage in
        Backstage.hooks?.skipFlushes()
        for count in [1, 50, 300, 40_000] + (stage.isDeep ? [2, 64, 1_000, 33_000] : []) {
          let realm = try stage.open("\(count) changes")
          try realm.write {
            for id in 0..<(2 * count) { realm.add(Account(id: id, balance: 1)) }
          }
          realm.autorefresh = false
          let accounts = realm.objects(Account.self)
          var deleted: [Int]?
          var changed: [Int]?
          let token = accounts.observe {
            if case .update(_, let deletions, _, let modifications) = $0 {
              (deleted, changed) = (deletions, modifications)
            }
          }
          try stage.settle(realm)
          try stage.foreign("\(count) changes") { other in
            for id in 0..<count { other.account(2 * id).balance = 2 }
          }
          realm.refresh()
          try stage.spin(until: { changed != nil }, "the call for \(count) changes")
          stage.expect(
            changed == (0..<count).map { 2 * $0 } && deleted == [], "every second one of them",
            observed: "\(changed?.count ?? 0) changed, \(deleted?.count ?? 0) deleted")
          (deleted, changed) = (nil, nil)
          try stage.foreign("\(count) changes") { other in
            for id in 0..<count { other.delete(other.account(2 * id + 1)) }
          }
          realm.refresh()
          try stage.spin(until: { deleted != nil }, "the call for \(count) deletions")
          stage.expect(
            deleted == (0..<count).map { 2 * $0 + 1 } && changed == [], "every second one of them",
            observed: "\(deleted?.count ?? 0) deleted, \(changed?.count ?? 0) changed")
          token.invalidate()
        }
      },
    ] + Probe.betweenSteps + ManyVersions.farBehind.suffix(1) + LateSteps.probes)

  static let notify37 = Rule(
    "NOTIFY-37", .implementation,
    "A callback MUST receive the same collection instance it was registered on when on the "
      + "same thread.",
    source: "(impl) AsyncTests.mm:395; RealmCollectionImpl.swift:105.",
    broken: "new wrapper each time",
    probes: [
      Probe("a callback gets the collection it was registered on") { stage in
        let realm = try stage.stocked()
        let dogs = realm.person("Ann").dogs
        var same: [Bool] = []
        let token = dogs.observe { change in
          switch change {
          case .initial(let list): same.append(list === dogs)
          case .update(let list, _, _, _): same.append(list === dogs)
          case .error: same.append(false)
          }
        }
        try stage.spin(until: { same.count == 1 }, "the initial call")
        try realm.write { dogs.append(Dog(name: "new")) }
        try stage.spin(until: { same.count == 2 }, "the update")
        stage.equal(same, [true, true], "whether it is the same list")
        token.invalidate()
      }
    ] + [EachHome.instances])

  static let notify38 = Rule(
    "NOTIFY-38", .implementation,
    "Adding or removing observers inside callbacks MUST be safe; an observer added there "
      + "gets its own initial on a later cycle.",
    source: "(impl) TOS/results.cpp:346-482; AsyncTests.mm:633-724.",
    broken: "iterator invalidation; skipped neighbours",
    probes: [
      Probe("observers are added and removed inside callbacks") { stage in
        let realm = try stage.stocked()
        let accounts = realm.objects(Account.self)
        var tokens: [NotificationToken] = []
        var events: [String] = []
        var first: NotificationToken?
        first = accounts.observe { change in
          guard case .update = change else { return }
          events.append("first")
          first?.invalidate()
          tokens.append(
            accounts.observe { change in
              if case .initial = change {
                events.append("added initial")
              } else {
                events.append("added update")
              }
            })
        }
        tokens.append(accounts.observe { if case .update = $0 { events.append("second") } })
        try stage.settle(realm)
        try realm.write { realm.account(1).balance = 7 }
        try stage.spin(until: { events.count == 3 }, "three calls")
        stage.equal(events.sorted(), ["added initial", "first", "second"], "the calls")
        try realm.write { realm.account(1).balance = 8 }
        try stage.spin(until: { events.count == 5 }, "two more")
        stage.equal(events.suffix(2).sorted(), ["added update", "second"], "the later calls")
        for token in tokens { token.invalidate() }
      },
      Probe("a callback ends another's observation") { stage in
        let realm = try stage.stocked()
        let accounts = realm.objects(Account.self)
        var tokens: [NotificationToken] = []
        var calls = [0, 0, 0]
        for number in 0..<3 {
          tokens.append(
            accounts.observe { change in
              guard case .update = change else { return }
              calls[number] += 1
              // Whoever comes first ends all the others.
              for other in 0..<3 where other != number { tokens[other].invalidate() }
            })
        }
        try stage.settle(realm)
        for balance in 7...9 {
          try realm.write { realm.account(1).balance = balance }
          try stage.settle(realm)
        }
        stage.equal(calls.sorted(), [0, 0, 3], "the calls of three that end each other")
        for token in tokens { token.invalidate() }
      },
      .newcomersOfEachKind,
    ])

  static let notify39 = Rule(
    "NOTIFY-39", .implementation,
    "Deleting an observed list's parent MUST deliver one last update reporting the deletion "
      + "of all elements; an already empty list delivers a callback too (without index "
      + "changes).",
    source: "(impl) TOS/list.cpp:176-233.",
    broken: "no callback; crash on dead parent",
    probes: [
      Probe("a list whose parent goes") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.person("Ann").dogs.observe {
          if case .update(_, let d, let i, let m) = $0 { events.append("\(d) \(i) \(m)") }
        }
        try stage.settle(realm)
        try realm.write { realm.delete(realm.person("Ann")) }
        try stage.spin(until: { !events.isEmpty }, "the call")
        stage.equal(events, ["[0, 1] [] []"], "the calls")
        token.invalidate()
      },
      Probe("an empty list whose parent goes") { stage in
        let realm = try stage.stocked()
        try realm.write { realm.add(Person(name: "Dan", age: 60)) }
        var events: [String] = []
        let token = realm.person("Dan").dogs.observe {
          if case .update(_, let d, let i, let m) = $0 { events.append("\(d) \(i) \(m)") }
        }
        try stage.settle(realm)
        try realm.write { realm.delete(realm.person("Dan")) }
        try stage.spin(until: { !events.isEmpty }, "the call")
        stage.equal(events, ["[] [] []"], "the calls")
        token.invalidate()
      },
    ] + Probe.orphansAreTold)

  static let notify40 = Rule(
    "NOTIFY-40", .documented,
    "The `.error` case is never delivered by local engines (deprecated); code that switches "
      + "over it must compile.",
    source: "S4 code.",
    broken: "missing case",
    probes: [
      Probe("a switch over the documented cases is exhaustive") { stage in
        try stage.compiles(
          """
          class Model: Object {}
          func f(_ change: RealmCollectionChange<Results<Model>>) {
            switch change {
            case .initial: break
            case .update(_, let deletions, let insertions, let modifications): _ = (deletions, insertions, modifications)
            case .error(let error): _ = error
            }
          }
          func g(_ change: ObjectChange<Model>) {
            switch change {
            case .change(let object, let properties):
              for property in properties { _ = (object, property.name, property.newValue!) }
            case .error(let error): _ = error
            case .deleted: break
            }
          }
          """)
      }
    ])
}
