import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

class KeyedView: Projection<Keyed> {
  @Projected(\Keyed.name) var shownName
}

/// What a home does between a loss and the turn in which it is told of it, and what listeners do
/// while they are told.
@Suite struct LossAttackTests {
  private static func dog(_ realm: Realm, _ name: String) -> Dog? {
    realm.objects(Dog.self).filter("name == %@", name).first
  }

  // MARK: Between the loss and its telling

  // home                      disk
  // seals a commit
  //                           refuses it
  // writes
  // is told of the loss
  @Test(arguments: [0, 1, 2])
  func `ASYNC-41, LIFE-12: what is written behind a loss is there when the loss is told`(
    call: Int
  ) async {
    await #expect(processExitsWith: .success) { [call = call as Int] in
      let scene = LossScene()
      let ended = Bell()
      var (old, dog, own): (Keyed?, Dog?, Keyed?)
      var references: [ThreadSafeReference<Keyed>] = []
      var variable: ThreadSafe<Keyed>?
      scene.desk.work { old = LossScene.keyed($0) }
      scene.seal(
        { realm in
          LossScene.replace(realm, "lost")
          realm.create(Dog.self, value: ["name": "lost"])
        }, ended: ended)
      scene.disks.fail(at: call, .refused, sticky: false)
      scene.desk.work { realm in
        let flushes = scene.flushes
        DispatchQueue.global().async { flushes.work() }
        realm.beginWrite()
        #expect(LossScene.keyed(realm)?.name == "old")
        #expect(old?.isInvalidated == false)
        dog = realm.create(Dog.self, value: ["name": "own"])
        LossScene.replace(realm, "own")
        own = LossScene.keyed(realm)
        realm.commitAsyncWrite { #expect($0 == nil) }
        references.append(ThreadSafeReference(to: own!))
        references.append(ThreadSafeReference(to: own!))
        variable = ThreadSafe(wrappedValue: own!)
        #expect(dog?.isInvalidated == false && own?.isInvalidated == false)
        #expect(old?.isInvalidated == true)
      }
      #expect(ended.wait())
      scene.flushes.work()
      scene.desk.work { _ in }
      scene.flushes.work()
      scene.desk.work { realm in
        try! realm.write {}
        #expect(LossScene.keyed(realm)?.name == "own")
        #expect(dog?.isInvalidated == false && own?.isInvalidated == false)
        #expect(old?.isInvalidated == true)
        #expect(realm.resolve(references[0])?.name == "own")
        #expect(variable?.wrappedValue?.name == "own")
      }
      scene.other.work { realm in
        realm.refresh()
        #expect(realm.resolve(references[1])?.name == "own")
      }
    }
  }

