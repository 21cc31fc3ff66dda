import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// A listener that came to a queue in the middle of a write there was told at once, and saw what
/// was not committed: afterwards it was told of that again, as a change to what it had seen, or
/// never that the write had been cancelled.
@Suite struct OpenWriteArrivalTests {
  private let (desk, other): (Desk, Desk)
  private let told = Noted<String>()

  init() {
    let configuration = freshConfiguration()
    (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      realm.create(Person.self, value: ["name": "Ada", "dogs": [["name": "Rex"]]])
    }
  }

  private func note<C: RealmCollection>(_ name: String) -> (RealmCollectionChange<C>) -> Void {
    { [told] change in
      switch change {
      case .initial(let all): told.add("\(name) initial \(all.count)")
      case .update(let all, let deletions, let insertions, let modifications):
        told.add("\(name) -\(deletions) +\(insertions) ~\(modifications) \(all.count)")
      case .error: told.add("\(name) error")
      }
    }
  }

  /// Listens to Ada and her dogs where the other is home.
  private func listen() -> [NotificationToken] {
    desk.work { realm in
      let ada = realm.objects(Person.self)[0]
      return [
        ada.observe(on: other.queue) { [told] change in
          guard case .change(_, let properties) = change else { return told.add("\(change)") }
          told.add("object \(properties.map(\.name))")
        },
        ada.dogs.observe(on: other.queue, note("list")),
        realm.objects(Dog.self).observe(on: other.queue, note("results")),
        realm.objects(Dog.self).where { $0.name == "Bo" }.observe(on: other.queue, note("filter")),
      ]
    }
  }

  private func change(_ realm: Realm) {
    let ada = realm.objects(Person.self)[0]
    ada.name = "Eva"
    ada.dogs.insert(Dog(value: ["name": "Bo"]), at: 0)
    realm.create(Dog.self, value: ["name": "Bo"])
  }

  // desk                          other
  //                               begins a write, changes
  // listens on other
  //                               the listeners come
  //                               ends the write
  @Test(arguments: [true, false])
  func `NOTIFY-22: who comes in the middle of a write is told when it has ended`(isKept: Bool) {
    other.work { realm in
      realm.beginWrite()
      change(realm)
    }
    let tokens = listen()
    other.work { _ in }
    #expect(told.all == [])
    other.work { realm in
      if isKept { try? realm.commitWrite() } else { realm.cancelWrite() }
    }
    other.work { _ in }
    let dogs = isKept ? 3 : 1
    let first = [
      "list initial \(isKept ? 2 : 1)", "results initial \(dogs)", "filter initial \(dogs - 1)",
    ]
    #expect(told.all == (isKept ? ["object [\"name\", \"dogs\"]"] : []) + first)
    told.clear()
    desk.commit { $0.objects(Dog.self).last!.age = 7 }
    other.work { $0.refresh() }
    #expect(
      told.all
        == (isKept
          ? ["results -[] +[] ~[2] 3", "filter -[] +[] ~[1] 2"]
          : ["list -[] +[] ~[0] 1", "results -[] +[] ~[0] 1"]))
    for token in tokens { token.invalidate() }
  }

  // desk                          other                          a third
  // stays at version 1
  //                                                              commits version 2
  //                               begins a write on 2, changes
  // listens on other
  //                               the listener comes
  //                               cancels the write
  @Test func `NOTIFY-22: who comes from an older version in a write is told when it is cancelled`()
  {
    let third = Desk(desk.configuration)
    desk.work { $0.autorefresh = false }
    third.commit { $0.objects(Person.self)[0].age = 7 }
    other.work { realm in
      realm.beginWrite()
      change(realm)
    }
    let token = desk.work { realm in
      realm.objects(Person.self)[0].observe(on: other.queue) { [told] change in
        guard case .change(_, let properties) = change else { return told.add("\(change)") }
        told.add("object \(properties.map(\.name))")
      }
    }
    other.work { $0.cancelWrite() }
    other.work { _ in }
    #expect(told.all == ["object [\"age\"]"])
    token.invalidate()
  }

  @Test func `NOTIFY-22: who comes in a write without changes is told before them`() {
    other.work { $0.beginWrite() }
    let tokens = listen()
    other.work { _ in }
    other.work { realm in
      change(realm)
      try? realm.commitWrite()
    }
    other.work { _ in }
    #expect(
      told.all.suffix(4) == [
        "object [\"name\", \"dogs\"]", "list -[] +[0] ~[] 2", "results -[] +[1, 2] ~[] 3",
        "filter -[] +[0, 1] ~[] 2",
      ])
    for token in tokens { token.invalidate() }
  }

  /// What broke: only the end of a cancelled write was one, and who had come in a write whose
  /// commit then failed had no first call.
  @Test func `NOTIFY-22: who comes in the middle of a write that fails is told then`() async {
    await #expect(processExitsWith: .success) {
      let disks = FailingDisks()
      disks.install()
      let told = Noted<String>()
      // A disk can fail, and be waited for.
      let scratch = Scratch()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let (desk, other) = (Desk(configuration), Desk(configuration))
      other.work { realm in
        realm.beginWrite()
        realm.create(Dog.self, value: ["name": "Bo"])
      }
      let token = desk.work { realm in
        realm.objects(Dog.self).observe(on: other.queue) { change in
          if case .initial(let all) = change { told.add("initial \(all.count)") }
        }
      }
      other.work { _ in }
      #expect(told.all == [])
      other.work { realm in
        disks.all.last?.fail(at: 1, .refused, sticky: false)
        #expect(throws: (any Error).self) { try realm.commitWrite() }
        disks.all.last?.heal()
      }
      // It is told by work that is on its way there.
      other.work { _ in }
      #expect(told.all == ["initial 0"])
      token.invalidate()
    }
  }

  // a thread                    other                        desk
  // is in a write
  //                             begins one, waits
  // commits, waits for a flush  is in its write, on that
  //                                                          listens on other
  //                             the listener comes
  //                             cancels the write
  /// What broke: it was told at once in a write without changes, of what was not durable yet.
  @Test func `COMMIT-08: who comes into a write is told of what is durable`() async {
    await #expect(processExitsWith: .success) {
      Seams.bePatient()
      let told = Noted<String>()
      // A disk can fail, and be waited for.
      let scratch = Scratch()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let (desk, other) = (Desk(configuration), Desk(configuration))
      let isInside = DispatchSemaphore(value: 0)
      let thread = SharedWriteTests.firstWriter(configuration, isInside) { realm in
        realm.create(Dog.self, value: ["name": "Bo"])
        #expect(throws: Never.self) { try realm.commitWrite() }
      }
      isInside.wait()
      other.work { realm in
        realm.beginWrite()
        #expect(realm.objects(Dog.self).count == 1)
        #expect(realm.session.coordinator.newestVersion < realm.session.version!)
      }
      let token = desk.work { realm in
        realm.objects(Dog.self).observe(on: other.queue) { change in
          guard case .initial(let all) = change, let session = all.realm?.session else { return }
          let isDurable = session.coordinator.newestVersion >= session.version!
          told.add("initial \(all.count) \(isDurable)")
        }
      }
      other.work { _ in }
      #expect(told.all == ["initial 1 true"])
      other.work { $0.cancelWrite() }
      thread.join()
      token.invalidate()
    }
  }
}
