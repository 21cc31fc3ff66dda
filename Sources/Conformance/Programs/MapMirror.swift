import EngineUnderTest

/// Listens to a map.
final class MapMirror<V: Worthy & RealmCollectionValue>: Mirror {
  private let name: String
  /// On another actor it is the copy that is told there.
  private var map: Map<String, V>
  private(set) var token: NotificationToken?
  private var copy: [String: Worth]?
  private var wrong: String?

  init(_ name: String, _ map: Map<String, V>) {
    (self.name, self.map) = ("a listener of \(name)", map)
  }

  func listen() {
    token = map.observe { [unowned self] change in take(change) }
  }

  func listen(on actor: Keeper, isolation: isolated (any Actor)?) async {
    let mirror = Smuggling(self)
    token = await map.observe(on: actor, _isolation: isolation) { actor, change in
      actor.assertIsolated()
      mirror.value.takeCopy(change)
    }
  }

  private func takeCopy(_ change: RealmMapChange<Map<String, V>>) {
    if case .initial(let all) = change { map = all }
    take(change)
  }

  var hasBegun: Bool { copy != nil }

  func skip(_ state: WideState) { copy = Self.entries(map) }

  func end() {
    token?.invalidate()
    token = nil
  }

  private static func entries(_ map: Map<String, V>) -> [String: Worth] {
    map.isInvalidated ? [:] : Dictionary(map.map { ($0.key, $0.value.worth) }) { $1 }
  }

  private func take(_ change: RealmMapChange<Map<String, V>>) {
    switch change {
    case .initial(let all): copy = Self.entries(all)
    case .update(let all, let deletions, let insertions, let modifications):
      let now = Self.entries(all)
      guard let before = copy else {
        wrong = "\(name) was told of a change before the beginning"
        return
      }
      var keys = Set(before.keys).subtracting(deletions).union(insertions)
      if keys != Set(now.keys) || !Set(deletions).isSubset(of: before.keys) {
        wrong = "\(name) was told of the keys \(keys.sorted()), not \(now.keys.sorted())"
      }
      keys.subtract(Set(insertions).union(modifications))
      if let key = keys.first(where: { before[$0] != now[$0] }) {
        wrong = "\(name) was not told of the new value of '\(key)'"
      }
      copy = now
    case .error(let error): wrong = "\(name) was told of \(error)"
    }
  }

  func complaint(_ finder: Finder, _ touched: Touched) -> String? {
    if let wrong { return wrong }
    let now = Self.entries(map)
    return copy == now
      ? nil
      : "\(name) was told of \((copy ?? [:]).mapValues(\.words)), not \(now.mapValues(\.words))"
  }
}
