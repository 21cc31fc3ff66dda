import EngineUnderTest
import Harness

extension WideRun {
  /// More rows than these are looked at here and there only.
  private static let most = 14

  /// The first thing that is not as the model has it: after some acts everything is asked, after
  /// most a little, after some nothing. That depends on the act alone, so that a program without
  /// some of its acts is looked at in the same way.
  func difference(_ act: WideProgram.Act) -> String? {
    var dice = SplitMix(seed: UInt64(act.salt) << 16 | UInt64(act.member))
    if !isLast {
      switch act.salt % 9 {
      case 0: break
      case 1...5: return glance(act, &dice)
      default: return nil
      }
    }
    if let here {
      if here.realm.isInWriteTransaction != isWriting { return "whether a write is open is wrong" }
      if here.realm.isEmpty != here.state.rows.isEmpty { return "isEmpty is wrong" }
      if let complaint = difference(of: here, questions: 3, &dice) { return complaint }
    }
    if let complaint = differenceOfKept(keepsakes.count, &dice) { return complaint }
    if let reader = frozen.randomElement(using: &dice),
      let complaint = difference(of: reader, questions: 1, &dice)
    {
      return complaint
    }
    if act.isThere || act.salt % 3 == 0 {
      return queue.sync {
        guard let there else { return nil }
        return difference(of: there, questions: 2, &dice)
      }
    }
    return nil
  }

  /// The row that the act was about, what was kept last, and a question.
  private func glance(_ act: WideProgram.Act, _ dice: inout SplitMix) -> String? {
    guard let here else { return nil }
    let (kind, key) = Kind.place(act.row)
    if let complaint = difference(ofRow: key, kind.type, by: here, &dice) {
      return "\(here.name): \(complaint)"
    }
    if let complaint = differenceOfKept(3, &dice) { return complaint }
    let question = Question(in: here.state, &dice)
    comparisons += 1
    return answer(question, question.kind.type, here, &dice).map { "\(here.name): \($0)" }
  }

  func difference(of reader: Reader, questions: Int, _ dice: inout SplitMix) -> String? {
    for kind in Kind.allCases {
      if let complaint = difference(of: kind.type, by: reader, &dice) {
        return "\(reader.name): \(complaint)"
      }
    }
    for _ in 0..<questions {
      let question = Question(in: reader.state, &dice)
      comparisons += 1
      if let complaint = answer(question, question.kind.type, reader, &dice) {
        return "\(reader.name): \(complaint)"
      }
    }
    return nil
  }

  private func answer<T: Wide>(
    _ question: Question, _ type: T.Type, _ reader: Reader, _ dice: inout SplitMix
  ) -> String? {
    guard let expected = question.expected(in: reader.state),
      let found = question.asked(of: T.self, reader.finder)
    else { return nil }
    let basic = Asking.members(found, expected, &dice)
    return (basic ?? Asking.objects(found, reader.finder, &dice)).map { "\(question.words): \($0)" }
  }

  /// All objects of a class, as far as a program looks.
  private func difference<T: Wide>(of type: T.Type, by reader: Reader, _ dice: inout SplitMix)
    -> String?
  {
    comparisons += 1
    let (state, finder) = (reader.state, reader.finder)
    let births = state.births(of: T.kind)
    let count = reader.realm.objects(T.self).count
    if count != births.count { return "\(T.kind) counts \(count) instead of \(births.count)" }
    var some = births
    let most = T.kind == .piece ? 5 : 3
    if some.count > most { some = Array(some.shuffled(using: &dice).prefix(most)) }
    for birth in some {
      if let row = state.rows[birth],
        let complaint = difference(ofRow: row.key, type, by: reader, &dice)
      {
        return complaint
      }
    }
    // What has no object must not be found.
    if T.kind != .keyless, let key = T.kind.keys.randomElement(using: &dice),
      state.birth(T.kind, key) == nil, T.find(key, 0, finder) != nil
    {
      return "\(T.kind) \(key.words), which is not there, is found"
    }
    return nil
  }

  /// What is under a key, and who links to it.
  private func difference<T: Wide>(
    ofRow key: Worth, _ type: T.Type, by reader: Reader, _ dice: inout SplitMix
  ) -> String? {
    comparisons += 1
    let (state, finder) = (reader.state, reader.finder)
    guard let birth = state.birth(T.kind, key), let row = state.rows[birth] else {
      if T.kind == .keyless || T.find(key, 0, finder) == nil { return nil }
      return "\(T.kind) \(key.words), which is not there, is found"
    }
    guard let object = T.find(key, birth, finder) else {
      return "\(T.kind) \(key.words) is not found"
    }
    if let complaint = object.difference(from: row) {
      return "\(T.kind) \(key.words): \(complaint)"
    }
    guard let backward = T.backward.randomElement(using: &dice) else { return nil }
    let linkers = backward.read(object).sorted()
    let expected = state.linkers(birth, backward.origin, backward.member).sorted()
    return linkers == expected
      ? nil
      : "\(backward.name) of \(T.kind) \(key.words) has rows \(linkers), not \(expected)"
  }

  /// Asks the last of what is kept, and some of the others.
  private func differenceOfKept(_ count: Int, _ dice: inout SplitMix) -> String? {
    guard let here else { return nil }
    var kept = Array(keepsakes.dropLast(count))
    for (number, keepsake) in keepsakes.enumerated().suffix(count) {
      let held = keepsake.held
      // All are asked before and after most changes; not all of them each time.
      let isAsked = number >= keepsakes.count - 3 || Int.random(in: 0..<3, using: &dice) == 0
      if let state = keepsake.frozenState {
        kept.append(keepsake)
        if !isAsked { continue }
        comparisons += 1
        if !held.isFrozen { return "\(held.name), frozen, is not" }
        if let complaint = held.complaint(held.finder(state, here.realm), &dice) {
          return "frozen, \(complaint)"
        }
        continue
      }
      if held.isThere(in: here.state) {
        kept.append(keepsake)
        if held.tellsItsEnd, held.isInvalidated { return "\(held.name) is invalid" }
        if !isAsked { continue }
        comparisons += 1
        if let complaint = held.complaint(here.finder, &dice) { return "held, \(complaint)" }
        continue
      }
      if isWriting {
        // What is found deleted in the write must come back if it is cancelled; of realm-core it is
        // known that it does not.
        kept.append(keepsake)
        if !Engine.offersReins { continue }
      }
      if held.tellsItsEnd {
        if !held.isInvalidated { return "\(held.name), deleted, is valid" }
        // For ever, also when another gets its key.
        if !isWriting { kept.append(keepsake) }
      }
    }
    keepsakes = kept
    return nil
  }
}

extension Held {
  /// Finds what the model has of the version that it shows.
  fileprivate func finder(_ state: WideState, _ realm: Realm) -> Finder {
    Finder(realm: shownRealm ?? realm, state: state)
  }
}
