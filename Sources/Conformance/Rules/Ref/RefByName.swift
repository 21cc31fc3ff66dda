import EngineUnderTest
import Foundation

/// References to objects that are known by the name of their class alone, and to results of them.
enum RefByName {
  static let probe = Probe("what was found by its class's name crosses by reference") { stage in
    let realm = try stage.stocked()
    guard let keyed = realm.dynamicObject(ofType: "Account", forPrimaryKey: 1),
      let keyless = realm.dynamicObjects("Person").first
    else { return stage.fail(expected: "an account and a person", observed: "one is missing") }
    let name = keyless.value(forKey: "name") as? String
    let references = (
      ThreadSafeReference(to: keyed), ThreadSafeReference(to: keyless),
      ThreadSafeReference(to: realm.dynamicObjects("Dog"))
    )
    try stage.elsewhere {
      let other = try stage.open()
      let account = other.resolve(references.0)
      stage.equal(account?.value(forKey: "balance") as? Int, 100, "the account's balance")
      stage.equal(
        other.resolve(references.1)?.value(forKey: "name") as? String, name, "the person's name")
      stage.equal(other.resolve(references.2)?.count, 6, "how many dogs there are")
      try other.write { account?.setValue(7, forKey: "balance") }
    }
    realm.refresh()
    stage.equal(realm.account(1).balance, 7, "what was set through the reference")
  }
}
