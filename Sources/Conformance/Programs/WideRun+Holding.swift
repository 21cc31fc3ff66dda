import EngineUnderTest
import Harness

/// An object that is held, whatever its class.
protocol HeldRow: Held {
  var birth: Int { get }
  var base: ObjectBase { get }
}

extension HeldObject: HeldRow {
  var base: ObjectBase { object }
}

extension WideRun {
  private func birth(_ act: WideProgram.Act) -> Int? {
    let (kind, key) = Kind.place(act.row)
    return here?.state.birth(kind, key)
  }

  func holdObject(_ act: WideProgram.Act) {
    guard let here, let birth = birth(act), let object = here.finder.object(birth) else { return }
    keep(Keepsake(held: WideRun.held(object, birth)))
  }

  private static func held<T: Wide>(_ object: T, _ birth: Int) -> any Held {
    HeldObject(object, birth)
  }

  /// A list, a set, a map or links backwards of an object.
  func holdMember(_ act: WideProgram.Act) {
    guard let here, let birth = birth(act), let object = here.finder.object(birth) else { return }
    let kind = Swift.type(of: object).kind
    let place = kind.collection(act.member)
    let held =
      act.value % 3 == 0
      ? kind.backward[act.member % kind.backward.count].hold(object, birth)
      : kind.members[place].hold!(object, birth, place)
    keep(Keepsake(held: held))
  }

  /// What answers a question, which may be asked again and again.
  func holdQuestion(_ act: WideProgram.Act) {
    guard let here else { return }
    var dice = SplitMix(seed: UInt64(act.salt) << 8 | UInt64(act.value))
    let question = Question(in: here.state, &dice)
    if let held = question.held(of: question.kind.type, here.finder, act.member) {
      keep(Keepsake(held: held))
    }
  }

  /// Makes something live of something frozen.
  func thaw(_ act: WideProgram.Act) -> String? {
    guard let here, !isWriting || act.value % 2 == 0 else { return nil }
    if act.value % 5 == 0, let reader = frozen.last, reader.realm.thaw() != here.realm {
      return "\(reader.name) thaws to another realm"
    }
    let all = keepsakes.filter { $0.frozenState != nil }
    guard !all.isEmpty else { return nil }
    let held = all.oneOfTheLast(act.member).held
    guard let thawed = held.thawed() else {
      // What others have deleted meanwhile is there in the version that the realm is on.
      return held.isThere(in: here.state) ? "\(held.name), frozen, thaws to nil" : nil
    }
    if thawed.isFrozen { return "\(held.name), frozen, is so when it is thawed" }
    if held.isThere(in: here.state) {
      keep(Keepsake(held: thawed))
    } else if held is any HeldRow {
      return "\(held.name), frozen and deleted, thaws to an object"
    }
    return nil
  }

  // MARK: References

  /// Makes a reference to something that is held.
  func send(_ act: WideProgram.Act) {
    guard let here, letters.count < 6 else { return }
    let all = keepsakes.filter { keepsake in
      keepsake.frozenState == nil && keepsake.held.isThere(in: here.state)
        && (!isWriting || keepsake.held is any HeldRow)
    }
    guard !all.isEmpty else { return }
    let held = all.oneOfTheLast(act.member).held
    if let parcel = held.parcel() {
      letters.append(
        Letter(parcel: parcel, isOfWrite: isWriting, name: held.name, held: held))
    }
  }

  /// Resolves the oldest one, here or in the other realm, which is at the newest version then.
  func receive(_ act: WideProgram.Act) -> String? {
    guard let first = letters.first, !isWriting || !first.isOfWrite else { return nil }
    let letter = letters.removeFirst()
    var dice = SplitMix(seed: UInt64(act.salt))
    if act.isThere {
      refreshThere()
      return queue.sync {
        guard let there, let realm = self.there?.realm else { return nil }
        return received(letter, letter.parcel.resolve(in: realm), there, &dice)
      }
    }
    // Or as it is: a reference of its own moves it nowhere, but for one of a write, which may have
    // changed what it leads to after it was made.
    if !isWriting, letter.isOfWrite || act.value % 3 > 0 {
      here?.realm.refresh()
      here?.state = newest
    }
    guard let here else { return nil }
    let resolved = letter.parcel.resolve(in: here.realm)
    if let resolved, resolved.isThere(in: here.state) { keep(Keepsake(held: resolved)) }
    return received(letter, resolved, here, &dice)
  }

  func received(
    _ letter: Letter, _ resolved: (any Held)?, _ reader: Reader, _ dice: inout SplitMix
  ) -> String? {
    let isThere = letter.held.isThere(in: reader.state)
    guard let resolved else {
      return isThere ? "the reference to \(letter.name) resolves to nil" : nil
    }
    if isThere {
      return resolved.complaint(reader.finder, &dice).map { "resolved, \($0)" }
    }
    if letter.held.tellsItsEnd { return "the reference to \(letter.name), deleted, resolves" }
    return nil
  }
}
