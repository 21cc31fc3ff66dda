import EngineUnderTest
import Foundation
import Harness

// Where realms are, and what is frozen of them.
extension WideRun {
  /// Lets the loop of the thread bring the realm to the newest version.
  func spin(_ realm: Realm) throws -> String? {
    if isWriting || !Engine.offersReins { return nil }
    realm.autorefresh = true
    defer { realm.autorefresh = false }
    // A write says by its number that the realm has come to it.
    let sign = nextBirth()
    try queue.sync {
      guard let other = there?.realm else { return }
      try other.write { _ = other.create(Keyless.self, value: ["birth": sign, "key": sign]) }
    }
    newest.add(sign, .keyless, .int(sign), Kind.keyless.members.map(\.blank))
    there?.state = newest
    touched.add(sign, all: Kind.keyless)
    touched.commit()
    let limit = ContinuousClock.now + patience
    while Keyless.find(.int(sign), sign, Finder(realm: realm, state: newest)) == nil {
      if ContinuousClock.now > limit { return "the realm does not come to what was committed" }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
    }
    here?.state = newest
    return attended()
  }

  func reopen() throws {
    for mirror in mirrors { mirror.end() }
    realmToken?.invalidate()
    (mirrors, realmToken, letters, variables, here) = ([], nil, [], [], nil)
    keepsakes.removeAll { $0.frozenState == nil }
    touched.forget()
    try open()
  }

  /// Takes all objects of the realm, and rolls back a write that is open.
  func invalidate(_ realm: Realm) -> String? {
    realm.invalidate()
    // The next read chooses the version.
    if realm.isEmpty != newest.rows.isEmpty { return "isEmpty is wrong after invalidate()" }
    isWriting = false
    touched.cancel()
    here?.state = newest
    for keepsake in keepsakes where keepsake.frozenState == nil && keepsake.held.tellsItsEnd {
      if !keepsake.held.isInvalidated { return "\(keepsake.held.name) outlives invalidate()" }
    }
    keepsakes.removeAll { $0.frozenState == nil }
    // Whether listeners of what is gone are told more is nowhere said.
    for mirror in mirrors { mirror.end() }
    realmToken?.invalidate()
    (mirrors, realmToken) = ([], nil)
    touched.forget()
    return nil
  }

  func freeze(_ realm: Realm, _ act: WideProgram.Act) {
    guard let here else { return }
    // In a write it is the version before that is frozen.
    let state = isWriting ? newest : here.state
    switch act.value % 3 {
    case 0:
      if frozen.count == WideRun.mostFrozen { frozen.removeFirst() }
      frozen.append(
        Reader(name: "what \(act.text) froze", realm: realm.freeze(), state: state))
    default:
      let all = keepsakes.filter {
        $0.frozenState == nil && $0.held.isThere(in: state) && $0.held.isThere(in: here.state)
          && (!isWriting || $0.held.tellsItsEnd)
      }
      guard !all.isEmpty else { return }
      keep(Keepsake(held: all.oneOfTheLast(act.member).held.frozen(), frozenState: state))
    }
  }

  func letGo(_ act: WideProgram.Act) {
    if act.value % 2 == 0, !frozen.isEmpty {
      frozen.remove(at: act.value % frozen.count)
    } else if !keepsakes.isEmpty {
      keepsakes.remove(at: act.member % keepsakes.count)
    }
  }
}
