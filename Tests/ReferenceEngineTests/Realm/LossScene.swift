import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

class KeyOnly: Object {
  @Persisted(primaryKey: true) var id: Int
}

/// A realm that seals what the disk does not take, and others.
struct LossScene {
  let scratch = Scratch()
  let disks = FailingDisks()
  let flushes = HeldErrands()
  let configuration: Realm.Configuration
  let desk: Desk
  let other: Desk

  init(spare: HeldErrands? = nil) {
    alarm(60)
    disks.install()
    Seams.given.schedulers = HeldSchedulers(flushes, spare: spare)
    configuration = scratch.configuration([
      Keyed.self, Dog.self, Person.self, KeyOnly.self,
    ])
    desk = Desk(configuration)
    other = Desk(configuration)
    other.commit { realm in
      realm.create(Keyed.self, value: ["id": 7, "name": "old"])
      realm.create(Keyed.self, value: ["id": 8, "name": "kept"])
      realm.create(Dog.self, value: ["name": "Rex"])
    }
    for desk in [desk, other] {
      desk.work { realm in
        realm.autorefresh = false
        realm.refresh()
      }
    }
  }

  /// Seals a write that will be lost.
  func seal(_ body: (Realm) -> Void, ended: Bell) {
    desk.work { realm in
      realm.beginWrite()
      body(realm)
      realm.commitAsyncWrite { error in
        #expect(error != nil)
        ended.ring()
      }
    }
  }

  /// Ends a group with a write of its own, which is lost or kept with the others.
  static func endGroup(of realm: Realm, areLost: Bool, _ ended: Bell) {
    realm.beginAsyncWrite {
      realm.create(Dog.self)
      realm.commitAsyncWrite { error in
        #expect((error != nil) == areLost)
        ended.ring()
      }
    }
  }

  /// Loses what is sealed, and lets something happen before its realm hears of it.
  func lose(_ meanwhile: () -> Void, ended: Bell) {
    disks.fail(at: 0, .refused, sticky: false)
    desk.work { _ in
      let flushes = flushes
      DispatchQueue.global().async { flushes.work() }
      meanwhile()
    }
    #expect(ended.wait())
  }

  /// Brings what is sealed to the disk on another thread, and returns when that is through, or
  /// lost: its home has not been told.
  func flush(of realm: Realm) {
    let (flushes, file) = (flushes, realm.session.coordinator)
    DispatchQueue.global().async { flushes.work() }
    while file.hasWriter { sched_yield() }
  }

  static func keyed(_ realm: Realm, _ id: Int = 7) -> Keyed? {
    realm.object(ofType: Keyed.self, forPrimaryKey: id)
  }

  static func replace(_ realm: Realm, _ name: String) {
    if let old = keyed(realm) { realm.delete(old) }
    realm.create(Keyed.self, value: ["id": 7, "name": name])
  }
}