  @Test(arguments: [0, 2])
  func `ASYNC-40, LIFE-12: what is committed behind a loss is there when the loss is told`(
    call: Int
  ) async {
    await #expect(processExitsWith: .success) { [call = call as Int] in
      let scene = LossScene()
      let ended = Bell()
      var (old, dog, own): (Keyed?, Dog?, Keyed?)
      scene.desk.work { old = LossScene.keyed($0) }
      scene.seal(
        { realm in
          LossScene.replace(realm, "lost")
          realm.create(Dog.self, value: ["name": "lost"])
        }, ended: ended)
      scene.disks.fail(at: call, .refused, sticky: false)
      scene.desk.work { realm in
        let flushes = scene.flushes
        DispatchQueue.global().async { flushes.work() }
        realm.beginWrite()
        #expect(old?.isInvalidated == false)
        dog = realm.create(Dog.self, value: ["name": "own"])
        LossScene.replace(realm, "own")
        own = LossScene.keyed(realm)
        let reference = ThreadSafeReference(to: own!)
        try! realm.commitWrite()
        #expect(ended.hasRung())
        #expect(dog?.isInvalidated == false && own?.isInvalidated == false)
        #expect(old?.isInvalidated == true)
        #expect(realm.resolve(reference)?.name == "own")
      }
      scene.desk.work { realm in
        #expect(dog?.isInvalidated == false && own?.isInvalidated == false)
      }
    }
  }

  /// How a home comes to what others have committed since, before it is told of its loss.
  enum Step: String, Codable, CaseIterable {
    case refresh, begin, resolve, sealed
  }

  // home                      disk                      another realm
  // seals a commit
  //                           refuses it
  //                                                     writes
  // comes to that
  // is told of the loss
  @Test(arguments: Step.allCases)
  func `LIFE-12, REF-02: what others write behind a loss is there when the loss is told`(
    step: Step
  ) async {
    await #expect(processExitsWith: .success) { [step = step as Step] in
      let scene = LossScene()
      let (ended, done) = (Bell(), Bell())
      var (old, found, dog): (Keyed?, Keyed?, Dog?)
      var reference: ThreadSafeReference<Keyed>?
      var variable: ThreadSafe<Keyed>?
      scene.desk.work { old = LossScene.keyed($0) }
      scene.seal(
        { realm in
          LossScene.replace(realm, "lost")
          realm.create(Dog.self, value: ["name": "lost"])
        }, ended: ended)
      scene.disks.fail(at: 0, .refused, sticky: false)
      func change(_ realm: Realm) {
        LossScene.replace(realm, "new")
        realm.create(Dog.self, value: ["name": "new"])
      }
      scene.desk.work { realm in
        scene.flush(of: realm)
        var handed: ThreadSafeReference<Dog>?
        if step == .sealed {
          scene.other.work { other in
            other.beginWrite()
            change(other)
            handed = ThreadSafeReference(to: LossAttackTests.dog(other, "new")!)
            other.commitAsyncWrite { error in
              #expect(error == nil)
              done.ring()
            }
          }
        } else {
          scene.other.commit(change)
          done.ring()
          scene.other.work {
            handed = ThreadSafeReference(to: LossAttackTests.dog($0, "new")!)
          }
        }
        switch step {
        case .refresh: realm.refresh()
        case .begin:
          realm.beginWrite()
          realm.cancelWrite()
        case .resolve, .sealed: #expect(realm.resolve(handed!)?.name == "new")
        }
        (found, dog) = (LossScene.keyed(realm), LossAttackTests.dog(realm, "new"))
        #expect(found?.name == "new" && dog?.name == "new")
        #expect(old?.isInvalidated == true)
        reference = ThreadSafeReference(to: found!)
        variable = ThreadSafe(wrappedValue: found!)
      }
      #expect(ended.wait())
      scene.flushes.work()
      #expect(done.wait())
      scene.desk.work { realm in
        #expect(found?.isInvalidated == false && dog?.isInvalidated == false)
        #expect(old?.isInvalidated == true)
        realm.refresh()
        #expect(found?.isInvalidated == false && dog?.isInvalidated == false)
        #expect(old?.isInvalidated == true)
        #expect(realm.resolve(reference!)?.name == "new")
        #expect(variable?.wrappedValue?.name == "new")
      }
    }
  }

  @Test func `WRITE-19, WRITE-20: a second loss right behind the first leaves what is there`()
    async
  {
    await #expect(processExitsWith: .success) {
      let spare = HeldErrands()
      let scene = LossScene(spare: spare)
      let (first, second) = (Bell(), Bell())
      var (old, objects): (Keyed?, [Object]) = (nil, [])
      var order: [Int] = []
      scene.desk.work { old = LossScene.keyed($0) }
      func seal(_ realm: Realm, _ number: Int, _ ended: Bell) {
        realm.beginWrite()
        LossScene.replace(realm, "lost \(number)")
        objects.append(LossScene.keyed(realm)!)
        objects.append(realm.create(Dog.self, value: ["name": "lost \(number)"]))
        realm.commitAsyncWrite { error in
          #expect(error != nil)
          order.append(number)
          ended.ring()
        }
      }
      scene.desk.work { seal($0, 1, first) }
      scene.disks.fail(at: 0, .refused, sticky: true)
      scene.desk.work { realm in
        scene.flush(of: realm)
        scene.disks.heal()
        seal(realm, 2, second)
        #expect(old?.isInvalidated == true)
        #expect(objects.map(\.isInvalidated) == [true, true, false, false])
        scene.disks.fail(at: 0, .refused, sticky: true)
      }
      #expect(first.wait())
      spare.work()
      scene.flushes.work()
      #expect(second.wait())
      scene.disks.heal()
      scene.desk.work { realm in
        #expect(order == [1, 2])
        #expect(LossScene.keyed(realm)?.name == "old")
        #expect(old?.isInvalidated == false)
        #expect(objects.map(\.isInvalidated) == [true, true, true, true])
      }
      scene.desk.commit { LossScene.replace($0, "new") }
      scene.desk.work { _ in
        #expect(old?.isInvalidated == true)
        #expect(objects.map(\.isInvalidated) == [true, true, true, true])
      }
    }
  }

  // MARK: Kinds of things

  @Test(arguments: [false, true])
  func `REF-09, REF-25: a projection is not taken for one of the next object with its key`(
    isLost: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isLost = isLost as Bool] in
      let scene = LossScene()
      let ended = Bell()
      var references: [ThreadSafeReference<KeyedView>] = []
      var variable: ThreadSafe<KeyedView>?
      func name(_ realm: Realm) {
        let view = KeyedView(projecting: LossScene.keyed(realm)!)
        references = (0..<2).map { _ in ThreadSafeReference(to: view) }
        variable = ThreadSafe(wrappedValue: view)
      }
      if isLost {
        scene.seal({ LossScene.replace($0, "lost") }, ended: ended)
        scene.desk.work { name($0) }
        scene.lose({ scene.other.commit { LossScene.replace($0, "new") } }, ended: ended)
      } else {
        scene.desk.work { name($0) }
        scene.other.commit { LossScene.replace($0, "new") }
      }
      for (number, desk) in [scene.desk, scene.other].enumerated() {
        desk.work { realm in
          realm.refresh()
          #expect(LossScene.keyed(realm)?.name == "new")
          #expect(realm.resolve(references[number])?.shownName == nil)
          #expect(variable?.wrappedValue?.shownName == nil)
        }
      }
    }
  }

  /// A class may come to another place in the file when the write that brought it there comes to
  /// nothing.
  @Test(arguments: [false, true], [false, true])
  func `WRITE-19, REF-09: an object that never was is none of its class when that comes again`(
    isLost: Bool, isElsewhere: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [isLost = isLost as Bool, isElsewhere = isElsewhere as Bool] in
      alarm(60)
      let (scratch, disks, flushes) = (Scratch(), FailingDisks(), HeldErrands())
      disks.install()
      Seams.given.schedulers = HeldSchedulers(flushes)
      let configuration = scratch.configuration()
      let (desk, other) = (Desk(configuration), Desk(configuration))
      let third = Desk(configuration)
      other.commit { $0.create(Keyed.self, value: ["id": 7]) }
      for desk in [desk, third] {
        desk.work { realm in
          realm.autorefresh = false
          realm.refresh()
          #expect(realm.objects(Keyed.self).count == 1)
        }
      }
      let ended = Bell()
      var (held, found, frozen): (Dog?, Dog?, Dog?)
      desk.work { realm in
        realm.beginWrite()
        held = realm.create(Dog.self, value: ["name": "never"])
        if !isLost {
          realm.cancelWrite()
          return ended.ring()
        }
        realm.commitAsyncWrite { error in
          #expect(error != nil)
          ended.ring()
        }
        frozen = held?.freeze()
        if isElsewhere {
          let reference = ThreadSafeReference(to: held!)
          third.work { found = $0.resolve(reference) }
        }
      }
      disks.fail(at: 0, .refused, sticky: false)
      flushes.work()
      #expect(ended.wait())
      disks.heal()
      other.commit { $0.create(Named.self, value: ["id": "in its place"]) }
      other.commit { $0.create(Dog.self, value: ["name": "new"]) }
      desk.work { realm in
        realm.refresh()
        #expect(realm.objects(Dog.self).map(\.name) == ["new"])
        #expect(held?.isInvalidated == true)
        #expect(frozen?.thaw() == nil)
      }
      third.work { realm in
        realm.refresh()
        if isLost, isElsewhere { #expect(found?.isInvalidated == true) }
        found = nil
      }
    }
  }

  // thread                    home                      another realm
  // freezes the old 7
  //                           puts another in its place
  // is shown that
  //                           loses it
  //                                                     writes
  // thaws the old 7
  @Test func `FREEZE-27: in a version that is lost nobody thaws who was replaced there`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let ended = Bell()
      let realm = try! Realm(configuration: scene.configuration)
      let frozen = LossScene.keyed(realm)!.freeze()
      let kept = LossScene.keyed(realm, 8)!.freeze()
      scene.seal({ LossScene.replace($0, "lost") }, ended: ended)
      let reference = scene.desk.work { ThreadSafeReference(to: LossScene.keyed($0)!) }
      #expect(realm.resolve(reference)?.name == "lost")
      func look(_ name: String, _ thawed: String?) {
        #expect(LossScene.keyed(realm)?.name == name)
        #expect(frozen.thaw()?.name == thawed)
        #expect(kept.thaw()?.name == "kept")
      }
      look("lost", nil)
      scene.lose({}, ended: ended)
      look("lost", nil)
      scene.other.commit { $0.create(Dog.self) }
      look("lost", nil)
      realm.refresh()
      look("old", "old")
    }
  }

  @Test func `FREEZE-25: who shows what is lost thaws what it has frozen of it`() async {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let ended = Bell()
      let realm = try! Realm(configuration: scene.configuration)
      #expect(LossScene.keyed(realm)?.name == "old")
      scene.seal(
        { realm in
          LossScene.replace(realm, "lost")
          realm.create(Dog.self, value: ["name": "lost"])
        }, ended: ended)
      let reference = scene.desk.work { ThreadSafeReference(to: LossScene.keyed($0)!) }
      #expect(realm.resolve(reference)?.name == "lost")
      func look() {
        let (keyed, dog) = (LossScene.keyed(realm)!, LossAttackTests.dog(realm, "lost")!)
        #expect(keyed.name == "lost" && !dog.isInvalidated)
        #expect(keyed.freeze().thaw()?.name == "lost")
        #expect(dog.freeze().thaw()?.name == "lost")
      }
      look()
      scene.lose({}, ended: ended)
      look()
    }
  }

  // MARK: Listeners

  @Test func `ASYNC-12, ASYNC-40: what a listener commits as it is told of a loss is told later`()
    async
  {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let ended = Bell()
      var (order, isLost, tokens): ([String], Bool, [NotificationToken]) = ([], false, [])
      scene.desk.work { realm in
        tokens = [
          realm.objects(Dog.self).observe { change in
            guard case .update = change, isLost else { return }
            isLost = false
            realm.beginWrite()
            realm.create(Dog.self, value: ["name": "second"])
            realm.commitAsyncWrite { error in
              #expect(error == nil)
              order.append("second")
            }
            try! realm.write { _ = realm.create(Dog.self, value: ["name": "third"]) }
            order.append("third")
          }
        ]
      }
      scene.desk.work { _ in }
      scene.desk.work { realm in
        realm.beginWrite()
        realm.create(Dog.self, value: ["name": "lost"])
        realm.commitAsyncWrite { error in
          #expect(error != nil)
          order.append("first")
          ended.ring()
        }
      }
      scene.desk.work { _ in isLost = true }
      scene.lose({}, ended: ended)
      scene.desk.work { _ in }
      scene.flushes.work()
      scene.desk.work { realm in
        #expect(order == ["first", "second", "third"])
        #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "second", "third"])
        for token in tokens { token.invalidate() }
      }
    }
  }

  // home                      queue                     another realm
  // observes a list on it
  //                                                     puts another in its owner's place
  //                           comes to it
  @Test(arguments: [false, true])
  func `NOTIFY-22, NOTIFY-04: a queue does not listen to who comes in the place of what was meant`(
    isLost: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isLost = isLost as Bool] in
      alarm(60)
      let (scratch, disks, flushes) = (Scratch(), FailingDisks(), HeldErrands())
      disks.install()
      Seams.given.schedulers = HeldSchedulers(flushes)
      let configuration = scratch.configuration([
        Estate.self, Corner.self, Dog.self, Person.self, Keyed.self,
      ])
      let (desk, other) = (Desk(configuration), Desk(configuration))
      func replace(_ realm: Realm, _ name: String) {
        if let old = realm.objects(Estate.self).first { realm.delete(old) }
        realm.create(
          Estate.self,
          value: [
            "id": 1, "name": name, "dogs": [["name": name]], "guests": [["name": name]],
            "places": ["x": ["name": name]],
          ])
      }
      other.commit { replace($0, "old") }
      desk.work { $0.refresh() }
      let (queue, free, ended, told) = (
        DispatchQueue(label: "late"), Bell(), Bell(), Noted<String>()
      )
      queue.async { free.wait() }
      var tokens: [NotificationToken] = []
      func observe(_ realm: Realm) {
        let estate = realm.objects(Estate.self)[0]
        tokens = [
          estate.observe(on: queue) { change in
            if case .deleted = change { told.add("deleted") } else { told.add("object") }
          },
          estate.dogs.observe(on: queue) { _ in told.add("list") },
          estate.guests.observe(on: queue) { _ in told.add("set") },
          estate.places.observe(on: queue) { _ in told.add("map") },
          estate.dogs.filter("age >= 0").observe(on: queue) { _ in told.add("filtered") },
        ]
      }
      if isLost {
        desk.work { realm in
          realm.beginWrite()
          replace(realm, "lost")
          realm.commitAsyncWrite { error in
            #expect(error != nil)
            ended.ring()
          }
          observe(realm)
        }
        disks.fail(at: 0, .refused, sticky: true)
        flushes.work()
        #expect(ended.wait())
        disks.heal()
      } else {
        desk.work { observe($0) }
        other.commit { replace($0, "new") }
      }
      free.ring()
      queue.sync {}
      #expect(told.all == ["deleted"])
      other.commit { $0.objects(Dog.self)[0].age += 1 }
      queue.sync {}
      #expect(told.all == ["deleted"])
      queue.sync { for token in tokens { token.invalidate() } }
    }
  }

  /// What a listener does when it is told of a loss.
  enum Answer: String, Codable, CaseIterable {
    case refreshes, invalidates, resolves, freezes, cancels, writes, ends
  }

  @Test(arguments: Answer.allCases)
  func `NOTIFY-32, REFRESH-06, LIFE-07: a listener does what it likes as it is told of a loss`(
    answer: Answer
  ) async {
    await #expect(processExitsWith: .success) { [answer = answer as Answer] in
      let scene = LossScene()
      let ended = Bell()
      var (told, tokens, isLost): ([String], [NotificationToken], Bool) = ([], [], false)
      var frozen: Keyed?
      var old: Keyed?
      var reference: ThreadSafeReference<Dog>?
      scene.desk.work { realm in
        old = LossScene.keyed(realm)
        func listen(_ name: String) -> NotificationToken {
          realm.objects(Keyed.self).sorted(byKeyPath: "id").observe { change in
            told.append(name + change.brief)
            guard isLost else { return }
            isLost = false
            #expect(LossScene.keyed(realm)?.name == "old")
            #expect(old?.isInvalidated == false)
            switch answer {
            case .refreshes: #expect(!realm.refresh())
            case .invalidates: realm.invalidate()
            case .resolves: #expect(realm.resolve(reference!)?.name == "Rex")
            case .freezes: frozen = LossScene.keyed(realm)!.freeze()
            case .cancels:
              realm.beginWrite()
              LossScene.replace(realm, "cancelled")
              realm.cancelWrite()
            case .writes: try! realm.write { LossScene.replace(realm, "written") }
            case .ends: for token in tokens { token.invalidate() }
            }
          }
        }
        tokens = [listen("a"), listen("b")]
      }
      scene.desk.work { _ in }
      scene.other.work { other in
        other.refresh()
        reference = ThreadSafeReference(to: LossAttackTests.dog(other, "Rex")!)
      }
      scene.seal({ LossScene.replace($0, "lost") }, ended: ended)
      scene.desk.work { _ in
        #expect(told == ["ainitial", "binitial", "a-[0] +[0] ~[]", "b-[0] +[0] ~[]"])
        told = []
        isLost = true
      }
      scene.lose({}, ended: ended)
      scene.desk.work { _ in }
      scene.desk.work { realm in
        let one = ["a-[0] +[0] ~[]", "b-[0] +[0] ~[]"]
        switch answer {
        case .ends: #expect(told == ["a-[0] +[0] ~[]"])
        case .writes: #expect(told.count == 4 || told.count == 3, "\(told)")
        default: #expect(told == one)
        }
        #expect(!isLost)
        let name = answer == .writes ? "written" : "old"
        #expect(LossScene.keyed(realm)?.name == name)
        #expect(old?.isInvalidated == (answer == .writes))
        if answer == .freezes { #expect(frozen?.name == "old" && frozen?.thaw()?.name == "old") }
        for token in tokens { token.invalidate() }
      }
    }
  }

  // MARK: Homes

  /// Loses a commit of a realm that is at home on an actor, and goes on there.
  private static func lose(
    _ scene: LossScene, isBusy: Bool, isolation: isolated any Actor = #isolation
  ) async throws {
    let realm = try await Realm.open(configuration: scene.configuration)
    let old = LossScene.keyed(realm)!
    var objects: [Object] = []
    let told = Noted<Bool>()
    let (flushes, disks) = (scene.flushes, scene.disks)
    // As another task of the actor would.
    realm.beginAsyncWrite {
      LossScene.replace(realm, "lost")
      objects.append(LossScene.keyed(realm)!)
      objects.append(realm.create(Dog.self, value: ["name": "lost"]))
      realm.commitAsyncWrite { told.add($0 == nil) }
    }
    while objects.isEmpty { await Task.yield() }
    disks.fail(at: 0, .refused, sticky: false)
    if isBusy {
      DispatchQueue.global().async { flushes.work() }
      try realm.write {
        #expect(old.name == "old")
        objects.append(realm.create(Dog.self, value: ["name": "new"]))
      }
    } else {
      flushes.work()
    }
    while told.all.isEmpty { await Task.yield() }
    #expect(told.all == [false])
    #expect(!old.isInvalidated && LossScene.keyed(realm)?.name == "old")
    #expect(objects.map(\.isInvalidated) == (isBusy ? [true, true, false] : [true, true]))
    let count = Noted<Int>()
    DispatchQueue.global().async {
      while count.all.isEmpty {
        flushes.work()
        sched_yield()
      }
    }
    let again = try await realm.asyncWrite {
      LossScene.replace(realm, "again")
      return LossScene.keyed(realm)!
    }
    #expect(again.name == "again" && old.isInvalidated)
    disks.fail(at: 0, .refused, sticky: false)
    do {
      try await realm.asyncWrite {
        LossScene.replace(realm, "lost")
        objects.append(LossScene.keyed(realm)!)
      }
      Issue.record("what is lost is told to be kept")
    } catch {}
    #expect(!again.isInvalidated && again.name == "again" && objects.last!.isInvalidated)
    #expect(!realm.isPerformingAsynchronousWriteOperations && !realm.isInWriteTransaction)
    await realm.asyncRefresh()
    #expect(LossScene.keyed(realm)?.name == "again")
    count.add(1)
  }

  private actor Plain {
    func lose(_ scene: LossScene, isBusy: Bool) async throws {
      try await LossAttackTests.lose(scene, isBusy: isBusy)
    }
  }

  private final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "executor")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private actor Own {
    private nonisolated let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func lose(_ scene: LossScene, isBusy: Bool) async throws {
      try await LossAttackTests.lose(scene, isBusy: isBusy)
    }
  }

  @MainActor private static func loseAtMain(_ scene: LossScene, isBusy: Bool) async throws {
    try await LossAttackTests.lose(scene, isBusy: isBusy)
  }

  @Test(arguments: ["plain", "own", "main"], [false, true])
  func `ACTOR-14, LIFE-12: an actor that loses a commit goes on with what is there`(
    home: String, isBusy: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [home = home as String, isBusy = isBusy as Bool] in
      let scene = LossScene()
      switch home {
      case "plain": try await Plain().lose(scene, isBusy: isBusy)
      case "own": try await Own().lose(scene, isBusy: isBusy)
      default: try await LossAttackTests.loseAtMain(scene, isBusy: isBusy)
      }
    }
  }

  /// Nothing in memory is flushed; but it may find no room.
  @Test func `LIFE-09, ASYNC-09: realms in memory go on without what finds no room`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      signal(SIGXFSZ, SIG_IGN)
      func limit(to bytes: UInt?) {
        var now = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &now)
        now.rlim_cur = bytes.map { rlim_t($0) } ?? now.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &now)
      }
      let configuration = freshConfiguration()
      let (desk, other) = (Desk(configuration), Desk(configuration))
      desk.commit { realm in
        realm.create(Keyed.self, value: ["id": 7, "name": "old"])
        realm.create(Dog.self, value: ["name": "Rex"])
      }
      for isFirst in [true, false] {
        let (told, done) = (Noted<Bool>(), Bell())
        var (old, objects): (Keyed?, [Object]) = (nil, [])
        func fill(_ realm: Realm) {
          realm.create(Person.self, value: ["name": String(repeating: "x", count: 4_000_000)])
        }
        desk.work { realm in
          old = LossScene.keyed(realm)
          realm.beginAsyncWrite {
            LossScene.replace(realm, "first")
            objects.append(LossScene.keyed(realm)!)
            if isFirst { fill(realm) }
            if isFirst { limit(to: 4096) }
            realm.commitAsyncWrite(allowGrouping: true) { told.add($0 == nil) }
          }
          realm.beginAsyncWrite {
            objects.append(realm.create(Dog.self, value: ["name": "second"]))
            if !isFirst { fill(realm) }
            limit(to: 4096)
            realm.commitAsyncWrite { error in
              told.add(error == nil)
              done.ring()
            }
          }
        }
        #expect(done.wait())
        limit(to: nil)
        desk.work { realm in
          #expect(told.all.contains(false), "\(told.all)")
          #expect(objects[0].isInvalidated != told.all[0])
          #expect(objects[1].isInvalidated != told.all[1])
          #expect(old?.isInvalidated == told.all[0])
          #expect(LossScene.keyed(realm)?.name == (told.all[0] ? "first" : "old"))
          #expect((LossAttackTests.dog(realm, "second") != nil) == told.all[1])
        }
        other.commit { realm in
          #expect(LossScene.keyed(realm)?.name == (told.all[0] ? "first" : "old"))
          LossScene.replace(realm, "old")
          if let dog = LossAttackTests.dog(realm, "second") { realm.delete(dog) }
          realm.create(Dog.self, value: ["name": "new"])
        }
        desk.work { realm in
          realm.refresh()
          #expect(objects.allSatisfy(\.isInvalidated) && old?.isInvalidated == true)
          #expect(LossScene.keyed(realm)?.name == "old")
        }
      }
    }
  }

  // MARK: Ends

  @Test func `ASYNC-27, ASYNC-28: what is cancelled is not told of a loss, and does not run`() async
  {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let ended = Bell()
      var (told, ids): ([String], [AsyncTransactionId]) = ([], [])
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          for number in 0..<3 {
            if number > 0 { realm.beginWrite() }
            realm.create(Dog.self, value: ["name": "\(number)"])
            ids.append(
              realm.commitAsyncWrite(allowGrouping: number < 2) { error in
                told.append("\(number) \(error == nil)")
              })
          }
        }
      }
      scene.desk.work { realm in
        ids.append(realm.beginAsyncWrite { told.append("never") })
        realm.writeAsync {
          told.append("block")
          realm.create(Dog.self, value: ["name": "last"])
        } onComplete: { error in
          told.append("last \(error == nil)")
          ended.ring()
        }
        try! realm.cancelAsyncWrite(ids[1])
        try! realm.cancelAsyncWrite(ids[3])
        try! realm.cancelAsyncWrite(ids[1])
      }
      scene.disks.fail(at: 0, .refused, sticky: false)
      scene.flushes.work()
      while !ended.hasRung() {
        scene.desk.work { _ in }
        scene.flushes.work()
      }
      scene.desk.work { realm in
        #expect(told == ["0 false", "2 false", "block", "last true"])
        #expect(realm.objects(Dog.self).map(\.name) == ["Rex", "last"])
        #expect(!realm.isPerformingAsynchronousWriteOperations)
        try! realm.cancelAsyncWrite(ids[0])
      }
    }
  }

  @Test func `LIFE-11, LIFE-14, FREEZE-02: who reads what is lost keeps the file, and may copy it`()
    async
  {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let (ended, third) = (Bell(), Desk(scene.configuration))
      third.work { realm in
        realm.autorefresh = false
        realm.refresh()
      }
      scene.seal(
        { realm in
          LossScene.replace(realm, "lost")
          for number in 0..<50 { realm.create(Dog.self, value: ["name": "lost \(number)"]) }
        }, ended: ended)
      let reference = scene.desk.work { ThreadSafeReference(to: LossScene.keyed($0)!) }
      var frozen: Realm?
      third.work { realm in
        #expect(realm.resolve(reference)?.name == "lost")
        frozen = realm.freeze()
        #expect(frozen?.freeze() == frozen)
      }
      scene.lose({}, ended: ended)
      func isLost(_ realm: Realm) -> Bool {
        LossScene.keyed(realm)?.name == "lost" && realm.objects(Dog.self).count == 51
          && realm.objects(Dog.self).filter("name BEGINSWITH 'lost'").count == 50
      }
      func copy(_ realm: Realm, _ name: String) {
        var configuration = scene.configuration
        configuration.fileURL = scene.scratch.directory.appendingPathComponent(name)
        try! realm.writeCopy(configuration: configuration)
        let copy = Desk(configuration)
        #expect(copy.work { isLost($0) })
        copy.leave()
      }
      third.work { realm in
        #expect(isLost(realm))
        copy(realm, "live.realm")
      }
      copy(frozen!, "frozen.realm")
      for number in 0..<200 {
        scene.other.commit { realm in
          LossScene.replace(realm, "new \(number)")
          realm.create(Dog.self, value: ["name": String(repeating: "x", count: number * 20)])
        }
      }
      #expect(isLost(frozen!))
      third.work { #expect(isLost($0)) }
      copy(frozen!, "later.realm")
      #expect(throws: (any Error).self) { try Realm.deleteFiles(for: scene.configuration) }
      for desk in [scene.desk, scene.other, third] { desk.leave() }
      #expect(isLost(frozen!))
      #expect(throws: (any Error).self) { try Realm.deleteFiles(for: scene.configuration) }
      var configuration = scene.configuration
      configuration.shouldCompactOnLaunch = { _, _ in true }
      let compacted = Desk(configuration)
      #expect(compacted.work { LossScene.keyed($0)?.name } == "new 199")
      #expect(isLost(frozen!))
      compacted.leave()
      frozen = nil
      let again = Desk(configuration)
      #expect(again.work { LossScene.keyed($0)?.name } == "new 199")
      again.leave()
      #expect(try! Realm.deleteFiles(for: scene.configuration))
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `NOTIFY-12, NOTIFY-16: whoever is told of a change is told that it is lost`(
    isRead: Bool, isNew: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isRead = isRead as Bool, isNew = isNew as Bool] in
      let scene = LossScene()
      let ended = Bell()
      let told = Noted<String>()
      var tokens: [NotificationToken] = []
      scene.desk.work { realm in
        let eight = LossScene.keyed(realm, 8)!
        tokens = [
          eight.observe(keyPaths: ["name"]) { change in
            guard case .change(_, let properties) = change else { return told.add("gone") }
            told.add("object \(properties.map { $0.newValue as? String ?? "nothing" })")
          },
          eight.observe(keyPaths: ["id"]) { _ in told.add("id") },
          KeyedView(projecting: eight).observe { change in
            guard case .change(_, let properties) = change else { return told.add("gone") }
            told.add("view \(properties.map { $0.newValue as? String ?? "nothing" })")
          },
          realm.objects(Keyed.self).filter("name == 'kept'").observe { change in
            told.add("all " + change.brief)
          },
        ]
      }
      scene.desk.work { _ in }
      #expect(told.all == ["all initial"])
      told.clear()
      scene.desk.work { realm in
        realm.beginAsyncWrite {
          LossScene.keyed(realm, 8)!.name = "lost"
          realm.commitAsyncWrite(allowGrouping: true) { #expect($0 != nil) }
          realm.beginWrite()
          realm.create(Dog.self)
          realm.commitAsyncWrite { error in
            #expect(error != nil)
            ended.ring()
          }
          if isRead {
            scene.disks.fail(at: 0, .refused, sticky: true)
            #expect(LossScene.keyed(realm, 8)?.name == "kept")
            scene.disks.heal()
          }
        }
      }
      for _ in 0..<3 { scene.desk.work { _ in } }
      if !isRead { scene.disks.fail(at: 1, .refused, sticky: false) }
      scene.desk.work { realm in
        if isNew {
          scene.flush(of: realm)
          scene.other.commit { $0.create(Dog.self) }
          realm.refresh()
        }
      }
      if !isNew { scene.flushes.work() }
      #expect(ended.wait())
      for _ in 0..<3 { scene.desk.work { _ in } }
      #expect(
        told.all == [
          "object [\"lost\"]", "view [\"lost\"]", "all -[0] +[] ~[]", "object [\"kept\"]",
          "view [\"kept\"]", "all -[] +[0] ~[]",
        ])
      scene.desk.work { _ in for token in tokens { token.invalidate() } }
    }
  }

  // here                      another process
  // waits for the gate
  //                           seals what is lost, and freezes it
  //                           is killed in a write
  // writes
  @Test func `WRITE-33, COMMIT-16: who dies with what it has lost keeps neither gate nor space`()
    async throws
  {
    let scratch = Scratch()
    let desk = Desk(scratch.configuration([Keyed.self, Dog.self]))
    desk.commit { $0.create(Keyed.self, value: ["id": 7, "name": "first"]) }
    let (stop, through, written) = (Noted<Int>(), Bell(), Noted<Int>())
    DispatchQueue.global().async {
      while stop.all.isEmpty {
        desk.commit { LossScene.replace($0, "here \(written.all.count)") }
        written.add(1)
      }
      through.ring()
    }
    for _ in 0..<4 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = scratch.directory.path as String] in
        alarm(60)
        let (disks, flushes) = (FailingDisks(), HeldErrands())
        disks.install()
        Seams.given.schedulers = HeldSchedulers(flushes)
        let configuration = Realm.Configuration(
          fileURL: URL(fileURLWithPath: path + "/test.realm"),
          objectTypes: [Keyed.self, Dog.self])
        let (desk, third) = (Desk(configuration), Desk(configuration))
        var frozen: [Realm] = []
        for call in [0, 2, 2] {
          let (ended, begun) = (Bell(), Bell())
          desk.work { realm in
            realm.beginAsyncWrite {
              LossScene.replace(realm, "lost")
              for _ in 0..<200 { realm.create(Dog.self, value: ["name": "lost"]) }
              realm.commitAsyncWrite { error in
                precondition(error != nil)
                ended.ring()
              }
              let reference = ThreadSafeReference(to: LossScene.keyed(realm)!)
              third.work { other in
                precondition(other.resolve(reference)?.name == "lost")
                frozen.append(other.freeze())
              }
              begun.ring()
            }
          }
          precondition(begun.wait())
          desk.work { _ in }
          // In the file already, so that flushing the slot is the first call but one.
          disks.fail(at: call == 0 ? 0 : 1, .refused, sticky: false)
          flushes.work()
          precondition(ended.wait())
          disks.heal()
          for one in frozen { precondition(one.objects(Dog.self).count == 200) }
        }
        desk.work { realm in
          realm.beginWrite()
          realm.create(Dog.self, value: ["name": "lost"])
          kill(getpid(), SIGKILL)
        }
      }
      let before = written.all.count
      while written.all.count < before + 5 { await Task.yield() }
    }
    stop.add(1)
    #expect(through.wait())
    try desk.work { realm in
      #expect(LossScene.keyed(realm)?.name == "here \(written.all.count - 1)")
      #expect(realm.objects(Dog.self).isEmpty)
      let bytes = try realm.session.coordinator.disk.size()
      print("\(written.all.count) commits, \(bytes) bytes")
      #expect(bytes < 1 << 20)
      _ = try realm.session.coordinator.checkEverything()
    }
  }
}
