import Foundation
import Testing

@testable import ReferenceEngine

/// Listeners in whose begin a class gets the properties that its file lacks, though nothing of its
/// objects is changed.
@Suite struct LateColumnListenerTests {
  final class Young: Object {
    @Persisted var age: Int
    @Persisted var marks: MutableSet<Int>
    override class func _realmObjectName() -> String? { "LateThing" }
  }

  final class Grown: Object {
    @Persisted var age: Int
    @Persisted var marks: MutableSet<Int>
    @Persisted var born: Date
    @Persisted var price: Decimal128
    override class func _realmObjectName() -> String? { "LateThing" }
  }

  // home                             another
  //                                  commits
  // begins: a listener sets nothing
  // cancels, and writes
  // is told
  @Test(arguments: [false, true])
  func `NOTIFY-07: properties that come in a begin are no news, and not kept of a cancelled one`(
    isKept: Bool
  ) throws {
    let scratch = Scratch()
    func configuration(_ type: ObjectBase.Type?) -> Realm.Configuration {
      var configuration = scratch.configuration(type.map { [$0] })
      configuration.cache = false
      return configuration
    }
    let other = Desk(configuration(Young.self))
    other.commit { realm in
      for age in 0..<1200 { realm.create(Young.self, value: ["age": age, "marks": [1]]) }
    }
    let desk = Desk(configuration(nil))
    var ages: [Int] = []
    var tokens: [NotificationToken] = []
    try desk.work { realm in
      realm.autorefresh = false
      let things = realm.objects(Grown.self)
      var isDue = false
      tokens.append(
        things.observe { change in
          guard isDue, realm.isInWriteTransaction else { return }
          isDue = false
          things[0].marks.insert(1)
          #expect(!realm.session.hasChangesInWrite)
        })
      // Results of their own: of the same ones the first listener has found out what is told.
      tokens.append(
        realm.objects(Grown.self).observe { change in
          switch change {
          case .initial(let now): ages = now.map(\.age)
          case .update(let now, let deletions, let insertions, let modifications):
            let told = ToldPlaces(
              deletions: deletions, insertions: insertions, modifications: modifications)
            #expect(told.faults(from: ages, to: now.map(\.age), isSame: ==) == [])
            ages = now.map(\.age)
          case .error(let error): Issue.record(error)
          }
        })
      realm.refresh()
      for round in 0..<4 {
        other.commit { realm in
          realm.delete(realm.objects(Young.self)[300])
          realm.create(Young.self, value: ["age": 1000 + round, "marks": [1]])
        }
        isDue = true
        realm.beginWrite()
        #expect(!isDue)
        if isKept { try realm.commitWrite() } else { realm.cancelWrite() }
        try realm.write {
          for age in 0..<3000 { realm.create(Dog.self, value: ["name": "a dog", "age": -age]) }
          realm.delete(things.filter("age < \(250 * (round + 1))"))
        }
        realm.refresh()
        #expect(ages == Array(things.map(\.age)))
      }
      for token in tokens { token.invalidate() }
    }
  }
}
