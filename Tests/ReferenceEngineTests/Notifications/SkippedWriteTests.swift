import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// A write that a listener is not to be told of took along what others committed between it and the
/// realm's step to it: the listener never heard of that. What others commit is another step.
@Suite struct SkippedWriteTests {
  @Test func `NOTIFY-30: what others commit at once after a skipped write is told`() throws {
    let configuration = freshConfiguration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let told = Noted<String>()
    var token: NotificationToken?
    let quick = Atomic(0)
    let here = DispatchSpecificKey<Bool>()
    desk.queue.setSpecific(key: here, value: true)
    let ear = desk.work { realm in
      token = realm.objects(Keyed.self).observe { change in
        if case .update(let all, let gone, let come, let changed) = change {
          told.add("-\(gone) +\(come) ~\(changed) of \(all.count)")
        }
      }
      // Between a commit and the next thing that its realm does.
      return realm.session.coordinator.listen { _ in
        if DispatchQueue.getSpecific(key: here) == true,
          quick.compareExchange(expected: 1, desired: 2, ordering: .relaxed).exchanged
        {
          other.commit { $0.create(Keyed.self, value: ["id": 1]) }
        }
      }
    }
    desk.work { _ in }
    quick.store(1, ordering: .relaxed)
    try desk.work { realm in
      realm.beginWrite()
      realm.create(Keyed.self, value: ["id": 2])
      try realm.commitWrite(withoutNotifying: [token].compactMap(\.self))
      #expect(realm.objects(Keyed.self).map(\.id) == [2])
    }
    desk.work { _ in }
    #expect(told.all == ["-[] +[0] ~[] of 2"])
    desk.commit { $0.create(Keyed.self, value: ["id": 3]) }
    desk.work { _ in }
    #expect(told.all.last == "-[] +[2] ~[] of 3")
    desk.work { realm in
      realm.session.coordinator.unlisten(ear)
      token?.invalidate()
    }
  }
}
