import EngineUnderTest
import Foundation
import Harness

extension Rules.Grow {
  static let pins: [Rule] = [
    grow01, grow02, grow03, grow04, grow05, grow06, grow07, grow08, grow09, grow10, grow11,
  ]

  static let grow01 = Rule(
    "GROW-01", .documented,
    "Keeping a frozen realm, object or collection MUST keep its version's data; "
      + "consequently the file grows while many commits happen.",
    source: "S0/S1/S3 caching note.",
    broken: "no pin: wrong data (FREEZE-02 fails) or copy instead of pin (FREEZE-05 fails)",
    probes: [
      Probe("a frozen view keeps its version's data, and without it the file stays small") {
        stage in
        let bare = try Stage.growth(stage, "bare", holding: { _ in nil })
        let held = try Stage.growth(
          stage, "held", holding: { $0.object(ofType: Blob.self, forPrimaryKey: 1)!.freeze() })
        stage.expect(held.valid, "the frozen bytes are as they were")
        stage.expect(
          held.size >= bare.size + Stage.blobSize / 2, "a file that is larger by what is kept",
          observed: "\(held.size) and \(bare.size)")
        stage.expect(
          bare.size < 12 * Stage.blobSize, "a file without it that stays below 12 blobs",
          observed: "\(bare.size / Stage.blobSize) blobs")
      },
      Probe("a frozen realm and a frozen collection keep their version's data too") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: Stage.blobSize))) }
        let frozen = realm.freeze()
        let blobs = realm.objects(Blob.self).freeze()
        for round in 2..<40 {
          try stage.overwrite(realm, with: round)
          let fresh = try stage.seen { $0.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.first }
          stage.equal(fresh, UInt8(round), "the newest first byte")
        }
        let old = Data(repeating: 1, count: Stage.blobSize)
        stage.expect(
          frozen.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes == old,
          "the frozen realm's bytes are as they were")
        stage.expect(blobs[0].bytes == old, "the frozen collection's bytes are as they were")
      },
      Probe(
        "whoever holds a version keeps it while other processes come and overwrite",
        companions: ["overwriter": { try $0.overwriteBlob() }]
      ) { stage in
        let realm = try stage.open()
        realm.autorefresh = false
        try Stage.addBlob(to: realm)
        let blob = realm.object(ofType: Blob.self, forPrimaryKey: 1)!
        let frozen = blob.freeze()
        let reference = ThreadSafeReference(to: realm.objects(Blob.self))
        let old = Data(count: Stage.blobSize)
        for round in 0..<3 {
          let child = try stage.companion("overwriter")
          stage.equal(child.remains().ending, .exited(0), "the end of overwriter \(round)")
          stage.expect(frozen.bytes == old, "the frozen bytes after overwriter \(round)")
          stage.expect(blob.bytes == old, "the realm's bytes after overwriter \(round)")
        }
        stage.equal(
          try stage.elsewhere { try stage.open().resolve(reference)?.count }, 1, "the referenced")
        realm.refresh()
        stage.equal(blob.bytes.first, 20, "the first byte after the refresh")
      },
    ])

  static let grow02 = Rule(
    "GROW-02", .documented,
    "The same holds for live realms that stay on an old version (autorefresh off, blocked "
      + "or loopless threads, unresolved Results references).",
    source: "S0/S1/S4 TSR note (\"source realm remains pinned\"); RS/Realm.swift:993.",
    broken: "old live snapshots not pinned (READ-15 fails)",
    probes: [
      Probe("a realm that stays keeps its version, and lets it go when it refreshes") { stage in
        let realm = try stage.open()
        realm.autorefresh = false
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: Stage.blobSize))) }
        let blob = realm.object(ofType: Blob.self, forPrimaryKey: 1)!
        for round in 100..<120 { try stage.foreign { try stage.overwriteInWrite($0, with: round) } }
        stage.expect(
          blob.bytes == Data(repeating: 1, count: Stage.blobSize), "the bytes as they were",
          observed: "first byte \(blob.bytes.first ?? 0)")
        realm.refresh()
        stage.equal(blob.bytes.first, 119, "the first byte after the refresh")
        try stage.growsNoMore("after the refresh")
        use(blob.bytes.first)
      },
      Probe("a realm on a thread without a loop keeps its version until it is gone") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: Stage.blobSize))) }
        let began = Latch("the reader having begun")
        let release = Latch("the reader's end")
        let reader = stage.thread("reader") {
          let mine = try stage.open()
          let blob = mine.object(ofType: Blob.self, forPrimaryKey: 1)!
          use(blob.bytes.first)
          began.open()
          try stage.wait(for: release)
          stage.expect(
            blob.bytes == Data(repeating: 1, count: Stage.blobSize), "the bytes as they were",
            observed: "first byte \(blob.bytes.first ?? 0)")
        }
        try stage.wait(for: began)
        for round in 100..<120 { try stage.overwrite(realm, with: round) }
        release.open()
        try stage.join(reader)
        try stage.growsNoMore("after the thread's end")
      },
      Probe("a reference that nobody resolves keeps its version until it is gone") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: Stage.blobSize))) }
        var reference: ThreadSafeReference<Blob>? = ThreadSafeReference(
          to: realm.object(ofType: Blob.self, forPrimaryKey: 1)!)
        for round in 100..<120 { try stage.overwrite(realm, with: round) }
        stage.equal(reference?.isInvalidated, false, "whether the reference is invalidated")
        reference = nil
        try stage.growsNoMore("after the reference's end")
      },
    ])

  static let grow03 = Rule(
    "GROW-03", .documented,
    "When the last holder of a version is gone its space MUST become reusable: growth stops "
      + "at the next commits.",
    source: "S0/S1/S3 Internal Structure step 3; TSR note (\"until the reference gets "
      + "deallocated\").",
    broken: "pin leak",
    probes: [
      Probe("space is reused once the last holder is gone") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: Stage.blobSize))) }
        var frozen: Realm? = realm.freeze()
        for round in 0..<20 {
          try realm.write {
            realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
              repeating: UInt8(round), count: Stage.blobSize)
          }
        }
        stage.equal(
          frozen!.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.first, 1, "the frozen byte")
        frozen = nil
        for round in 0..<4 {
          try realm.write {
            realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
              repeating: UInt8(round), count: Stage.blobSize)
          }
        }
        let size = stage.size()
        for round in 0..<30 {
          try realm.write {
            realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
              repeating: UInt8(round), count: Stage.blobSize)
          }
        }
        stage.expect(
          stage.size() <= size + 2 * Stage.blobSize, "a file that stopped growing",
          observed: "\(size) and then \(stage.size())")
      }
    ] + Probe.deadHolders + Beyond.dropped + [Probe.invalidatedHoldNothing])

  static let grow04 = Rule(
    "GROW-04", .implementation,
    "Growth MUST come from pinned data, not from the number of commits alone: pinning one "
      + "version costs about its own data plus changed nodes (since core 13, versions between "
      + "two pins are reclaimed).",
    source: "(impl) CHANGELOG 10.35.0.",
    broken: "everything newer than the oldest pin retained",
    probes: [
      Probe("growth follows what is pinned, not the number of commits") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: Stage.blobSize))) }
        let frozen = realm.freeze()
        for round in 0..<400 {
          try realm.write {
            realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
              repeating: UInt8(round % 250), count: Stage.blobSize)
          }
        }
        stage.equal(
          frozen.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.first, 1, "the frozen byte")
        stage.expect(
          stage.size() < 100 * Stage.blobSize, "less than 100 blobs after 400 commits",
          observed: "\(stage.size() / Stage.blobSize) blobs")
      }
    ] + GrowKinds.betweenPins)

  static let grow05 = Rule(
    "GROW-05", .documented,
    "Unmanaged copies and plain values MUST pin nothing.",
    source: "S0/S1/S3 note (\"consider copying what you need out\").",
    broken: "copy pins",
    probes: [
      Probe("copies and plain values pin nothing") { stage in
        let bare = try Stage.growth(stage, "bare", holding: { _ in nil })
        let copied = try Stage.growth(
          stage, "copied",
          holding: { realm in
            Blob(value: realm.object(ofType: Blob.self, forPrimaryKey: 1)!)
          })
        stage.expect(copied.valid, "the copied bytes are as they were")
        stage.expect(
          copied.size <= bare.size + Stage.blobSize, "no growth for a copy",
          observed: "\(copied.size) and \(bare.size)")
      }
    ] + [.valuesPinNothing])

  static let grow06 = Rule(
    "GROW-06", .documented,
    "Many frozen views of one version MUST cost one pin only.",
    source: "FREEZE-19; S0 (\"caching *too many*\").",
    broken: "one pin or copy per view",
    probes: [
      Probe("ten thousand frozen views of one version cost what one costs") { stage in
        let one = try Stage.growth(
          stage, "one", holding: { $0.object(ofType: Blob.self, forPrimaryKey: 1)!.freeze() })
        var views: [Blob] = []
        let many = try Stage.growth(
          stage, "many",
          holding: { realm in
            let blob = realm.object(ofType: Blob.self, forPrimaryKey: 1)!
            for _ in 0..<10_000 { views.append(blob.freeze()) }
            return views[0]
          })
        stage.expect(one.valid && many.valid, "the frozen bytes are as they were")
        stage.expect(
          many.size <= one.size + Stage.blobSize, "the same size",
          observed: "\(many.size) and \(one.size)")
      }
    ] + [GrowKinds.manyViews])

  static let grow07 = Rule(
    "GROW-07", .documented,
    "`maximumNumberOfActiveVersions`, if set, MUST make beginning a write fail when the "
      + "number of active versions exceeds it.",
    source: "RS doc; S0 note (file size).",
    broken: "limit ignored; counted in commits rather than live versions",
    probes: [
      Probe.dies("more live versions than allowed", saying: "in the Realm exceeded the limit of 3")
      { stage in
        var configuration = stage.configuration()
        configuration.maximumNumberOfActiveVersions = 3
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Account(id: 1)) }
        var held: [Realm] = []
        // As many versions as are allowed: this much must work.
        for round in 0..<3 {
          held.append(realm.freeze())
          if round < 2 { try realm.write { realm.account(1).balance = round } }
        }
        stage.act {
          for round in 0..<4 {
            try realm.write { realm.account(1).balance = 10 + round }
            held.append(realm.freeze())
          }
        }
      }
    ] + Probe.limits + Places.probes + [
      ActorOpens.limited, CountedVersions.frozenOnes, Probe.asynchronousLimits,
    ])

  static let grow08 = Rule(
    "GROW-08", .implementation,
    "After releasing versions, writing under the limit MUST work again.",
    source: "(impl) versions counted live since 10.42.",
    broken: "counter never decreases",
    probes: [
      Probe("a limit counts live versions only") { stage in
        var configuration = stage.configuration()
        configuration.maximumNumberOfActiveVersions = 3
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Account(id: 1)) }
        for round in 0..<30 {
          let frozen = realm.freeze()
          try realm.write { realm.account(1).balance = round }
          use(frozen.account(1).balance)
        }
        stage.equal(realm.account(1).balance, 29, "the balance after thirty writes under the limit")
      },
      Probe("a version counts once, however many hold it") { stage in
        var configuration = stage.configuration()
        configuration.maximumNumberOfActiveVersions = 3
        let realm = try Realm(configuration: configuration)
        try realm.write { Stage.stock(realm) }
        var realms: [Realm] = []
        let queues = (0..<8).map { DispatchQueue(label: "holder \($0)") }
        for queue in queues {
          try stage.on(queue) {
            let held = try Realm(configuration: configuration, queue: queue)
            held.autorefresh = false
            use(held.account(1).balance)
            realms.append(held)
          }
        }
        let frozen = (0..<8).map { _ in realm.freeze() }
        for round in 0..<5 { try realm.write { realm.account(1).balance = round } }
        stage.equal(realm.account(1).balance, 4, "the balance after writes under the limit")
        stage.equal(frozen.map { $0.account(1).balance }, Array(repeating: 100, count: 8), "frozen")
        for (queue, held) in zip(queues, realms) {
          stage.equal(stage.on(queue) { held.account(1).balance }, 100, "the balance as held")
        }
      },
    ]
      + Meetings.ofLargeSteps)

  static let grow09 = Rule(
    "GROW-09", .documented,
    "Bulk space MUST be returned or reusable after deletes; the file need not shrink at "
      + "once but must not grow on re-insertion of as much.",
    source: "S0/S1/S3 step 3.",
    broken: "freed space lost",
    probes: [
      Probe("deleted space takes the same again") { stage in
        let realm = try stage.open()
        var account = 0
        // A commit that touches little: what the one before it let go may be reused in the next.
        func pass() throws {
          account += 1
          try realm.write { realm.add(Account(id: account)) }
        }
        func fill() throws {
          try realm.write {
            for id in 0..<200 {
              realm.add(Blob(id: id, bytes: Data(repeating: UInt8(id), count: 5000)))
            }
          }
        }
        func clear() throws { try realm.write { realm.delete(realm.objects(Blob.self)) } }
        try fill()
        for _ in 0..<3 {
          try clear()
          try pass()
          try fill()
        }
        let size = stage.size()
        for _ in 0..<6 {
          try clear()
          try pass()
          try fill()
        }
        stage.expect(
          stage.size() <= size + size / 4, "no growth on re-insertion",
          observed: "\(size) and then \(stage.size())")
      }
    ] + Probe.refills + Leavings.deleted)

  static let grow11 = Rule(
    "GROW-11", .implementation,
    "Whatever holds a version (realm, frozen realm, reference, observer, iterator) MUST let it "
      + "go when it ends; counted by live versions, not by size.",
    source: "CORE/db.cpp (get_number_of_versions); RS/RealmConfiguration.swift "
      + "(maximumNumberOfActiveVersions).",
    broken: "one pin leaks per use",
    probes: [Programs.counting.probe]
      + Holder.all.map { holder in
        Probe("\(holder.name): as many live versions after it as before", companions: Holder.roles)
        {
          stage in
          try stage.elsewhere { _ = try stage.stocked() }
          let realm = try stage.open()
          // Counted after a write, as each time below: it may leave its predecessor alive.
          try realm.write { realm.account(1).balance = -1 }
          let before = try stage.liveVersions(realm)
          for round in 0..<3 {
            try holder.use(stage, realm)
            try realm.write { realm.account(1).balance = round }
            stage.equal(try stage.liveVersions(realm), before, "live versions after use \(round)")
          }
        }
      }
      + (Holder.all + Holder.daily).map { holder in
        Probe("\(holder.name), thirty times", companions: Holder.roles) { stage in
          try stage.elsewhere { _ = try stage.stocked() }
          var configuration = stage.configuration()
          configuration.maximumNumberOfActiveVersions = 12
          let realm = try Realm(configuration: configuration)
          // What is there once for all is there after some uses.
          let (first, all) = (8, 30)
          var before: Possessions?
          for round in 0..<all {
            if round == first { before = Possessions.now }
            try holder.use(stage, realm)
            // Throws if more versions live than are allowed.
            try realm.write { realm.account(1).balance = round }
          }
          try stage.hasNoMore(than: before, after: all - first)
          stage.equal(
            realm.account(1).balance, 29, "the balance after thirty writes under the limit")
        }
      } + Probe.listenersKeepLittle + Probe.endedListenersKeepNothing + Probe.gatherings
      + GrowKinds.probes + GrowOpenings.probes
      + RealmMake.allCases.filter(\.isWritable).map { .versionsInStates($0) })

  static let grow10 = Rule(
    "GROW-10", .documented,
    "A reader thread that refreshes regularly MUST NOT make the file grow.",
    source: "S0/S1/S3 Refreshing + note.",
    broken: "refresh leaks the old version",
    probes: [
      Probe("a reader that refreshes does not make the file grow") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: Stage.blobSize))) }
        var sizes: [Int] = []
        for round in 0..<240 {
          try stage.foreign {
            $0.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
              repeating: UInt8(round), count: Stage.blobSize)
          }
          realm.refresh()
          guard realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.first == UInt8(round)
          else {
            return stage.fail(expected: "byte \(round)", observed: "another")
          }
          if round % 40 == 39 { sizes.append(stage.size()) }
        }
        stage.expect(
          sizes[5] <= sizes[2] + sizes[2] / 4, "a file that stopped growing",
          observed: "sizes \(sizes)")
      }
    ] + GrowKinds.regularReaders)
}

