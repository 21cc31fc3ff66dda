import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// What a block returns comes out of each call, of whatever type it is, and is usable then.
  static let valuesOfBlocks: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe("write hands over each kind of value, on \(kind.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try stage.stocked() }
      let home = RealmHome(kind)
      var realm: Realm! = try home.open(stage)
      try home.work {
        let token = realm.observe { _, _ in }
        for round in 1...2 {
          for silences in [false, true] {
            let tokens = silences ? [token] : []
            func write<Value>(_ block: () throws -> Value) throws -> Value {
              silences
                ? try realm.write(withoutNotifying: tokens, block)
                : try realm.write(block)
            }
            let what = "round \(round), silencing \(silences)"
            let mark = 10 * round + (silences ? 1 : 2)
            let nothing: Void = try write { realm.account(1).balance = mark }
            use(nothing)
            stage.equal(realm.account(1).balance, mark, "the balance, \(what)")
            let none: Int? = try write { nil }
            stage.equal(none, nil, "a value that is nil, \(what)")
            let pair = try write { (realm.account(1).balance, realm.account(2).id) }
            stage.expect(pair == (mark, 2), "two values, \(what)", observed: "\(pair)")
            let made = try write { realm.create(Account.self, value: ["id": 100 + mark]) }
            stage.equal(made.isInvalidated, false, "whether what was made is gone, \(what)")
            stage.equal(made.id, 100 + mark, "its number, \(what)")
            stage.equal(made.realm, realm, "its realm, \(what)")
            let results = try write { realm.objects(Account.self).where { $0.id > 100 } }
            try write { realm.account(2).balance = mark }
            stage.equal(results.where { $0.id == 100 + mark }.count, 1, "results, \(what)")
            let dogs = try write { () -> List<Dog> in
              realm.person("Ann").dogs[0].age = mark
              return realm.person("Ann").dogs
            }
            stage.equal(dogs[0].age, mark, "a list, \(what)")
            let later = try write { () -> () -> Int in { realm.account(1).balance } }
            stage.equal(later(), mark, "what a block returns, \(what)")
            // What ends its write itself returns its value, too.
            let committed = try write { () -> Int in
              realm.account(3).balance = mark
              try realm.commitWrite()
              return mark
            }
            stage.equal(committed, mark, "the value of one that has committed, \(what)")
            stage.equal(realm.account(3).balance, mark, "what it has committed, \(what)")
            let cancelled = try write { () -> Int in
              realm.account(3).balance = -1
              realm.cancelWrite()
              return mark + 1
            }
            stage.equal(cancelled, mark + 1, "the value of one that has cancelled, \(what)")
            stage.equal(realm.account(3).balance, mark, "what it has cancelled, \(what)")
            let inner = try write { try stage.elsewhere { 7 } + mark }
            stage.equal(inner, mark + 7, "a value from elsewhere, \(what)")
            stage.equal(realm.isInWriteTransaction, false, "whether it is still writing, \(what)")
            let seen = try stage.seen { ($0.account(1).balance, $0.account(3).balance) }
            stage.expect(seen == (mark, mark), "what others see, \(what)", observed: "\(seen)")
          }
        }
        token.invalidate()
        realm = nil
      }
    }
  }
}
