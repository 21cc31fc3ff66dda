import EngineUnderTest
import Foundation
import Harness

/// What a listener does in its call before it asks for a refresh there.
private enum Prelude: String, CaseIterable {
  case nothing = "at once"
  case endsItself = "having ended itself"
  case endsAll = "having ended all listeners"
  case addsAnother = "having added another listener"
  case replacesAll = "having replaced all listeners"
}

extension Probe {
  /// Refreshes in the calls of listeners of each kind, as the only one or beside others.
  static let refreshesInCalls: [Probe] = [
    "a realm", "a collection", "a filter", "an object", "a list", "a map", "sections",
  ].map { kind in
    Probe("a refresh in the call of a listener of any kind does nothing: \(kind)") { stage in
      for prelude in Prelude.allCases {
        for isAlone in [true, false] {
          for byItself in [false, true] {
            let file = "\(prelude) \(isAlone) \(byItself)"
            let what =
              "\(prelude.rawValue)\(isAlone ? ", alone" : "")\(byItself ? ", in the loop" : "")"
            let realm = try stage.stocked(file)
            let all = try realm.write { realm.create(Everything.self) }
            realm.autorefresh = byItself
            let account = realm.account(1)
            var tokens: [NotificationToken] = []
            var (calls, isReady) = (0, false)
            var (answers, seen): ([Bool], [Int]) = ([], [])
            func end() {
              for token in tokens { token.invalidate() }
              tokens = []
            }
            func call() {
              calls += 1
              guard isReady, calls == 1 else { return }
              do { try stage.foreign(file) { $0.account(1).balance = 8 } } catch {
                stage.fail(expected: "a commit", observed: "\(error)")
              }
              switch prelude {
              case .nothing: break
              case .endsItself: tokens[0].invalidate()
              case .endsAll: end()
              case .addsAnother: tokens.append(realm.observe { _, _ in })
              case .replacesAll:
                end()
                tokens.append(realm.observe { _, _ in })
              }
              answers.append(realm.refresh())
              seen.append(account.balance)
            }
            func listen() -> NotificationToken {
              switch kind {
              case "a realm": return realm.observe { _, _ in call() }
              case "a collection":
                return realm.objects(Account.self).observe { if case .update = $0 { call() } }
              case "a filter":
                return realm.objects(Account.self).where { $0.id == 1 }.observe {
                  if case .update = $0 { call() }
                }
              case "an object": return account.observe { _ in call() }
              case "a list":
                return realm.person("Ann").dogs.observe { if case .update = $0 { call() } }
              case "a map": return all.scores.observe { if case .update = $0 { call() } }
              default:
                return realm.objects(Account.self).sectioned(by: \.note).observe {
                  if case .update = $0 { call() }
                }
              }
            }
            tokens.append(listen())
            if !isAlone {
              tokens.append(realm.observe { _, _ in })
              tokens.append(realm.objects(Account.self).observe { _ in })
            }
            try stage.settle(realm)
            (calls, isReady) = (0, true)
            try stage.foreign(file) { realm in
              realm.account(1).balance = 7
              realm.person("Ann").dogs[0].age = 7
              realm.person("Ann").dogs.append(Dog(name: "new"))
              realm.objects(Everything.self)[0].scores["a"] = 7
            }
            if byItself {
              try stage.spin(until: { calls > 0 }, "the call")
            } else {
              stage.equal(realm.refresh(), true, "whether the refresh advanced")
            }
            stage.equal(answers, [false], "the answer in the call, \(what)")
            stage.equal(seen, [7], "the balance in the call, \(what)")
            realm.refresh()
            stage.equal(account.balance, 8, "the balance in the end, \(what)")
            end()
          }
        }
      }
    }
  }
}
