import Foundation
import Testing

@testable import ReferenceEngine

/// A first call that has many rows to look through is prepared elsewhere, so that the home can go
/// on. Whatever the home does meanwhile, the listener learns what is there, once, and all that
/// comes after it.
@Suite struct FirstCallTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Pebble.self, Cairn.self])
  private let worker = HeldErrands()
  private let told = Noted<String>()
  private let rows = Forecast.fewToSearch + 1

  private func desk() -> Desk {
    let desk = Desk(configuration)
    desk.work { $0.session.listeners?.worker = worker }
    return desk
  }

  private func fill(_ desk: Desk, with count: Int? = nil) {
    desk.commit { realm in
      for id in 0..<(count ?? rows) {
        realm.create(Pebble.self, value: ["id": id, "weight": id % 10])
      }
    }
  }

  /// Those of weight 9.
  private var heavy: Int { rows / 10 }

  private func listen(_ realm: Realm, as name: String = "") -> NotificationToken {
    realm.objects(Pebble.self).where { $0.weight > 8 }.observe { change in
      switch change {
      case .initial(let all): told.add(name + "initial \(all.count)")
      case .update(let all, let gone, let come, let changed):
        told.add(name + "-\(gone.count) +\(come.count) ~\(changed.count) of \(all.count)")
      case .error: told.add("error")
      }
    }
  }

  private func addHeavy(_ desk: Desk, id: Int) {
    desk.commit { $0.create(Pebble.self, value: ["id": id, "weight": 9]) }
  }

  @Test func `NOTIFY-05: the home tells what was found elsewhere, and asks nothing itself`() {
    let (desk, other) = (desk(), Desk(configuration))
    fill(other)
    let token = desk.work { realm in
      let heavy = realm.objects(Pebble.self).where { $0.weight > 8 }.sorted(by: \.name)
      return heavy.observe { [unowned state = heavy.state] change in
        guard case .initial(let all) = change else { return }
        told.add("\(all.count) \(state.found.answer != nil) \(state.found.condition == nil)")
      }
    }
    desk.work { _ in }
    #expect(told.all == [])
    #expect(worker.count == 1)
    worker.work()
    desk.work { _ in }
    #expect(told.all == ["\(heavy) true true"])
    #expect(worker.count == 0)
    token.invalidate()
  }

  @Test func `NOTIFY-05: what is committed while it is looked for is told after it, once`() {
    let (desk, other) = (desk(), Desk(configuration))
    fill(other)
    let token = desk.work { listen($0) }
    desk.work { _ in }
    // However much is committed, the home stays until all is found.
    for id in rows..<(rows + 3) {
      addHeavy(other, id: id)
      desk.work { _ in }
    }
    #expect(worker.count == 1)
    worker.work()
    desk.work { _ in }
    desk.work { _ in }
    #expect(told.all == ["initial \(heavy)", "-0 +3 ~0 of \(heavy + 3)"])
    token.invalidate()
  }

  @Test func `NOTIFY-05: few rows are looked through at home`() {
    let (desk, other) = (desk(), Desk(configuration))
    fill(other, with: 100)
    let token = desk.work { listen($0) }
    desk.work { _ in }
    #expect(worker.count == 0)
    #expect(told.all == ["initial 10"])
    token.invalidate()
  }

  @Test func `REFRESH-16: a refresh does not wait for it, and it is not told twice`() {
    let (desk, other) = (desk(), Desk(configuration))
    fill(other)
    let token = desk.work { listen($0) }
    desk.work { _ in }
    addHeavy(other, id: rows)
    desk.work { realm in
      #expect(realm.refresh())
      #expect(told.all == ["initial \(heavy)", "-0 +1 ~0 of \(heavy + 1)"])
    }
    worker.work()
    desk.work { _ in }
    #expect(told.all.count == 2)
    token.invalidate()
  }

  @Test func `NOTIFY-05: a write of the home's own tells it first`() {
    let (desk, other) = (desk(), Desk(configuration))
    fill(other)
    let token = desk.work { listen($0) }
    desk.work { _ in }
    desk.work { realm in
      realm.beginWrite()
      #expect(told.all == ["initial \(heavy)"])
      realm.create(Pebble.self, value: ["id": rows, "weight": 9])
      worker.work()
      try? realm.commitWrite()
    }
    desk.work { _ in }
    #expect(told.all == ["initial \(heavy)", "-0 +1 ~0 of \(heavy + 1)"])
    token.invalidate()
  }

  @Test func `NOTIFY-23: listeners come and go while it is looked for`() {
    let (desk, other) = (desk(), Desk(configuration))
    fill(other)
    let first = desk.work { listen($0, as: "first ") }
    desk.work { _ in }
    let second = desk.work { realm in
      first.invalidate()
      return listen(realm, as: "second ")
    }
    desk.work { _ in }
    worker.work()
    desk.work { _ in }
    worker.work()
    desk.work { _ in }
    #expect(told.all == ["second initial \(heavy)"])
    second.invalidate()
  }

  @Test func `GROW-11: a realm that is gone is not missed, and nothing stays pinned`() {
    let (desk, other) = (desk(), Desk(configuration))
    fill(other)
    var token: NotificationToken? = desk.work { listen($0) }
    desk.work { _ in }
    #expect(worker.count == 1)
    desk.work { _ in token?.invalidate() }
    token = nil
    desk.leave()
    worker.work()
    desk.queue.sync {}
    #expect(told.all == [])
    other.work { #expect($0.session.coordinator.activeVersionCount == 1) }
  }

  @Test func `NOTIFY-05: a realm that is invalidated meanwhile tells nobody`() {
    let (desk, other) = (desk(), Desk(configuration))
    fill(other)
    let token = desk.work { listen($0) }
    desk.work { _ in }
    desk.work { $0.invalidate() }
    worker.work()
    desk.work { _ in }
    #expect(told.all == [])
    token.invalidate()
  }
}
