import EngineUnderTest
import Foundation
import Harness

/// What is said of refreshes and of autorefresh, at each home and behind each thing that a realm
/// may have been through.
enum RefreshHomes {
  // MARK: By itself

  /// What a realm has been through before another commits.
  private static let courses: [(name: String, run: @Sendable (Stage, Realm) throws -> Void)] = [
    ("nothing", { _, _ in }),
    (
      "autorefresh turned off and on",
      { _, realm in
        realm.autorefresh = false
        realm.autorefresh = true
      }
    ),
    (
      "autorefresh turned on twice",
      { _, realm in
        realm.autorefresh = true
        realm.autorefresh = true
      }
    ),
    ("a refresh by hand", { _, realm in realm.refresh() }),
    (
      "an own write", { _, realm in try realm.write { realm.account(2).balance += 1 } }
    ),
    ("an empty write", { _, realm in try realm.write {} }),
    (
      "a cancelled write",
      { _, realm in
        realm.beginWrite()
        realm.account(2).balance = -1
        realm.cancelWrite()
      }
    ),
    (
      "a write that threw",
      { _, realm in
        struct Unwanted: Error {}
        do { try realm.write { () -> Void in throw Unwanted() } } catch is Unwanted {}
      }
    ),
    (
      "invalidate() and a read",
      { _, realm in
        realm.invalidate()
        use(realm.account(1).balance)
      }
    ),
    (
      "a listener that has ended",
      { _, realm in realm.objects(Account.self).observe { _ in }.invalidate() }
    ),
    (
      "a listener of the realm that has ended",
      { _, realm in realm.observe { _, _ in }.invalidate() }
    ),
    ("a freeze", { _, realm in use(realm.freeze().account(1).balance) }),
    ("a thaw", { _, realm in use(realm.freeze().thaw().account(1).balance) }),
    ("a reference", { _, realm in use(realm.resolve(ThreadSafeReference(to: realm.account(1)))) }),
    ("a second open", { stage, realm in use(try Realm(configuration: realm.configuration)) }),
    (
      "a refresh in a write",
      { stage, realm in
        try realm.write { () -> Void in
          stage.equal(realm.refresh(), false, "the answer in a write")
        }
      }
    ),
  ]

