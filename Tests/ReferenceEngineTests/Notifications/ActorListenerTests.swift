import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

private actor Listener {
  /// Looks at the actor's realm, which is told first.
  func come() {}
}

extension RealmMapChange {
  /// Whether it is the first that is told.
  fileprivate var isInitial: Bool { if case .initial = self { true } else { false } }
}
extension SectionedResultsChange {
  /// Whether it is the first that is told.
  fileprivate var isInitial: Bool { if case .initial = self { true } else { false } }
}

@Suite struct `Listeners on actors` {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString,
    objectTypes: [Dog.self, Person.self, Everything.self, Address.self])

  @MainActor @Test func `ACTOR-29, ACTOR-33: maps and sections are observed on actors`()
    async throws
  {
    let realm = try await Realm(configuration: configuration)
    let (dog, owner) = try await realm.asyncWrite {
      let owner = realm.create(Everything.self)
      owner.linkMap["me"] = owner
      return (realm.create(Dog.self, value: ["name": "Rex", "age": 3]), owner)
    }
    let (listener, told) = (Listener(), Noted<String>())
    @Sendable func note(_ name: String, _ isInitial: Bool, _ actor: Listener) {
      actor.assertIsolated()
      told.add("\(name)\(isInitial ? "" : " changed")")
    }
    let (map, sections) = (owner.linkMap, realm.objects(Dog.self).sectioned(by: \.age))
    let tokens = [
      await map.observe(on: listener) { note("map", $1.isInitial, $0) },
      await map.observe(keyPaths: ["int"], on: listener) { note("map, named", $1.isInitial, $0) },
      await map.observe(keyPaths: [\Everything.int], on: listener) {
        note("map, typed", $1.isInitial, $0)
      },
      await sections.observe(on: listener) { note("sections", $1.isInitial, $0) },
      await sections.observe(keyPaths: ["name"], on: listener) {
        note("sections, named", $1.isInitial, $0)
      },
      await sections.observe(keyPaths: [\Dog.name], on: listener) {
        note("sections, typed", $1.isInitial, $0)
      },
      await sections[0].observe(on: listener) { note("section", $1.isInitial, $0) },
      await sections[0].observe(keyPaths: ["name"], on: listener) {
        note("section, named", $1.isInitial, $0)
      },
      await sections[0].observe(keyPaths: [\Dog.name], on: listener) {
        note("section, typed", $1.isInitial, $0)
      },
    ]
    let all = [
      "map", "map, named", "map, typed", "sections", "sections, named", "sections, typed",
      "section", "section, named", "section, typed",
    ]
    #expect(told.all == all)
    try await realm.asyncWrite {
      owner.string = "of no interest to two"
      dog.owners.first?.name = "of no interest"
    }
    while told.all.count < all.count + 1 { await listener.come() }
    try await realm.asyncWrite {
      owner.int = 1
      dog.name = "Max"
    }
    while told.all.count < 2 * all.count + 1 { await listener.come() }
    #expect(told.all == all + ["map changed"] + all.map { "\($0) changed" })
    for token in tokens { token.invalidate() }
  }

  @Test func `ACTOR-33: maps are observed by typed key paths on queues`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { realm in
      let owner = realm.create(Everything.self)
      owner.linkMap["me"] = owner
    }
    let told = Noted<String>()
    let token = desk.work { realm in
      realm.objects(Everything.self)[0].linkMap.observe(
        keyPaths: [\Everything.int], on: other.queue
      ) { told.add($0.isInitial ? "initial" : "changed") }
    }
    other.work { _ in }
    desk.commit { $0.objects(Everything.self)[0].string = "of no interest" }
    other.work { $0.refresh() }
    desk.commit { $0.objects(Everything.self)[0].int = 1 }
    other.work { $0.refresh() }
    #expect(told.all == ["initial", "changed"])
    token.invalidate()
  }

  // queue                            elsewhere
  // is busy
  //                                  migrates
  // gets the realm
  @Test func `LIFE-19: asyncOpen migrates the file elsewhere`() throws {
    let scratch = Scratch()
    _ = try Realm(configuration: scratch.configuration([Dog.self]))
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "callback")
    queue.setSpecific(key: key, value: true)
    let (migrated, opened, order) = (Bell(), Bell(), Noted<String>())
    queue.async { order.add(migrated.wait() ? "migrated meanwhile" : "waited in vain") }
    let configuration = scratch.configuration([Dog.self], version: 1) { _, _ in
      order.add(DispatchQueue.getSpecific(key: key) == nil ? "elsewhere" : "on the queue")
      migrated.ring()
    }
    Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
      order.add("opened \((try? result.get()) != nil)")
      opened.ring()
    }
    #expect(opened.wait())
    #expect(order.all == ["elsewhere", "migrated meanwhile", "opened true"])
  }

  @Test func `listeners whose actor is gone are ended from many threads`() async throws {
    for _ in 0..<20 {
      let tokens = try await listened()
      try await apart {
        DispatchQueue.concurrentPerform(iterations: 4) { part in
          for index in tokens.indices where index % 4 == part { tokens[index].invalidate() }
        }
      }
    }
  }

  /// Many listeners of an actor that nobody keeps.
  @MainActor private func listened() async throws -> [NotificationToken] {
    let realm = try await Realm(configuration: configuration)
    let (dogs, listener) = (realm.objects(Dog.self), Listener())
    var tokens: [NotificationToken] = []
    for _ in 0..<400 { tokens.append(await dogs.observe(on: listener) { _, _ in }) }
    return tokens
  }
}
