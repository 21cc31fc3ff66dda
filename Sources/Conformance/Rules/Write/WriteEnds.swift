import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// How a block ends what it is in, and what must be left of what it did: "kept" or "lost" is what
  /// each of its two changes must come to.
  private struct BlockEnd: Sendable {
    let name: String
    let keeps: (first: Bool, second: Bool)
    let throwsError: Bool
    let run: @Sendable (Realm, _ first: () -> Void, _ second: () -> Void) throws -> Void
  }

  private struct Trouble: Error, Equatable { let number: Int }

  private static let blockEnds: [BlockEnd] = [
    BlockEnd(name: "returns", keeps: (true, true), throwsError: false) {
      $1()
      $2()
    },
    BlockEnd(name: "throws", keeps: (false, false), throwsError: true) {
      $1()
      $2()
      throw Trouble(number: 42)
    },
    BlockEnd(name: "commits", keeps: (true, false), throwsError: false) { realm, first, _ in
      first()
      try realm.commitWrite()
    },
    BlockEnd(name: "cancels", keeps: (false, false), throwsError: false) { realm, first, _ in
      first()
      realm.cancelWrite()
    },
    BlockEnd(name: "commits and throws", keeps: (true, false), throwsError: true) {
      realm, first, _ in
      first()
      try realm.commitWrite()
      throw Trouble(number: 42)
    },
    BlockEnd(name: "cancels and throws", keeps: (false, false), throwsError: true) {
      realm, first, _ in
      first()
      realm.cancelWrite()
      throw Trouble(number: 42)
    },
    BlockEnd(name: "commits and begins anew", keeps: (true, true), throwsError: false) {
      realm, first, second in
      first()
      try realm.commitWrite()
      realm.beginWrite()
      second()
    },
    BlockEnd(name: "commits, begins anew and throws", keeps: (true, false), throwsError: true) {
      realm, first, second in
      first()
      try realm.commitWrite()
      realm.beginWrite()
      second()
      throw Trouble(number: 42)
    },
    BlockEnd(name: "cancels, begins anew and throws", keeps: (false, false), throwsError: true) {
      realm, first, second in
      first()
      realm.cancelWrite()
      realm.beginWrite()
      second()
      throw Trouble(number: 42)
    },
    BlockEnd(name: "cancels and begins anew", keeps: (false, true), throwsError: false) {
      realm, first, second in
      first()
      realm.cancelWrite()
      realm.beginWrite()
      second()
    },
    BlockEnd(name: "invalidates and throws", keeps: (false, false), throwsError: true) {
      realm, first, _ in
      first()
      realm.invalidate()
      throw Trouble(number: 42)
    },
    BlockEnd(name: "lets a write of its own fail", keeps: (true, true), throwsError: false) {
      realm, first, second in
      first()
      // It has ended: what follows is another write.
      try realm.commitWrite()
      _ = try? realm.write { throw Trouble(number: 7) }
      try realm.write { second() }
    },
  ]

  /// However a block ends: what it did is kept or lost as it ended, its error comes out, and the
  /// lock is free.
  static let blocksEnd = Probe("however the block of a write ends, all of it counts") { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    let configuration = realm.configuration
    for (number, end) in blockEnds.enumerated() {
      for round in 0..<2 {
        try realm.write {
          realm.deleteAll()
          Vessel.stock(realm)
        }
        var thrown: Trouble?
        var answer: Int?
        do {
          answer = try realm.write {
            try end.run(
              realm,
              {
                realm.vessel(2).number = 7
                realm.vessel(1).texts.append("first")
                if round == 1 { realm.add(Vessel(id: 7)) }
              },
              {
                realm.vessel(2).text = "second"
                realm.vessel(1).titles["second"] = "second"
                if round == 1 { realm.add(Vessel(id: 8)) }
              })
            return number
          }
        } catch { thrown = error as? Trouble }
        let what = "of a block that \(end.name)"
        stage.equal(
          thrown, end.throwsError ? Trouble(number: 42) : nil, "what comes out \(what)")
        stage.equal(answer, end.throwsError ? nil : number, "the value \(what)")
        stage.equal(realm.isInWriteTransaction, false, "whether a write is open \(what)")
        let look = { (realm: Realm) in
          [
            realm.vessel(2).number == 7, realm.vessel(1).texts.contains("first"),
            realm.vessel(2).text == "second", realm.vessel(1).titles["second"] != nil,
            realm.vessel(7) != nil, realm.vessel(8) != nil,
          ]
        }
        let (first, second) = end.keeps
        let wanted = [first, first, second, second, first && round == 1, second && round == 1]
        stage.equal(look(realm), wanted, "what is kept here \(what)")
        // The lock is free: another one writes.
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          stage.equal(look(other), wanted, "what is kept elsewhere \(what)")
          try other.write { other.vessel(2).maybe = number }
        }
        try realm.write {
          stage.equal(realm.vessel(2).maybe, number, "what another one wrote \(what)")
        }
      }
    }
  }

  /// Where the flag is asked: in each way of a write, before and after each of its steps.
  static let flags = Probe("the flag is true from begin to end, in each way of a write") { stage in
    let hooks = Backstage.hooks
    hooks?.record()
    let realm = try Vessel.stocked(stage)
    let queue = DispatchQueue(label: "another home")
    let configuration = realm.configuration
    let other = try queue.sync { try Realm(configuration: configuration, queue: queue) }
    let frozen = realm.freeze()
    func others() -> [Bool] {
      [queue.sync { other.isInWriteTransaction }, frozen.isInWriteTransaction]
    }
    for manner in Manner.all {
      for preamble in Preamble.allCases where hooks != nil || preamble != .failed {
        try preamble.pass(stage, realm)
        let what = "\(manner.name) after \(preamble.rawValue)"
        stage.equal(realm.isInWriteTransaction, false, "the flag before \(what)")
        var heard: [Bool] = []
        let token = realm.observe { _, realm in heard.append(realm.isInWriteTransaction) }
        try manner.commit(stage, realm) {
          stage.equal(realm.isInWriteTransaction, true, "the flag in \(what)")
          stage.equal(others(), [false, false], "the flag of others in \(what)")
          realm.vessel(2).number += 1
        }
        stage.equal(realm.isInWriteTransaction, false, "the flag after \(what)")
        // A begin that moves the realm tells inside the write.
        if preamble != .foreign {
          stage.equal(heard.contains(true), false, "the flag in the listener's call of \(what)")
        }
        token.invalidate()
      }
    }
    // While the disk works nobody is in a write any more.
    realm.beginWrite()
    var end: Bool?
    realm.vessel(2).number += 1
    realm.commitAsyncWrite { _ in end = realm.isInWriteTransaction }
    stage.equal(realm.isInWriteTransaction, false, "the flag when commitAsyncWrite has returned")
    try stage.spin(until: { end != nil }, "the completion")
    stage.equal(end, false, "the flag in the completion")
    queue.sync { use(other) }
  }

  /// After each end of a write there is none to be committed.
  static let strayCommits = Probe("a commit throws after each end of a write") { stage in
    let hooks = Backstage.hooks
    hooks?.record()
    let realm = try Vessel.stocked(stage)
    func look(_ what: String) {
      let before = realm.dump
      do {
        try realm.commitWrite()
        stage.fail(expected: "an error of a commit after \(what)", observed: "none")
      } catch {
        stage.expect(
          error.localizedDescription.contains(Words.nothingToCommit),
          "Realm's words after \(what)", observed: error.localizedDescription)
      }
      stage.equal(realm.dump, before, "what is there after \(what)")
    }
    for preamble in Preamble.allCases where hooks != nil || preamble != .failed {
      try preamble.pass(stage, realm)
      look(preamble.rawValue)
    }
    for manner in Manner.all {
      try manner.commit(stage, realm) { realm.vessel(2).number += 1 }
      look(manner.name)
    }
    realm.beginWrite()
    realm.commitAsyncWrite()
    look("a commit that is on its way")
    realm.writeAsync { realm.vessel(2).number += 1 }
    look("a write that was asked for")
    var isDone = false
    realm.beginWrite()
    realm.commitAsyncWrite { _ in isDone = true }
    try stage.spin(until: { isDone }, "the last completion")
    look("all of them")
  }

  /// Commits of nothing, in each way: told to the realm's listeners, here and elsewhere, as the new
  /// version that they are, and to nobody else.
  static let emptyCommits: [Probe] = [false, true].map { isForeign in
    Probe(
      "an empty commit of each kind is a version that only realms are told of: "
        + (isForeign ? "on a queue" : "here")
    ) { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Vessel.stocked(stage)
      let configuration = realm.configuration
      let queue = DispatchQueue(label: "who listens")
      let told = CallCounts()
      func listen(_ realm: Realm) -> [NotificationToken] {
        VesselEar.all.map { ear in ear.listen(realm) { told.count(ear.name) } }
      }
      var home: Realm?
      var tokens: [NotificationToken] = []
      if isForeign {
        try queue.sync {
          home = try Realm(configuration: configuration, queue: queue)
          tokens = listen(home!)
        }
      } else {
        tokens = listen(realm)
      }
      let inside = VesselEar.inside.map(\.name).filter { $0 != "an object" }
      try stage.spin(
        until: { inside.allSatisfy { told.of($0) == 1 } }, "the first calls of all")
      let stays = try Realm(configuration: configuration).freeze()
      for manner in Manner.all {
        let before = told.all
        try manner.commit(stage, realm) {}
        try stage.spin(
          until: { told.of("a realm") > before["a realm"] ?? 0 },
          "the call of a realm's listener of an empty commit, \(manner.name)")
      }
      // What is of interest comes behind all of that.
      let before = told.all
      for ear in VesselEar.inside where ear.name != "a realm" {
        stage.equal(
          told.of(ear.name), ear.name == "an object" ? 0 : 1,
          "how often \(ear.name) was told of empty commits")
      }
      try realm.write {
        let one = realm.vessel(1)!
        one.number = 2
        one.numbers.append(7)
        one.titles["seven"] = "7"
        realm.vessel(2).number = 3
      }
      try stage.spin(
        until: { VesselEar.all.allSatisfy { told.of($0.name) > before[$0.name] ?? 0 } },
        "the calls of a commit of something")
      for ear in VesselEar.inside {
        stage.equal(
          told.of(ear.name), (before[ear.name] ?? 0) + 1,
          "how often \(ear.name) was told of something")
      }
      stage.equal(
        stays.vessel(1)!.number, 0, "the number in a version of before the empty commits")
      queue.sync {
        for token in tokens { token.invalidate() }
        home = nil
      }
    }
  }

  /// Additions are taken back so often that an engine must forget some of them: what is added under
  /// their rows is there, at once and later, and what was lost stays lost.
  static let addedBehindMuch = Probe(
    "what is added after much was taken back is there, and what was taken back is not"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    for round in 0..<45 {
      func add() -> [Vessel] {
        (100..<160).map { id in
          let one = realm.create(Vessel.self, value: ["id": id] as [String: Any])
          one.part = Part(text: "another")
          one.part = Part(text: "\(round)")
          return one
        }
      }
      realm.beginWrite()
      let lost = add()
      realm.cancelWrite()
      let added = try realm.write { () -> [Vessel] in
        let added = add()
        stage.equal(
          added.map(\.isInvalidated).contains(true), false, "who is gone at once, in round \(round)"
        )
        return added
      }
      stage.equal(
        added.map { $0.isInvalidated ? nil : $0.part?.text },
        added.map { _ in Optional("\(round)") }, "what was added in round \(round)")
      stage.equal(
        lost.map(\.isInvalidated).contains(false), false, "who is back in round \(round)")
      try realm.write { for one in added { realm.delete(one) } }
    }
  }
}