  /// Realms that nobody asks come along.
  static let advances: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe("a realm advances by itself, whatever it has been through: on \(kind.rawValue)") {
      stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try stage.stocked() }
      let home = RealmHome(kind)
      var realm: Realm! = try home.open(stage)
      var mark = 1_000
      for holds in [true, false] {
        for course in courses where kind == .mainThread || course.name != "a second open" {
          let what = "\(course.name), an object held: \(holds)"
          var account: Account?
          try home.work {
            use(realm.account(1).balance)
            try course.run(stage, realm)
            if holds { account = realm.account(1) }
            stage.equal(realm.autorefresh, true, "autorefresh after \(what)")
          }
          // More than one, so that the first is not the last.
          for _ in 0..<2 {
            mark += 1
            let balance = mark
            try stage.foreign { $0.account(1).balance = balance }
            try stage.spin(
              until: { home.work { (account ?? realm.account(1)).balance == balance } },
              "the advance after \(what)")
          }
          home.work {
            stage.equal(realm.account(1).balance, mark, "the balance after \(what)")
            stage.equal(realm.refresh(), false, "what a refresh answers then, \(what)")
            account = nil
          }
        }
      }
      home.work { realm = nil }
    }
  }

  /// And realms that are told to stay do, on actors as well.
  static let stays = Probe.task("with autorefresh off an actor's realm stays") {
    stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try stage.stocked() }
    let keeper = try await Keeper(stage.configuration())
    let witness = try await Keeper(stage.configuration())
    func come(to balance: Int, _ keeper: Keeper, _ what: String) async throws {
      let limit = ContinuousClock.now + stage.patience
      while await keeper.with({ _, realm in realm.account(1).balance }) != balance {
        guard ContinuousClock.now < limit else { throw Stage.Interruption.overdue(what) }
        await Task.yield()
      }
    }
    _ = await witness.with { _, realm in realm.account(1).balance }
    for round in 1...4 {
      let before = await keeper.with { _, realm in
        stage.equal(realm.autorefresh, true, "autorefresh, round \(round)")
        realm.autorefresh = false
        // Said twice it is no other.
        if round % 2 == 0 { realm.autorefresh = false }
        return realm.account(1).balance
      }
      for number in 0..<2 {
        let balance = 10 * round + number
        try stage.foreign { $0.account(1).balance = balance }
        // Another actor's realm has come to it by itself.
        try await come(to: balance, witness, "the witness")
        for _ in 0..<20 {
          let seen = await keeper.with { _, realm in realm.account(1).balance }
          guard stage.equal(seen, before, "the balance while autorefresh is off") else { return }
        }
      }
      switch round {
      case 1:
        let answer = await keeper.with { _, realm in realm.refresh() }
        stage.equal(answer, true, "what a refresh by hand answers")
      case 2:
        let answer = await keeper.run { _, realm in await realm.asyncRefresh() }
        stage.equal(answer, true, "what a refresh that suspends answers")
      case 3:
        await keeper.with { _, realm in
          realm.beginWrite()
          realm.cancelWrite()
        }
      default: try await keeper.run { _, realm in try await realm.asyncWrite {} }
      }
      let after = await keeper.with { _, realm in
        stage.equal(realm.autorefresh, false, "autorefresh after it, round \(round)")
        let balance = realm.account(1).balance
        realm.autorefresh = true
        return balance
      }
      stage.equal(after, 10 * round + 1, "the balance after it came along, round \(round)")
      try stage.foreign { $0.account(1).balance = 1_000 + round }
      try await come(to: 1_000 + round, keeper, "the advance when autorefresh is on again")
    }
  }

  /// Calls that are no refreshes, made once and again, listened to or not.
  static let standsStill: [Probe] = [false, true].map { listens in
    Probe("calls that are no refreshes move no realm, \(listens ? "listened to" : "alone")") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try RefKinds.stocked(stage)
      realm.autorefresh = false
      let configuration = realm.configuration
      let (vessel, all) = (realm.vessel(1)!, realm.objects(Vessel.self))
      let (frozen, queue) = (realm.freeze(), DispatchQueue(label: "another"))
      var calls = 0
      let tokens = listens ? EachListener.all.map { $0.listen(realm) { calls += 1 } } : []
      var kept: [Any] = []
      let acts: [(String, () throws -> Void)] = [
        ("isInvalidated", { use(vessel.isInvalidated) }),
        ("isSameObject(as:)", { use(vessel.isSameObject(as: realm.vessel(2))) }),
        ("== of objects", { use(vessel == realm.vessel(1)) }),
        ("a hash", { use(vessel.hashValue) }), ("a description", { use("\(vessel) \(all)") }),
        ("objectSchema", { use(vessel.objectSchema.properties.count) }),
        ("schema", { use(realm.schema.objectSchema.count) }),
        ("a copy", { use(Vessel(value: vessel).number) }),
        ("thaw() of a live realm", { use(realm.thaw()) }),
        ("thaw() of a live object", { use(vessel.thaw()) }),
        ("thaw() of a frozen realm", { use(frozen.thaw()) }),
        ("thaw() of a frozen object", { use(frozen.vessel(1)!.thaw()?.text) }),
        ("freeze(_:)", { use(realm.freeze(all).count) }),
        ("thaw(_:)", { use(realm.thaw(frozen.vessel(2)!)?.text) }),
        ("freeze() of a frozen realm", { use(frozen.freeze()) }),
        ("refresh() of a frozen realm", { use(frozen.refresh()) }),
        (
          "isPerformingAsynchronousWriteOperations",
          {
            use(realm.isPerformingAsynchronousWriteOperations)
          }
        ),
        ("a cancel of nothing", { try realm.cancelAsyncWrite(77) }),
        ("autorefresh, set as it was", { realm.autorefresh = false }),
        ("sections", { use(all.sectioned(by: \.number).count) }),
        ("a projection", { use(VesselView(projecting: vessel).names.count) }),
        ("projections", { use(realm.objects(VesselView.self).first?.text) }),
        ("distinct", { use(all.distinct(by: ["number"]).count) }),
        ("index(of:)", { use(all.index(of: vessel)) }),
        ("index(matching:)", { use(all.index(matching: "id == 2")) }),
        ("a reference to a list", { use(ThreadSafeReference(to: vessel.links)) }),
        ("a reference that is kept", { kept.append(ThreadSafeReference(to: all)) }),
        ("a variable", { kept.append(ThreadSafe(wrappedValue: vessel)) }),
        (
          "a copy of the file",
          {
            try realm.writeCopy(
              toFile: stage.directory.appendingPathComponent("copy \(UUID()).realm"))
          }
        ),
        ("fileExists(for:)", { use(Realm.fileExists(for: configuration)) }),
        ("a deletion that is refused", { _ = try? Realm.deleteFiles(for: configuration) }),
        (
          "an open on another thread",
          {
            try stage.elsewhere { use(try Realm(configuration: configuration).vessel(1)!.number) }
          }
        ),
        (
          "an open on a queue",
          {
            try queue.sync {
              use(try Realm(configuration: configuration, queue: queue).vessel(1)!.number)
            }
          }
        ),
        ("an open here", { use(try Realm(configuration: configuration).vessel(2)!.text) }),
        ("a listener on a queue", { all.observe(on: queue) { _ in }.invalidate() }),
        ("a listener by key paths", { all.observe(keyPaths: ["text"]) { _ in }.invalidate() }),
        ("a listener of a map", { vessel.titles.observe { _ in }.invalidate() }),
        (
          "a listener of sections",
          {
            all.sectioned(by: \.text).observe { _ in }.invalidate()
          }
        ),
        ("a write of another file", { try stage.open("other").write {} }),
        ("a refresh of another file", { try stage.open("other").refresh() }),
      ]
      var mark = 0
      for (name, act) in acts {
        let before = vessel.number
        mark += 1
        let number = mark
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { other.vessel(1)!.number = number }
        }
        for round in 1...2 {
          try act()
          stage.equal(vessel.number, before, "the number after \(name), round \(round)")
          stage.equal(realm.vessel(1)!.number, before, "the number, fetched after \(name)")
        }
        stage.equal(realm.refresh(), true, "what a refresh answers after \(name)")
        stage.equal(vessel.number, mark, "the number after the refresh behind \(name)")
      }
      for token in tokens { token.invalidate() }
      stage.expect(!listens || calls > 0, "the listeners were called by refreshes")
      kept = []
    }
  }

  // MARK: The flag

  /// Each way to open a realm gives one that refreshes by itself.
  static let defaults: [Probe] = [
    Probe("autorefresh is on of each realm that is opened anew, whatever others say") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let configuration = stage.configuration()
      let queue = DispatchQueue(label: "another")
      for round in 1...2 {
        // One that is off is nobody else's matter.
        try stage.elsewhere {
          let off = try Realm(configuration: configuration)
          off.autorefresh = false
          let ways: [(String, () throws -> Realm)] = [
            ("by a configuration", { try Realm(configuration: configuration) }),
            ("by a file", { try Realm(fileURL: configuration.fileURL!) }),
            (
              "in memory",
              {
                try Realm(
                  configuration: Realm.Configuration(
                    inMemoryIdentifier: "flags", objectTypes: Models.all))
              }
            ),
          ]
          for (way, open) in ways {
            try stage.elsewhere {
              let realm = try open()
              stage.equal(realm.autorefresh, true, "autorefresh, opened \(way)")
              realm.autorefresh = false
              stage.equal(realm.autorefresh, false, "autorefresh, turned off, opened \(way)")
              stage.equal(try open().autorefresh, false, "autorefresh, opened again, \(way)")
            }
            try stage.elsewhere {
              stage.equal(try open().autorefresh, true, "autorefresh on the next thread, \(way)")
            }
          }
          try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            stage.equal(realm.autorefresh, true, "autorefresh on a queue, round \(round)")
            realm.autorefresh = false
          }
          stage.equal(off.autorefresh, false, "autorefresh where it was turned off")
          let frozen = off.freeze()
          try stage.elsewhere {
            stage.equal(frozen.thaw().autorefresh, true, "autorefresh of what is thawed elsewhere")
          }
          stage.equal(frozen.thaw().autorefresh, false, "autorefresh of what is thawed here")
        }
      }
      let called = Latch("the callback")
      let flags = Stamps()
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        if case .success(let realm) = result, realm.autorefresh { flags.mark("on") }
        called.open()
      }
      try stage.wait(for: called)
      stage.expect(flags.of("on") != nil, "autorefresh is on of a realm that asyncOpen gives")
    },
    Probe.task("autorefresh is on of each realm that is opened for an actor") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      for round in 1...2 {
        let keeper = try await Keeper(stage.configuration())
        await keeper.with { _, realm in
          stage.equal(realm.autorefresh, true, "autorefresh on an actor, round \(round)")
          realm.autorefresh = false
        }
        let flag = try await flagOnMain(stage)
        stage.equal(flag, true, "autorefresh on the main actor, round \(round)")
        let again = await keeper.with { _, realm in realm.autorefresh }
        stage.equal(again, false, "autorefresh where it was turned off")
      }
    },
  ]

  @MainActor private static func flagOnMain(_ stage: Stage) async throws -> Bool {
    let realm = try await Realm(configuration: stage.configuration())
    let opened = try await Realm.open(configuration: stage.configuration())
    stage.expect(realm == opened, "what Realm.open gives is the main actor's realm")
    return realm.autorefresh && opened.autorefresh
  }

  /// The flag is the instance's: of all that lead to it, and forgotten with it.
  static let ofTheInstance = Probe("autorefresh is the instance's, by whichever way it is set") {
    stage in
    try stage.elsewhere { _ = try stage.stocked() }
    for kind in RealmHome.Kind.allCases {
      let home = RealmHome(kind)
      for round in 0..<3 {
        try autoreleasing {
          let one = try home.open(stage)
          try home.work {
            let ways: [(String, () -> Realm)] = [
              ("another value", { one }), ("an object", { one.account(1).realm! }),
              ("results", { one.objects(Person.self).realm! }),
              ("a list", { one.person("Ann").dogs.realm! }), ("a thaw", { one.thaw() }),
              ("a thaw of frozen", { one.account(1).thaw()!.realm! }),
            ]
            stage.equal(one.autorefresh, true, "autorefresh at first, \(kind), round \(round)")
            for (way, find) in ways {
              for flag in [false, false, true, true, false] {
                find().autorefresh = flag
                stage.equal(one.autorefresh, flag, "the flag set by \(way), \(kind)")
                stage.equal(find().autorefresh, flag, "the flag read by \(way), \(kind)")
              }
              one.autorefresh = true
              stage.equal(find().autorefresh, true, "the flag that \(way) is told, \(kind)")
            }
            one.autorefresh = false
            try one.write { stage.equal(one.autorefresh, false, "the flag in a write, \(kind)") }
            one.beginWrite()
            one.autorefresh = true
            one.cancelWrite()
            stage.equal(one.autorefresh, true, "the flag set in a write that was cancelled")
            one.autorefresh = false
          }
        }
      }
    }
  }

  private static func autoreleasing(_ body: () throws -> Void) rethrows { try body() }

  // MARK: In a write

  /// A refresh in each kind of write, before and after changes, by each value of the realm.
  static let inWrites: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe("a refresh in a write of any kind does nothing, on \(kind.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try stage.stocked() }
      let home = RealmHome(kind)
      var realm: Realm! = try home.open(stage)
      for autorefresh in [true, false] {
        let verbs = ["write", "beginWrite", "beginAsyncWrite", "writeAsync"]
        for (number, verb) in verbs.enumerated() {
          let what = "\(verb), autorefresh \(autorefresh), \(kind.rawValue)"
          let balance = 10 * number + (autorefresh ? 1 : 2)
          var isDone = false
          func look() {
            let account = realm.account(1)
            stage.equal(realm.refresh(), false, "the answer before a change, \(what)")
            account.balance = balance
            realm.add(Account(id: 100 + balance))
            for _ in 0..<2 {
              stage.equal(realm.refresh(), false, "the answer, \(what)")
              stage.equal(account.realm!.refresh(), false, "the answer of its realm, \(what)")
            }
            stage.equal(account.balance, balance, "the balance after the refresh, \(what)")
            stage.equal(realm.isInWriteTransaction, true, "whether the write goes on, \(what)")
            stage.expect(
              realm.object(ofType: Account.self, forPrimaryKey: 100 + balance) != nil,
              "what was added is there after the refresh, \(what)")
          }
          try home.work {
            realm.autorefresh = autorefresh
            switch verb {
            case "write":
              try realm.write { look() }
              isDone = true
            case "beginWrite":
              realm.beginWrite()
              look()
              try realm.commitWrite()
              isDone = true
            case "beginAsyncWrite":
              realm.beginAsyncWrite {
                look()
                realm.commitAsyncWrite { _ in isDone = true }
              }
            default: realm.writeAsync({ look() }, onComplete: { _ in isDone = true })
            }
          }
          try stage.spin(until: { home.work { isDone } }, "the end of \(what)")
          stage.equal(
            try stage.seen { $0.account(1).balance }, balance, "the balance elsewhere, \(what)")
          // One that is cancelled after a refresh leaves nothing.
          home.work {
            realm.beginWrite()
            realm.account(1).balance = -1
            stage.equal(realm.refresh(), false, "the answer in a write to be cancelled, \(what)")
            realm.cancelWrite()
            stage.equal(realm.account(1).balance, balance, "the balance after the cancel, \(what)")
            stage.equal(realm.refresh(), false, "the answer after the cancel, \(what)")
          }
        }
      }
      home.work { realm = nil }
    }
  }

  // MARK: Tasks that are cancelled

  /// When the task of an `asyncRefresh` is cancelled.
  static let cancelled = Probe.task("a cancelled task's asyncRefresh answers false") {
    stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try stage.stocked() }
    let keeper = try await Keeper(stage.configuration())
    for (number, autorefresh) in [true, false, false, true].enumerated() {
      for hasNews in [true, false] {
        let mark = 10 * number + (hasNews ? 1 : 2)
        await keeper.with { _, realm in
          realm.autorefresh = autorefresh
          realm.refresh()
          use(realm.account(1).balance)
        }
        if hasNews { try stage.foreign { $0.account(1).balance = mark } }
        let answers = await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<3 {
            group.addTask {
              while !Task.isCancelled { await Task.yield() }
              return await keeper.run { _, realm in
                let first = await realm.asyncRefresh()
                // Asked again it is as cancelled as before.
                let second = await realm.asyncRefresh()
                return first || second
              }
            }
          }
          group.cancelAll()
          var answers: [Bool] = []
          for await answer in group { answers.append(answer) }
          return answers
        }
        let what = "autorefresh \(autorefresh), news: \(hasNews)"
        stage.equal(answers, [false, false, false], "the answers of cancelled tasks, \(what)")
        // The realm is as usable as ever, and whoever is not cancelled comes to the newest.
        try stage.foreign { $0.account(2).balance = mark }
        await keeper.run { _, realm in
          await realm.asyncRefresh()
          stage.equal(realm.account(2).balance, mark, "the balance of others, \(what)")
          stage.equal(await realm.asyncRefresh(), false, "the answer with nothing new, \(what)")
        }
        try await keeper.run { _, realm in
          try await realm.asyncWrite { realm.account(3).balance = mark }
        }
        stage.equal(
          try stage.seen { $0.account(3).balance }, mark, "what is written then, \(what)")
      }
    }
  }
}