/// What holds a version, used once from its beginning to its end.
struct Holder: Sendable {
  let name: String
  let use: @Sendable (Stage, Realm) throws -> Void

  /// What other processes do for these probes.
  static let roles: [String: Probe.Body] = [
    "meter": { stage in
      var configuration = stage.configuration()
      configuration.maximumNumberOfActiveVersions = UInt(stage.words[0])!
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.account(3).balance += 1 }
      stage.tell("fits")
    },
    "holder": { stage in
      let realm = try stage.open()
      EngineUse.keep(realm.freeze().account(1).balance)
      EngineUse.keep(realm.account(1).balance)
      stage.tell("holds")
      _ = stage.hear()
    },
  ]

  static let all = [
    Holder(name: "a process that is killed") { stage, realm in
      let child = try stage.companion("holder")
      _ = try stage.hear(child, "that it holds a version")
      try realm.write { realm.account(2).balance += 1 }
      child.signal(SIGKILL)
      EngineUse.keep(child.remains())
    },
    Holder(name: "a process that ends") { stage, realm in
      let child = try stage.companion("holder")
      _ = try stage.hear(child, "that it holds a version")
      try realm.write { realm.account(2).balance += 1 }
      child.closeInput()
      EngineUse.keep(child.remains())
    },
    Holder(name: "a realm of another thread") { stage, realm in
      try stage.elsewhere {
        let other = try Realm(configuration: realm.configuration)
        EngineUse.read(other)
      }
    },
    Holder(name: "a realm of a queue") { _, realm in
      let (queue, configuration) = (DispatchQueue(label: "holder"), realm.configuration)
      try queue.sync { EngineUse.read(try Realm(configuration: configuration, queue: queue)) }
    },
    Holder(name: "a frozen realm") { _, realm in EngineUse.read(realm.freeze()) },
    Holder(name: "a frozen object and a frozen collection") { _, realm in
      EngineUse.keep(realm.account(1).freeze().balance)
      EngineUse.keep(realm.objects(Account.self).freeze().count)
    },
    Holder(name: "a reference that nobody resolves") { _, realm in
      EngineUse.keep(ThreadSafeReference(to: realm.objects(Account.self)))
    },
    Holder(name: "a reference that is resolved elsewhere") { stage, realm in
      let reference = ThreadSafeReference(to: realm.objects(Account.self))
      try stage.elsewhere {
        EngineUse.keep(try Realm(configuration: realm.configuration).resolve(reference)?.count)
      }
    },
    Holder(name: "an observer") { stage, realm in
      var calls = 0
      let token = realm.objects(Account.self).observe { _ in calls += 1 }
      try stage.spin(until: { calls > 0 }, "the first call")
      try realm.write { realm.account(2).balance += 1 }
      try stage.spin(until: { calls > 1 }, "the second call")
      token.invalidate()
    },
    Holder(name: "an observer that is never told") { _, realm in
      realm.objects(Account.self).observe { _ in }.invalidate()
      realm.account(1).observe { _ in }.invalidate()
    },
    Holder(name: "an iterator that is left on the way") { _, realm in
      for account in realm.objects(Account.self) where account.id > 1 { break }
      var iterator = realm.objects(Account.self).freeze().makeIterator()
      EngineUse.keep(iterator.next()?.balance)
    },
    Holder(name: "an iterator of many that is left on the way") { _, realm in
      if realm.objects(Dog.self).count < 700 {
        try realm.write { for age in 0..<700 { realm.add(Dog(name: "one of many", age: age)) } }
      }
      for dog in realm.objects(Dog.self) where dog.age > 5 { break }
      for dog in realm.objects(Dog.self).where({ $0.age > 5 }) where dog.age > 300 { break }
      EngineUse.keep(realm.objects(Dog.self).first { $0.age == 400 }?.age)
    },
    Holder(name: "a reference that is resolved in another file's realm") { stage, realm in
      let reference = ThreadSafeReference(to: realm.objects(Account.self))
      EngineUse.keep(try stage.open("another").resolve(reference)?.count)
    },
    Holder(name: "a reference to what is gone") { stage, realm in
      let people = realm.objects(Person.self)
      let list = try realm.write {
        let person = Person(name: "gone")
        realm.add(person)
        person.dogs.append(Dog(name: "gone"))
        return person
      }
      let reference = ThreadSafeReference(to: list.dogs.where { $0.age >= 0 })
      try realm.write { realm.delete(list) }
      EngineUse.keep(realm.resolve(reference)?.count)
      EngineUse.keep(people.count)
    },
    Holder(name: "a wrapped variable of results that is read again and again") { stage, realm in
      @ThreadSafe var accounts: Results<Account>? = realm.objects(Account.self)
      let wrapper = _accounts
      for round in 0..<3 {
        try realm.write { realm.account(2).balance = round }
        EngineUse.keep(accounts?.count)
        try stage.elsewhere { EngineUse.keep(wrapper.wrappedValue?.count) }
      }
      accounts = nil
    },
    Holder(name: "a listener for a queue that has ended") { stage, realm in
      let queue = DispatchQueue(label: "listener")
      let told = Latch("the first call")
      let token = realm.objects(Account.self).observe(on: queue) { _ in told.open() }
      try stage.wait(for: told)
      token.invalidate()
      queue.sync {}
    },
    Holder(name: "a write that is cancelled") { _, realm in
      realm.beginWrite()
      realm.account(1).balance = -1
      realm.cancelWrite()
    },
  ]
}

enum EngineUse {
  static func read(_ realm: Realm) { use(realm.objects(Account.self).count) }
  static func keep<Value>(_ value: Value) { use(value) }
}

extension Stage {
  /// How many versions are alive, told by other processes: each tries to write under a limit.
  fileprivate func liveVersions(_ realm: Realm) throws -> Int {
    for limit in 1...40 {
      realm.refresh()
      let meter = try companion("meter", "\(limit)")
      let fits = meter.line(within: patience) == "fits"
      meter.closeInput()
      EngineUse.keep(meter.remains())
      if fits {
        realm.refresh()
        return limit
      }
    }
    return 41
  }
}
