import EngineUnderTest
import Foundation

extension Probe {
  /// Whoever was found before is kept, so that nothing is found anew for want of a holder.
  static let lookupsInWrites = Probe("each way to look for a key finds what the write has") {
    stage in
    let realm = try stage.stocked()
    let ways: [(String, (Realm) -> Object?)] = [
      ("object(ofType:forPrimaryKey:)", { $0.object(ofType: Account.self, forPrimaryKey: 1) }),
      ("dynamicObject", { $0.dynamicObject(ofType: "Account", forPrimaryKey: 1) }),
      ("a filter", { $0.objects(Account.self).filter("id == 1").first }),
      ("dynamicObjects", { $0.dynamicObjects("Account").filter("id == 1").first }),
    ]
    var kept: [Object] = []
    for (name, find) in ways {
      func look(_ wanted: Int?, _ when: String) {
        for _ in 0..<2 {
          let found = find(realm)
          if let found { kept.append(found) }
          stage.equal(found?.value(forKey: "balance") as? Int, wanted, "what \(name) finds \(when)")
        }
      }
      for isCancelled in [true, false] {
        look(100, "before")
        realm.beginWrite()
        look(100, "in a write")
        realm.account(1).balance = 7
        look(7, "after a change")
        realm.delete(realm.account(1))
        look(nil, "after a deletion")
        realm.add(Account(id: 1, balance: 9))
        look(9, "when another one has come")
        realm.delete(realm.account(1))
        look(nil, "after another deletion")
        if isCancelled {
          realm.cancelWrite()
          look(100, "after a cancel")
        } else {
          try realm.commitWrite()
          look(nil, "after a commit")
          try realm.write { realm.add(Account(id: 1, balance: 100)) }
        }
      }
    }
  }
}
