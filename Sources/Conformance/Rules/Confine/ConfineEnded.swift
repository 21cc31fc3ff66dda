import EngineUnderTest
import Foundation

/// What is of a thread that has ended: it is at home nowhere, and refused everywhere.
enum ConfineEnded {
  private typealias Use = (name: String, prepare: @Sendable (Realm) -> () -> Void)

  private static let ofRealms: [Use] = [
    ("a realm's objects", { realm in { use(realm.objects(Account.self).count) } }),
    (
      "a look-up",
      { realm in { use(realm.object(ofType: Account.self, forPrimaryKey: 1) == nil) } }
    ),
    ("a begin of a write", { realm in { realm.beginWrite() } }),
    ("a refresh", { realm in { realm.refresh() } }),
    ("its autorefresh", { realm in { realm.autorefresh = false } }),
    ("an invalidation", { realm in { realm.invalidate() } }),
  ]

  private static let ofObjects: [Use] = [
    (
      "a number of an object",
      { realm in
        let account = realm.account(1)
        return { use(account.balance) }
      }
    ),
    (
      "a text of an object",
      { realm in
        let ann = realm.person("Ann")
        return { use(ann.name) }
      }
    ),
    (
      "a link of an object",
      { realm in
        let ann = realm.person("Ann")
        return { use(ann.best) }
      }
    ),
    (
      "a list's count",
      { realm in
        let dogs = realm.person("Ann").dogs
        return { use(dogs.count) }
      }
    ),
    (
      "results",
      { realm in
        let grown = realm.objects(Person.self).filter("age > 35")
        return { use(grown.first) }
      }
    ),
  ]

  static let realms = ofRealms.map(probe)
  static let objects = ofObjects.map(probe)

  private static func probe(_ name: String, _ prepare: @escaping @Sendable (Realm) -> () -> Void)
    -> Probe
  {
    .dies("\(name), of a thread that has ended", saying: Words.wrongThread) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let asked = try EndedThread.made {
        let use = prepare(try stage.open())
        use()
        return prepare(try stage.open())
      }
      stage.act { asked() }
    }
  }
}

/// A thread that is waited for until the system has ended it, with all that hung on it.
private final class EndedThread: @unchecked Sendable {
  // Sendable because the thread's start and its end order all that touches it.
  private let body: () throws -> () -> Void
  private var made: Result<() -> Void, any Error>?

  private init(_ body: @escaping () throws -> () -> Void) { self.body = body }

  private func main() { made = Result { try body() } }

  static func made(_ body: @escaping () throws -> () -> Void) throws -> () -> Void {
    var thread = pthread_t()
    let one = EndedThread(body)
    let context = Unmanaged.passRetained(one).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<EndedThread>.fromOpaque(context).takeRetainedValue().main() }
        return nil
      }, context)
    pthread_join(thread, nil)
    guard let made = one.made else { throw CancellationError() }
    return try made.get()
  }
}
