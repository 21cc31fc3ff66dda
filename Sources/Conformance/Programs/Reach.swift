import EngineUnderTest

/// What of the objects that one leads to counts as its change.
enum Reach {
  /// What surely has changed for whoever listens to a row, with key paths or without; nil if
  /// nothing surely has.
  static func change(
    of birth: Int, from base: WideState, to now: WideState, _ keyPaths: [String]?
  ) -> String? {
    guard let was = base.rows[birth], let row = now.rows[birth] else { return nil }
    for (place, member) in row.kind.members.enumerated() {
      let path = keyPaths?.first { $0.split(separator: ".")[0] == member.name }
      if keyPaths != nil, path == nil { continue }
      if was.contents[place] != row.contents[place] { return "\(member.name) changed" }
      // Of a class without links to others realm-core looks at no link at all.
      if keyPaths == nil, !Engine.offersReins { continue }
      if let path, !path.contains(".") { continue }
      for target in row.contents[place].targets {
        guard let before = base.rows[target], let after = now.rows[target] else { continue }
        let isChanged =
          path == nil ? before.contents != after.contents : before.contents[2] != after.contents[2]
        if isChanged { return "\(member.name) leads to row \(target), which changed" }
      }
    }
    return nil
  }

  /// Whether anything that a row leads to was set, or came, or went.
  static func mayChange(_ birth: Int, _ state: WideState, _ touched: Touched) -> Bool {
    var seen: Set<Int> = [birth]
    var waiting = [birth]
    while let one = waiting.popLast() {
      if touched.since[one] != nil { return true }
      guard let row = state.rows[one] else { continue }
      for content in row.contents {
        for target in content.targets where seen.insert(target).inserted { waiting.append(target) }
      }
    }
    return false
  }
}
