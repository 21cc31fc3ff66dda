import EngineUnderTest
import Foundation
import Harness

/// Which property of each of several accounts, side by side, a write sets.
private struct Pattern: Sendable {
  let name: String
  /// The properties that the account at a place gets set.
  let sets: @Sendable (Int) -> Set<String>

  static let all = [
    Pattern(name: "in turns") { $0 % 2 == 0 ? ["balance"] : ["note"] },
    Pattern(name: "in turns, the other first") { $0 % 2 == 0 ? ["note"] : ["balance"] },
    Pattern(name: "the first alone otherwise") { $0 == 0 ? ["balance"] : ["note"] },
    Pattern(name: "halves") { $0 < 2 ? ["balance"] : ["note"] },
    Pattern(name: "every third both") {
      $0 % 3 == 0 ? ["balance", "note"] : $0 % 3 == 1 ? ["note"] : ["balance"]
    },
    Pattern(name: "every third none") {
      $0 % 3 == 0 ? [] : $0 % 3 == 1 ? ["balance"] : ["note"]
    },
    Pattern(name: "links among them") {
      $0 % 3 == 0 ? ["previous"] : $0 % 3 == 1 ? ["balance"] : ["note", "previous"]
    },
  ]

  func write(_ realm: Realm, _ count: Int, _ round: Int, isBackwards: Bool) {
    for place in isBackwards ? (0..<count).reversed() : Array(0..<count) {
      let account = realm.account(place)
      let names = sets(place)
      if names.contains("balance") { account.balance = 100 + round }
      if names.contains("note") { account.note = "round \(round)" }
      if names.contains("previous") {
        account.previous = realm.account((place + 1 + round) % max(count, 2) % count)
      }
    }
  }
}

extension Probe {
  /// One property here and another one there: each listener hears of its own.
  static let neighbours: [Probe] = [2, 3, 7, 70].flatMap { count in
    [false, true].map { isForeign in
      Probe(
        "of \(count) objects side by side each is told of the properties that were set in it"
          + (isForeign ? " elsewhere" : "")
      ) { stage in
        Backstage.hooks?.skipFlushes()
        let realm = try stage.open()
        realm.autorefresh = false
        try realm.write { for id in 0..<count { realm.add(Account(id: id)) } }
        let all = realm.objects(Account.self).sorted(byKeyPath: "id")
        var round = 0
        // One key path at a time: of several on one object the others may be told, too.
        for path in [nil, "balance", "note", "previous"] as [String?] {
          var told: [Int: Set<String>] = [:]
          var modified: Set<Int> = []
          var tokens = (0..<count).map { id in
            realm.account(id).observe(keyPaths: path.map { [$0] }) {
              (change: ObjectChange<Account>) in
              guard case .change(_, let properties) = change else { return }
              told[id, default: []].formUnion(properties.map(\.name))
            }
          }
          // What the objects link to are objects of the same class: without paths it is told, too.
          if let path {
            tokens.append(
              all.observe(keyPaths: [path]) {
                if case .update(_, _, _, let places) = $0 { modified.formUnion(places) }
              })
          }
          try stage.settle(realm)
          for pattern in Pattern.all {
            for isBackwards in [false, true] {
              round += 1
              (told, modified) = ([:], [])
              let now = round
              func write(_ realm: Realm) {
                pattern.write(realm, count, now, isBackwards: isBackwards)
              }
              if isForeign {
                try stage.foreign { write($0) }
                realm.refresh()
              } else {
                try realm.write { write(realm) }
              }
              try stage.settle(realm)
              let what = "\(pattern.name)\(isBackwards ? ", from the last on" : "")"
              let due = (0..<count).filter { place in
                path.map { pattern.sets(place).contains($0) } ?? !pattern.sets(place).isEmpty
              }
              stage.equal(
                told.keys.sorted(), due, "who hears of \(path ?? "all"): \(what)")
              for place in due where told[place] != nil {
                // A call for one property may name the others that were set with it.
                let names = told[place]!
                let isRight =
                  names.isSubset(of: pattern.sets(place))
                  && (path.map { names.contains($0) } ?? (names == pattern.sets(place)))
                stage.expect(
                  isRight, "\(pattern.sets(place).sorted()) told of \(place): \(what)",
                  observed: "\(names.sorted())")
              }
              if path != nil {
                stage.equal(modified.sorted(), due, "the modified by \(path ?? ""): \(what)")
              }
            }
          }
          for token in tokens { token.invalidate() }
        }
      }
    }
  }
}
