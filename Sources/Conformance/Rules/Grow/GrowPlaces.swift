import EngineUnderTest
import Foundation
import Harness

/// Ways to keep a version that follow one another: whatever was kept before, what is kept now
/// counts.
enum Places {
  /// Something that keeps, or names, what a realm shows.
  private enum Kind: String, CaseIterable {
    case frozenRealm = "frozen realms"
    case frozenObject = "frozen objects"
    case frozenResults = "frozen results"
    case frozenList = "frozen lists"
    case realm = "realms of queues"
    case reference = "references"
    case referenceToResults = "references to results"
    case referenceToFrozen = "references to frozen objects"
    case variable = "variables for all threads"
    case listener = "listeners"
    case thawed = "thawed objects"
    case dropped = "frozen realms that were dropped"

    /// Whether a version counts as long as this is kept.
    var counts: Bool {
      switch self {
      case .frozenRealm, .frozenObject, .frozenResults, .frozenList, .realm: true
      default: false
      }
    }

    func keep(_ realm: Realm, before: Account?) throws -> Any {
      let account = realm.account(1)
      switch self {
      case .frozenRealm: return realm.freeze()
      case .frozenObject: return account.freeze()
      case .frozenResults: return realm.objects(Account.self).freeze()
      case .frozenList: return realm.person("Ann").dogs.freeze()
      case .reference: return ThreadSafeReference(to: account)
      case .referenceToResults: return ThreadSafeReference(to: realm.objects(Account.self))
      case .referenceToFrozen: return ThreadSafeReference(to: before ?? account.freeze())
      case .variable: return ThreadSafe(wrappedValue: account)
      case .listener: return realm.objects(Account.self).observe { _ in }
      case .thawed: return account.freeze().thaw() as Any
      case .dropped: return realm.freeze().account(1).balance
      case .realm:
        let (configuration, queue) = (realm.configuration, DispatchQueue(label: "home"))
        return try queue.sync {
          let own = try Realm(configuration: configuration, queue: queue)
          own.autorefresh = false
          use(own.account(1).balance)
          return own
        }
      }
    }
  }

  static let probes: [Probe] = Kind.allCases.map { former in
    Probe("behind \(former.rawValue) that were let go, or not, each that keeps a version counts") {
      stage in
      Backstage.hooks?.skipFlushes()
      let limit = 3
      var configuration = stage.configuration()
      configuration.maximumNumberOfActiveVersions = UInt(limit)
      let realm = try Realm(configuration: configuration)
      try realm.write { Stage.stock(realm) }
      var number = 0
      /// Whether there was a write.
      func write() throws -> Bool {
        number += 1
        var refused: Bool?
        realm.writeAsync { [number] in
          realm.account(1).balance = number
        } onComplete: {
          refused = $0 != nil
        }
        try stage.spin(until: { refused != nil }, "the completion of write \(number)")
        return refused == false
      }
      /// Who reads records on behalf of others keeps a version for a moment.
      func writes(_ what: String) throws {
        try stage.spin(until: { (try? write()) == true }, what)
      }
      for later in Kind.allCases where later.counts {
        for staysFrozen in [false, true] {
          // One after the other, and then some at once, with commits between.
          var frozen: Account? = realm.account(1).freeze()
          for _ in 0..<2 {
            try writes("a write before \(former.rawValue)")
            let one = try former.keep(realm, before: frozen)
            withExtendedLifetime(one) {}
          }
          var some: [Any] = [try former.keep(realm, before: frozen)]
          try writes("a write behind \(former.rawValue)")
          some.append(try former.keep(realm, before: frozen))
          if !staysFrozen { frozen = nil }
          some = []
          try writes("a write behind \(former.rawValue) that were let go")
          frozen = nil
          try writes("a write behind all of these")

          var held: [Any] = []
          let what = "\(later.rawValue) behind \(former.rawValue)"
          for count in 1...limit {
            held.append(try later.keep(realm, before: nil))
            try writes("a write with \(count) \(what)")
          }
          var refusals = 0
          for _ in 0..<3 where try !write() { refusals += 1 }
          stage.equal(refusals, 3, "how many writes were refused beyond the limit: \(what)")
          held = []
          try writes("a write when \(what) are let go")
        }
      }
    }
  }
}
