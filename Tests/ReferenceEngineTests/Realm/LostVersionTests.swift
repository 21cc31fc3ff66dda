import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Who stood on a version that was lost comes to one that is no later state of it: rows of the lost
/// one never were, and what happened to those before it has to be found out from there.
@Suite struct LostVersionTests {
  /// How a realm finds out that what it has sealed is lost, before it is told.
  enum Discovery: String, Codable, CaseIterable {
    /// It reads what is not in the file yet.
    case read
    /// There is no room for what another thread is to bring to the disk.
    case handOver
    /// It commits something with it.
    case commit
  }

  /// Until the completion comes the version before is shown: all that it has, and nothing of what
  /// was lost.
  @Test(arguments: Discovery.allCases, [false, true])
  func `REF-05: what a realm itself finds to be lost is lost at once`(
    how: Discovery, isBehindKept: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [how = how as Discovery, isBehindKept = isBehindKept as Bool] in
      let spare = HeldErrands()
      let scene = LossScene(spare: spare)
      let (first, ended) = (Bell(), Bell())
      let before = isBehindKept ? "kept" : "old"
      func fail() { scene.disks.fail(at: 0, .refused, sticky: true) }
      scene.desk.work { realm in
        if isBehindKept {
          // On the disk before the other, and told after that is known to be lost.
          realm.beginWrite()
          LossScene.replace(realm, "kept")
          realm.commitAsyncWrite { error in
            #expect(error == nil)
            first.ring()
          }
          let (version, flushes) = (realm.session.version!, scene.flushes)
          DispatchQueue.global().async { flushes.work() }
          let file = realm.session.coordinator
          // Until it has gone, too: whoever came before would share its flush.
          while file.newestVersion < version || file.hasWriter { sched_yield() }
        } else {
          first.ring()
        }
        let (old, eight) = (LossScene.keyed(realm)!, LossScene.keyed(realm, 8)!)
        let reference = ThreadSafeReference(to: eight)
        var named: Keyed?
        func write() {
          realm.delete(eight)
          LossScene.replace(realm, "lost")
          named = LossScene.keyed(realm)
          realm.commitAsyncWrite(allowGrouping: how != .read) { error in
            #expect(error != nil)
            ended.ring()
          }
        }
        func look() {
          #expect(LossScene.keyed(realm)?.name == before)
          scene.disks.heal()
          #expect(named?.isInvalidated == true)
          #expect(!old.isInvalidated && !eight.isInvalidated)
          if !old.isInvalidated { #expect(old.name == before) }
          #expect(realm.resolve(reference)?.name == "kept")
        }
        switch how {
        case .read:
          realm.beginWrite()
          write()
          fail()
          look()
        case .handOver:
          realm.beginAsyncWrite { write() }
          realm.beginAsyncWrite {
            fail()
            realm.cancelWrite()
            let look = Smuggled(look)
            scene.desk.queue.async { look.value() }
          }
        case .commit:
          realm.beginAsyncWrite { write() }
          realm.beginAsyncWrite {
            fail()
            #expect(throws: (any Error).self) { try realm.commitWrite() }
            look()
          }
        }
      }
      for _ in 0..<3 { scene.desk.work { _ in } }
      spare.work()
      scene.flushes.work()
      #expect(first.wait() && ended.wait())
      scene.desk.work { realm in #expect(LossScene.keyed(realm)?.name == before) }
    }
  }

  /// Who leaves a version asks what it was lost with when nothing pins it any more.
  @Test func `what was lost is known to whoever has just left it`() {
    let lost = LostVersions()
    func lose(_ number: UInt64) {
      let root = Root.nowhere(VersionID(number))
      let record = FreedNode(ref: .none, units: 1, born: root.version)
      let commit = SealedCommit(
        root: root, runs: [], composed: nil, checksum: nil, freed: [], record: record,
        droppedRecords: 0, keepsRows: true, changes: [])
      _ = lost.note([commit], behind: VersionID(number - 1), pinned: [VersionID(3)])
    }
    func knows(_ number: UInt64) -> Bool { lost.group(of: VersionID(number)) != nil }
    for number in UInt64(2)...4 { lose(number) }
    #expect(knows(2) && knows(3) && knows(4))
    for number in UInt64(5)...80 { lose(number) }
    #expect(!knows(2) && knows(3) && !knows(4) && knows(79) && knows(80))
  }

  @Test func `REFRESH-20: what others replace before a lost commit is told of is gone`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let ended = Bell()
      var held: [Keyed] = []
      scene.desk.work { realm in held = [7, 8].compactMap { LossScene.keyed(realm, $0) } }
      scene.seal({ $0.create(Dog.self, value: ["name": "lost"]) }, ended: ended)
      scene.lose({ scene.other.commit { LossScene.replace($0, "new") } }, ended: ended)
      scene.desk.work { realm in
        #expect(LossScene.keyed(realm)?.name == "new")
        #expect(held.map(\.isInvalidated) == [true, false])
        realm.refresh()
        #expect(held.map(\.isInvalidated) == [true, false])
      }
    }
  }

  /// How an object of the lost version is held.
  enum Means: String, CaseIterable, Codable {
    case object, reference, variable, frozen
  }

  @Test(arguments: [false, true], Means.allCases)
  func `REF-05: what another realm has of a lost version is not taken for who comes under its key`(
    wasThere: Bool, means: Means
  ) async {
    await #expect(processExitsWith: .success) {
      [wasThere = wasThere as Bool, means = means as Means] in
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      third.work { $0.autorefresh = false }
      if !wasThere { scene.other.commit { $0.delete(LossScene.keyed($0)!) } }
      scene.desk.work { _ = $0.refresh() }
      var reference: ThreadSafeReference<Keyed>?
      scene.seal({ LossScene.replace($0, "lost") }, ended: ended)
      scene.desk.work { realm in
        reference = ThreadSafeReference(to: LossScene.keyed(realm)!)
      }
      var find: () -> Keyed? = { nil }
      third.work { realm in
        let found = realm.resolve(reference!)!
        #expect(found.name == "lost")
        switch means {
        case .object: find = { found.isInvalidated ? nil : found }
        case .reference:
          let again = ThreadSafeReference(to: found)
          find = { realm.resolve(again) }
        case .variable:
          let variable = ThreadSafe(wrappedValue: found)
          find = { variable.wrappedValue }
        case .frozen:
          let frozen = found.freeze()
          find = { frozen.thaw() }
        }
      }
      scene.lose({ scene.other.commit { LossScene.replace($0, "new") } }, ended: ended)
      third.work { realm in
        realm.refresh()
        #expect(LossScene.keyed(realm)?.name == "new")
        #expect(find()?.name == nil)
        find = { nil }
      }
    }
  }

  @Test(arguments: [false, true])
  func `FREEZE-27: what was frozen of a lost version does not thaw to another`(
    wasThere: Bool
  ) async {
    await #expect(processExitsWith: .success) { [wasThere = wasThere as Bool] in
      let scene = LossScene()
      let ended = Bell()
      if !wasThere { scene.other.commit { $0.delete(LossScene.keyed($0)!) } }
      scene.desk.work { _ = $0.refresh() }
      var (frozen, kept): (Keyed?, Keyed?)
      scene.seal({ LossScene.replace($0, "lost") }, ended: ended)
      scene.desk.work { realm in
        frozen = LossScene.keyed(realm)?.freeze()
        kept = LossScene.keyed(realm, 8)?.freeze()
      }
      scene.lose({ scene.other.commit { LossScene.replace($0, "new") } }, ended: ended)
      scene.desk.work { realm in
        realm.refresh()
        #expect(frozen?.name == "lost")
        #expect(frozen?.thaw()?.name == nil)
        #expect(kept?.thaw()?.name == "kept")
      }
      scene.other.work { realm in
        #expect(frozen?.thaw()?.name == nil)
        #expect(kept?.thaw()?.name == "kept")
      }
    }
  }

  /// Keys of rows are given again, too, when the commit that gave them is lost.
  @Test func `REF-05: a lost object without a key is not taken for the next one`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      third.work { $0.autorefresh = false }
      var reference: ThreadSafeReference<Dog>?
      scene.seal({ $0.create(Dog.self, value: ["name": "lost"]) }, ended: ended)
      var own: Dog?
      scene.desk.work { realm in
        let dog = realm.objects(Dog.self).filter("name == 'lost'")[0]
        reference = ThreadSafeReference(to: dog)
        own = dog.freeze()
      }
      var (found, frozen): (Dog?, Dog?)
      third.work { realm in
        found = realm.resolve(reference!)
        frozen = found?.freeze()
        #expect(found?.name == "lost")
      }
      scene.lose(
        { scene.other.commit { $0.create(Dog.self, value: ["name": "new"]) } }, ended: ended)
      third.work { realm in
        realm.refresh()
        #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "new"])
        #expect(found?.isInvalidated == true)
        #expect(frozen?.thaw()?.name == nil)
        (found, frozen) = (nil, nil)
      }
      scene.desk.work { _ in #expect(own?.thaw()?.name == nil) }
    }
  }

  /// It was noted when a commit was lost whose rows were named by then. A realm may stand on it
  /// longer, and what is frozen of it does; and a row without a key was not remembered there.
  @Test(arguments: [false, true], [false, true])
  func `REF-05: what is lost may be named still, and leads to nothing`(
    isFrozen: Bool, isLate: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [isFrozen = isFrozen as Bool, isLate = isLate as Bool] in
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      third.work { $0.autorefresh = false }
      scene.seal(
        { realm in
          realm.create(Keyed.self, value: ["id": 9, "name": "lost"])
          realm.create(Dog.self, value: ["name": "lost"])
        }, ended: ended)
      let (key, dog) = scene.desk.work { realm in
        (
          ThreadSafeReference(to: LossScene.keyed(realm, 9)!),
          ThreadSafeReference(to: realm.objects(Dog.self).filter("name == 'lost'")[0])
        )
      }
      var (foundKey, foundDog): (Keyed?, Dog?)
      var (keyAgain, dogAgain): (ThreadSafeReference<Keyed>?, ThreadSafeReference<Dog>?)
      func nameAgain() {
        keyAgain = ThreadSafeReference(to: foundKey!)
        dogAgain = ThreadSafeReference(to: foundDog!)
      }
      third.work { realm in
        (foundKey, foundDog) = (realm.resolve(key), realm.resolve(dog))
        if isFrozen { (foundKey, foundDog) = (foundKey?.freeze(), foundDog?.freeze()) }
        if !isLate { nameAgain() }
      }
      scene.lose({}, ended: ended)
      if isLate { third.work { _ in nameAgain() } }
      scene.other.commit { realm in
        realm.create(Keyed.self, value: ["id": 9, "name": "new"])
        realm.create(Dog.self, value: ["name": "new"])
      }
      third.work { realm in
        realm.refresh()
        #expect(LossScene.keyed(realm, 9)?.name == "new")
        #expect(realm.resolve(keyAgain!)?.name == nil)
        #expect(realm.resolve(dogAgain!)?.name == nil)
        (foundKey, foundDog) = (nil, nil)
      }
    }
  }

  /// Who was shown two versions of which the later one was lost took what it had found in the first
  /// for what that had replaced.
  @Test(arguments: [false, true])
  func `REFRESH-20: what was there before the commit that is lost is there`(
    isFirstLost: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isFirstLost = isFirstLost as Bool] in
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      third.work { realm in
        realm.autorefresh = false
        realm.refresh()
      }
      var (held, nine): (Keyed?, Keyed?)
      func see(_ realm: Realm, _ id: Int, _ name: String) {
        let reference = ThreadSafeReference(to: LossScene.keyed(realm, id)!)
        third.work { realm in
          #expect(realm.resolve(reference)?.name == name)
          if id == 9 {
            (held, nine) = (LossScene.keyed(realm), LossScene.keyed(realm, 9))
          }
          #expect(held?.isInvalidated == (id == 7))
        }
      }
      func replace(_ realm: Realm) {
        realm.beginAsyncWrite {
          LossScene.replace(realm, "lost")
          realm.commitAsyncWrite { error in
            #expect(error != nil)
            ended.ring()
          }
          see(realm, 7, "lost")
        }
      }
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          realm.create(Keyed.self, value: ["id": 9, "name": "nine"])
          realm.commitAsyncWrite(allowGrouping: isFirstLost) { error in
            #expect((error != nil) == isFirstLost)
            if !isFirstLost { ended.ring() }
          }
          see(realm, 9, "nine")
        }
        // Of one group, if it is lost with the first.
        if isFirstLost { replace(realm) }
      }
      scene.desk.work { _ in }
      if !isFirstLost {
        scene.flushes.work()
        #expect(ended.wait())
        scene.desk.work(replace)
        scene.desk.work { _ in }
      }
      scene.lose({}, ended: ended)
      scene.other.commit { realm in
        realm.create(Keyed.self, value: ["id": 9, "name": "new"], update: .all)
      }
      third.work { realm in
        realm.refresh()
        #expect(LossScene.keyed(realm)?.name == "old")
        #expect(held?.isInvalidated == false)
        #expect(nine?.isInvalidated == isFirstLost)
        (held, nine) = (nil, nil)
      }
    }
  }

  /// As what is forgotten of rows that are gone was all of what a sealed commit had deleted, with
  /// those around it: and it stayed so when that commit was lost.
  @Test(arguments: [false, true])
  func `WRITE-27: what need not be remembered is not found out from what may be lost`(
    elsewhere: Bool
  ) async {
    await #expect(processExitsWith: .success) { [elsewhere = elsewhere as Bool] in
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      scene.desk.commit { realm in
        for id in [6, 9] { realm.create(Keyed.self, value: ["id": id]) }
        realm.delete(LossScene.keyed(realm, 8)!)
        if elsewhere { for id in 100..<10_000 { realm.create(Keyed.self, value: ["id": id]) } }
      }
      var held: Keyed?
      third.work { realm in
        realm.autorefresh = false
        realm.refresh()
        held = elsewhere ? LossScene.keyed(realm) : nil
      }
      // Those on both sides of it, and others as many as are remembered without a look.
      scene.desk.commit { realm in
        for id in [6, 9] { realm.delete(LossScene.keyed(realm, id)!) }
        if elsewhere {
          realm.delete(realm.objects(Keyed.self).filter { $0.id % 2 == 1 && $0.id > 99 })
        }
      }
      if elsewhere {
        scene.seal(
          { realm in
            realm.delete(LossScene.keyed(realm)!)
            realm.create(Dog.self, value: ["name": "lost"])
          }, ended: ended)
        let reference = scene.desk.work { realm in
          ThreadSafeReference(to: realm.objects(Dog.self).filter("name == 'lost'")[0])
        }
        third.work { realm in
          #expect(realm.resolve(reference)?.name == "lost")
          #expect(held?.isInvalidated == true)
        }
      } else {
        scene.desk.work { realm in
          held = LossScene.keyed(realm)
          realm.beginAsyncWrite {
            realm.delete(LossScene.keyed(realm)!)
            realm.commitAsyncWrite(allowGrouping: true)
          }
          realm.beginAsyncWrite {
            // What a cancelled write has added is remembered, too.
            for id in 50..<6_000 { realm.create(Keyed.self, value: ["id": 2 * id]) }
            realm.delete(LossScene.keyed(realm, 100)!)
            realm.cancelWrite()
            #expect(held?.isInvalidated == true)
            // It has a place in the file, and is looked into.
            _ = realm.freeze()
            #expect(LossScene.keyed(realm) == nil)
          }
          LossScene.endGroup(of: realm, areLost: true, ended)
        }
        scene.desk.work { _ in }
      }
      scene.lose({}, ended: ended)
      scene.other.commit { $0.create(Dog.self) }
      (elsewhere ? third : scene.desk).work { realm in
        realm.refresh()
        #expect(LossScene.keyed(realm)?.name == "old")
        #expect(held?.isInvalidated == false)
        held = nil
      }
    }
  }

  /// What a commit that waits had deleted here and there was told by nobody if it was very much;
  /// and who had not found it took it for gone for good.
  @Test(arguments: [false, true], [false, true])
  func `REF-09: of very many objects that an unfinished commit has replaced none is there`(
    areReplaced: Bool, isLost: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [areReplaced = areReplaced as Bool, isLost = isLost as Bool] in
      let scene = LossScene()
      let (ended, ids) = (Bell(), [2, 202, 30_002])
      var references: [[ThreadSafeReference<KeyOnly>]] = []
      scene.desk.work { realm in
        try! realm.write {
          // No two of them are one run; and with all of them gone the commit is small, and waits.
          for id in 0...ChangeLog.mostChanges { realm.add(KeyOnly(value: ["id": 2 * id])) }
        }
        references = ids.map { id in
          let one = realm.object(ofType: KeyOnly.self, forPrimaryKey: id)!
          return (0..<4).map { _ in ThreadSafeReference(to: one) }
        }
      }
      func areThere(_ realm: Realm) -> [Bool] {
        references.indices.map { realm.resolve(references[$0].removeLast()) != nil }
      }
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          realm.delete(realm.objects(KeyOnly.self))
          if areReplaced { for id in ids { realm.create(KeyOnly.self, value: ["id": id]) } }
          realm.commitAsyncWrite(allowGrouping: true)
          #expect(realm.session.root?.isWaiting == true)
          #expect(areThere(realm) == [false, false, false])
        }
        LossScene.endGroup(of: realm, areLost: isLost, ended)
      }
      scene.desk.work { _ in }
      if isLost {
        scene.lose({}, ended: ended)
      } else {
        scene.flushes.work()
        #expect(ended.wait())
      }
      scene.other.commit { $0.create(Dog.self) }
      scene.desk.work { realm in
        realm.refresh()
        #expect(areThere(realm) == [isLost, isLost, isLost])
      }
    }
  }

  /// What had gone was read again from the records once the commit was durable: those were gone.
  @Test func `REFRESH-20: what another's commit has replaced stays gone when it is durable`()
    async
  {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      var held: Keyed?
      third.work { realm in
        realm.autorefresh = false
        held = LossScene.keyed(realm)
      }
      let reference = scene.desk.work { realm in
        realm.beginWrite()
        LossScene.replace(realm, "new")
        realm.commitAsyncWrite { error in
          #expect(error == nil)
          ended.ring()
        }
        return ThreadSafeReference(to: LossScene.keyed(realm)!)
      }
      third.work { realm in
        #expect(realm.resolve(reference)?.name == "new")
        #expect(held?.isInvalidated == true)
      }
      scene.flushes.work()
      #expect(ended.wait())
      for desk in [scene.desk, scene.other] { desk.work { $0.invalidate() } }
      for _ in 0..<40 { scene.other.commit { $0.create(Dog.self) } }
      third.work { realm in
        realm.refresh()
        #expect(held?.isInvalidated == true)
        held = nil
      }
    }
  }

  /// What another's commit had deleted was noted when that was known to be durable: over what the
  /// realm's own writes had deleted since under the same keys.
  @Test func `WRITE-27: what goes again while others commit has gone last`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let (first, ended) = (Bell(), Bell())
      let reference = scene.other.work { realm in
        realm.beginWrite()
        LossScene.replace(realm, "second")
        realm.commitAsyncWrite { _ in first.ring() }
        return ThreadSafeReference(to: LossScene.keyed(realm)!)
      }
      scene.desk.work { realm in #expect(realm.resolve(reference)?.name == "second") }
      scene.flushes.work()
      #expect(first.wait())
      var held: Keyed?
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          realm.create(Dog.self)
          realm.commitAsyncWrite(allowGrouping: true)
        }
        realm.beginAsyncWrite {
          held = LossScene.keyed(realm)
          LossScene.replace(realm, "third")
          realm.commitAsyncWrite { _ in ended.ring() }
        }
      }
      for _ in 0..<3 { scene.desk.work { _ in } }
      scene.flushes.work()
      #expect(ended.wait())
      scene.desk.work { _ in #expect(held?.isInvalidated == true) }
      scene.other.commit { $0.create(Dog.self) }
      scene.desk.work { realm in
        realm.refresh()
        #expect(held?.isInvalidated == true)
        held = nil
        #expect(LossScene.keyed(realm)?.name == "third")
      }
    }
  }

  /// Who stands on a lost version asked only the records of what is published.
  @Test func `REF-09: what a lost commit had replaced is not found where that is shown`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      third.work { $0.autorefresh = false }
      let old = scene.other.work { ThreadSafeReference(to: LossScene.keyed($0)!) }
      scene.seal({ LossScene.replace($0, "lost") }, ended: ended)
      let new = scene.desk.work { ThreadSafeReference(to: LossScene.keyed($0)!) }
      third.work { realm in #expect(realm.resolve(new)?.name == "lost") }
      scene.lose({}, ended: ended)
      scene.other.commit { $0.create(Dog.self) }
      third.work { realm in
        #expect(LossScene.keyed(realm)?.name == "lost")
        #expect(realm.resolve(old)?.name == nil)
      }
    }
  }

  /// What a write of a group does when something of the group has been named in it, or its key was
  /// given in between.
  enum Ending: String, CaseIterable, Codable {
    case namesAndIsCancelled, namesAndIsSealed, addsAndIsCancelled
  }

  /// The end of the write decided, and not that of the group below it.
  @Test(arguments: Ending.allCases)
  func `WRITE-27, REF-05: what a write meets of the lost group below it never was`(
    ending: Ending
  ) async {
    await #expect(processExitsWith: .success) { [ending = ending as Ending] in
      let scene = LossScene()
      let ended = Bell()
      var (held, reference): (Keyed?, ThreadSafeReference<Keyed>?)
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          realm.create(Dog.self)
          realm.commitAsyncWrite(allowGrouping: true)
          // Found behind a sealed commit: its fate hangs on that of the others.
          held = LossScene.keyed(realm)
        }
        realm.beginAsyncWrite {
          if ending == .addsAndIsCancelled {
            realm.delete(held!)
          } else {
            LossScene.replace(realm, "lost")
          }
          realm.commitAsyncWrite(allowGrouping: true)
          #expect(held?.isInvalidated == true)
        }
        realm.beginAsyncWrite {
          if ending == .addsAndIsCancelled {
            realm.create(Keyed.self, value: ["id": 7, "name": "between"])
            return realm.cancelWrite()
          }
          reference = ThreadSafeReference(to: LossScene.keyed(realm)!)
          realm.create(Dog.self)
          if ending == .namesAndIsCancelled { return realm.cancelWrite() }
          realm.commitAsyncWrite(allowGrouping: true)
        }
        LossScene.endGroup(of: realm, areLost: true, ended)
      }
      scene.desk.work { _ in }
      scene.lose({}, ended: ended)
      scene.desk.work { realm in
        #expect(LossScene.keyed(realm)?.name == "old")
        #expect(held?.isInvalidated == false)
        if let reference { #expect(realm.resolve(reference)?.name == nil) }
        held = nil
      }
    }
  }

  /// It counted as gone from the version on that the write was based on, and another realm may show
  /// the one before that.
  @Test func `REF-05: what a cancelled write had added is found in no older version`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let (done, third) = (Bell(), Desk(scene.configuration))
      third.work { $0.autorefresh = false }
      var (first, second): (ThreadSafeReference<Dog>?, ThreadSafeReference<Keyed>?)
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          realm.create(Dog.self, value: ["name": "first"])
          realm.commitAsyncWrite(allowGrouping: true)
          first = ThreadSafeReference(to: realm.objects(Dog.self).filter("name == 'first'")[0])
          third.work { #expect($0.resolve(first!)?.name == "first") }
        }
        realm.beginAsyncWrite {
          realm.create(Dog.self)
          realm.commitAsyncWrite(allowGrouping: true)
        }
        realm.beginAsyncWrite {
          LossScene.replace(realm, "second")
          second = ThreadSafeReference(to: LossScene.keyed(realm)!)
          realm.cancelWrite()
          third.work { #expect($0.resolve(second!)?.name == nil) }
        }
        LossScene.endGroup(of: realm, areLost: false, done)
      }
      scene.desk.work { _ in }
      scene.flushes.work()
      #expect(done.wait())
    }
  }

  /// What was sealed counted as read when a reference was resolved there, or something thawed.
  @Test(arguments: [false, true], [false, true])
  func `REF-09, FREEZE-27: what an unfinished commit has replaced is gone, and comes back if lost`(
    elsewhere: Bool, isLost: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [elsewhere = elsewhere as Bool, isLost = isLost as Bool] in
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      var references: [[ThreadSafeReference<Keyed>]] = []
      var variables: [ThreadSafe<Keyed>] = []
      var (frozen, held): ([Keyed], [Keyed]) = ([], [])
      third.work { realm in
        realm.autorefresh = false
        realm.refresh()
        let all = [7, 8].map { LossScene.keyed(realm, $0)! }
        references = all.map { object in (0..<3).map { _ in ThreadSafeReference(to: object) } }
        variables = all.map { ThreadSafe(wrappedValue: $0) }
        (frozen, held) = (all.map { $0.freeze() }, all)
      }
      var new: ThreadSafeReference<Keyed>?
      scene.desk.work { realm in
        realm.beginWrite()
        LossScene.replace(realm, "new")
        realm.commitAsyncWrite { error in
          #expect((error != nil) == isLost)
          ended.ring()
        }
        new = ThreadSafeReference(to: LossScene.keyed(realm)!)
      }
      let desk = elsewhere ? third : scene.desk
      desk.work { realm in
        #expect(realm.resolve(new!)?.name == "new")
        let found = references.indices.map { realm.resolve(references[$0].removeLast())?.name }
        #expect(found == [nil, "kept"])
        if elsewhere { #expect(held.map(\.isInvalidated) == [true, false]) }
      }
      if isLost {
        scene.lose({}, ended: ended)
      } else {
        scene.flushes.work()
        #expect(ended.wait())
      }
      scene.other.commit { $0.create(Dog.self, value: ["name": "further"]) }
      for desk in [scene.desk, scene.other, third] {
        desk.work { realm in
          realm.refresh()
          let names = [isLost ? "old" : nil, "kept"]
          if desk !== scene.desk {
            let found = references.indices.map { realm.resolve(references[$0].removeLast())?.name }
            #expect(found == names)
          }
          #expect(variables.map { $0.wrappedValue?.name } == names)
          #expect(frozen.map { $0.thaw()?.name } == names)
          if desk === third { #expect(held.map(\.isInvalidated) == [!isLost, false]) }
        }
      }
      third.work { _ in (frozen, held) = ([], []) }
    }
  }
}
