import EngineUnderTest

/// One listener of each kind: to a realm, to its accounts, to the first of them. Who is told is
/// written down by name.
final class Listeners {
  private(set) var told: [String] = []
  private var tokens: [NotificationToken] = []

  init(_ realm: Realm) {
    tokens = [
      realm.observe { [unowned self] _, _ in told.append("realm") },
      realm.objects(Account.self).observe { [unowned self] in
        if case .update = $0 { told.append("collection") }
      },
      realm.account(1).observe { [unowned self] _ in told.append("object") },
    ]
  }

  func end() { for token in tokens { token.invalidate() } }
}
