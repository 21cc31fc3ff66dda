import EngineUnderTest
import Harness

extension WideRun {
  /// More rows than these are looked at here and there only.
  private static let most = 14

  /// The first thing that is not as the model has it.
  func difference(_ act: WideProgram.Act) -> String? {
    var dice = SplitMix(seed: UInt64(act.salt) << 16 | UInt64(act.member))
    if let here {
      if here.realm.isInWriteTransaction != isWriting { return "whether a write is open is wrong" }
      if here.realm.isEmpty != here.state.rows.isEmpty { return "isEmpty is wrong" }
      if let complaint = difference(of: here, questions: 3, &dice) { return complaint }
    }
    if let complaint = differenceOfKept(&dice) { return complaint }
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

  private func difference(of reader: Reader, questions: Int, _ dice: inout SplitMix) -> String? {
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
      guard let row = state.rows[birth] else { continue }
      guard let object = T.find(row.key, birth, finder) else {
        return "\(T.kind) \(row.key.words) is not found"
      }
      if let complaint = object.difference(from: row) {
        return "\(T.kind) \(row.key.words): \(complaint)"
      }
      if let backward = T.backward.randomElement(using: &dice) {
        let linkers = backward.read(object).sorted()
        let expected = state.linkers(birth, backward.origin, backward.member).sorted()
        if linkers != expected {
          return "\(backward.name) of \(T.kind) \(row.key.words) has rows \(linkers), not "
            + "\(expected)"
        }
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

  private func differenceOfKept(_ dice: inout SplitMix) -> String? {
    guard let here else { return nil }
    var kept: [Keepsake] = []
    for (number, keepsake) in keepsakes.enumerated() {
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
