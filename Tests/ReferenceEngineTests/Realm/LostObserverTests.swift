import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// What a lost commit had added is told to be deleted where it was listened to, whoever is there in
/// its place.
@Suite struct LostObserverTests {
  /// Objects are found where they were sealed, or by another realm.
  private static func listen(
    _ elsewhere: Bool,
    to body: @escaping (Realm, @escaping (String) -> Void) -> [NotificationToken],
    seal: (Realm) -> Void, meanwhile: (Realm) -> Void
  ) -> [String] {
    let scene = LossScene()
    let (ended, third) = (Bell(), Desk(scene.configuration))
    third.work { realm in
      realm.autorefresh = false
      realm.refresh()
    }
    scene.seal(
      { realm in
        seal(realm)
        realm.create(Keyed.self, value: ["id": 9])
      }, ended: ended)
    let sealed = scene.desk.work { ThreadSafeReference(to: LossScene.keyed($0, 9)!) }
    let desk = elsewhere ? third : scene.desk
    var (told, tokens): ([String], [NotificationToken]) = ([], [])
    desk.work { realm in
      #expect(realm.resolve(sealed) != nil)
      tokens = body(realm) { told.append($0) }
    }
    desk.work { $0.refresh() }
    scene.lose({ scene.other.commit(meanwhile) }, ended: ended)
    return desk.work { realm in
      realm.refresh()
      for token in tokens { token.invalidate() }
      return told
    }
  }

  private static func words<T>(
    _ name: String, _ change: RealmCollectionChange<T>
  ) -> String {
    switch change {
    case .initial: "\(name) begin"
    case .update(_, let deletions, let insertions, let modifications):
      "\(name) \(deletions) \(insertions) \(modifications)"
    case .error(let error): "\(error)"
    }
  }

  /// Both versions have a 7, and no record tells that they are two: it was told as changed, and to
  /// tell how it had been stopped the process.
  @Test(arguments: [false, true])
  func `NOTIFY-16: what a lost commit had put in the place of another is deleted`(
    elsewhere: Bool
  ) async {
    await #expect(processExitsWith: .success) { [elsewhere = elsewhere as Bool] in
      let told = LostObserverTests.listen(elsewhere) { realm, tell in
        [LossScene.keyed(realm)!.observe { tell($0.brief) }]
      } seal: { realm in
        LossScene.replace(realm, "lost")
      } meanwhile: { realm in
        realm.create(Dog.self)
      }
      #expect(told == ["deleted"])
    }
  }

  /// The key of a row is given again when the commit is lost that gave it.
  @Test(arguments: [false, true])
  func `NOTIFY-07: whoever comes under the key of a lost object is another member`(
    elsewhere: Bool
  ) async {
    await #expect(processExitsWith: .success) { [elsewhere = elsewhere as Bool] in
      func add(_ name: String, _ realm: Realm) {
        realm.create(Person.self, value: ["name": name, "dogs": [["name": name]]])
      }
      let told = LostObserverTests.listen(elsewhere) { realm, tell in
        let person = realm.objects(Person.self)[0]
        return [
          person.dogs[0].observe { tell($0.brief) },
          realm.objects(Dog.self).observe { tell(LostObserverTests.words("all", $0)) },
          person.dogs.observe { tell(LostObserverTests.words("dogs", $0)) },
          person.dogs[0].owners.observe { tell(LostObserverTests.words("owners", $0)) },
          realm.objects(Person.self).observe(keyPaths: ["dogs.name"]) {
            tell(LostObserverTests.words("persons", $0))
          },
        ]
      } seal: { realm in
        add("lost", realm)
      } meanwhile: { realm in
        add("new", realm)
      }
      #expect(told.prefix(4) == ["all begin", "dogs begin", "owners begin", "persons begin"])
      #expect(
        told.dropFirst(4) == [
          "deleted", "all [1] [1] []", "dogs [0] [] []", "owners [0] [] []", "persons [0] [0] []",
        ])
    }
  }
}
