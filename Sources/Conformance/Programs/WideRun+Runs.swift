import EngineUnderTest
import Harness

extension WideRun {
  /// Does something to many rows of a class whose keys follow each other: more than an engine looks
  /// at one by one.
  func changeRun(_ act: WideProgram.Act, _ now: inout Reader) {
    let kind: Kind = [.piece, .byText, .byMaybeInt][act.member % 3]
    let sizes = kind == .piece ? [30, 70, 260] : [70, 300, 600]
    let first = 1_000 + act.member / 3 % 3 * 60
    let size = act.value == 35 && kind != .piece ? 1_500 : sizes[act.value % 3]
    let keys = first..<(first + size)
    switch act.value / 3 % 6 {
    case 0, 1: add(keys, kind.type, act.value, &now)
    case 2, 3: setNumbers(keys, kind.type, act.value, &now)
    case 4: delete(keys, kind.type, &now)
    default:
      delete(keys.lowerBound..<(keys.lowerBound + 20), kind.type, &now)
      add(keys.lowerBound..<(keys.lowerBound + 20), kind.type, act.value, &now)
    }
  }

  private func key(_ number: Int, _ kind: Kind) -> Worth {
    kind == .byText ? .text("k\(number)") : .int(number)
  }

  private func add<T: Wide>(
    _ keys: Range<Int>, _ type: T.Type, _ value: Int, _ now: inout Reader
  ) {
    let finder = now.finder
    for number in keys {
      let key = key(number, T.kind)
      if now.state.birth(T.kind, key) != nil { continue }
      let birth = nextBirth()
      let given: [String: Any] = [
        "birth": birth, "key": Content.single(key).given(finder), "number": number % 7 - 2 + value,
      ]
      now.realm.create(T.self, value: given)
      var contents = T.members.map(\.blank)
      contents[2] = .single(.int(number % 7 - 2 + value))
      now.state.add(birth, T.kind, key, contents)
      touched.add(birth, all: T.kind)
    }
  }

  private func setNumbers<T: Wide>(
    _ keys: Range<Int>, _ type: T.Type, _ value: Int, _ now: inout Reader
  ) {
    for number in keys where number % 3 != value % 3 {
      guard let birth = now.state.birth(T.kind, key(number, T.kind)),
        let object = now.finder.object(birth)
      else { continue }
      T.members[2].write(object, .int(value - number % 5), now.finder)
      now.state.set(birth, 2, .single(.int(value - number % 5)))
      touched.add(birth, 2)
    }
  }

  private func delete<T: Wide>(_ keys: Range<Int>, _ type: T.Type, _ now: inout Reader) {
    let births = keys.compactMap { now.state.birth(T.kind, key($0, T.kind)) }
    guard let least = births.min(), let greatest = births.max() else { return }
    if T.kind == .byText {
      now.realm.delete(births.compactMap { now.finder.object($0) as? T })
    } else {
      now.realm.delete(
        now.realm.objects(T.self).filter(
          "key >= %@ AND key < %@ AND birth >= %@ AND birth <= %@", keys.lowerBound,
          keys.upperBound, least, greatest))
    }
    for birth in births { touched.add(birth, all: T.kind) }
    now.state.delete(Set(births))
  }

  /// A loop visits the members that there were when it began, whatever its body does.
  func walk(_ act: WideProgram.Act, _ now: inout Reader) {
    var dice = SplitMix(seed: UInt64(act.salt) << 8 | UInt64(act.value))
    let question = Question(in: now.state, &dice)
    walk(act, question, question.kind.type, &now)
  }

  /// Goes through members while others write, and while the realm comes to that.
  func stroll(_ act: WideProgram.Act, _ realm: Realm) throws -> String? {
    guard let here else { return nil }
    var dice = SplitMix(seed: UInt64(act.salt) << 8 | UInt64(act.value))
    let question = Question(in: here.state, &dice)
    if let complaint = try stroll(act, question, question.kind.type, here) { return complaint }
    realm.refresh()
    self.here?.state = newest
    return attended()
  }

  private func stroll<T: Wide>(
    _ act: WideProgram.Act, _ question: Question, _ type: T.Type, _ reader: Reader
  ) throws -> String? {
    guard let expected = question.expected(in: reader.state),
      let found = question.asked(of: T.self, reader.finder)
    else { return nil }
    let name = "a loop over \(question.words)"
    let count = expected.values.count
    let end = act.value % 5 == 0 ? (count + 1) / 2 : count
    var visited: [Worth?] = []
    for object in found {
      let isEarly = visited.count < 12 && visited.count % 4 == act.member % 4
      // Or about where members are fetched anew.
      if isEarly || visited.count == 254 + act.member % 4 {
        try thereWrites([act.asChange(visited.count)])
        if act.member / 4 % 3 > 0 {
          reader.realm.refresh()
          here?.state = newest
        }
      }
      visited.append(object.isInvalidated ? nil : object.worth)
      if visited.count == end, end < count { break }
    }
    if visited.count != end { return "\(name) visits \(visited.count) of \(end)" }
    for (place, worth) in visited.enumerated() {
      guard let worth else { continue }
      let isRight =
        expected.isOrdered ? expected.values[place] == worth : expected.values.contains(worth)
      if !isRight { return "\(name) visits \(worth.words) in the place of another" }
    }
    let gone = expected.values.filter {
      if case .row(let birth) = $0 { here?.state.rows[birth] == nil } else { false }
    }
    let invalid = visited.count { $0 == nil }
    return invalid > gone.count ? "\(name) visits \(invalid) deleted ones of \(gone.count)" : nil
  }

  private func walk<T: Wide>(
    _ act: WideProgram.Act, _ question: Question, _ type: T.Type, _ now: inout Reader
  ) {
    guard let expected = question.expected(in: now.state),
      let found = question.asked(of: T.self, now.finder)
    else { return }
    var visited = 0
    var gone: Set<Int> = []
    for object in found {
      visited += 1
      if object.isInvalidated { continue }
      let birth = object.birth
      // Changes what it was found by, or deletes it, some of them.
      if (visited + act.value) % 3 == 0 {
        now.realm.delete(object)
        gone.insert(birth)
      } else if act.member % 2 == 0 {
        T.members[2].write(object, .int(act.value % 5), now.finder)
        now.state.set(birth, 2, .single(.int(act.value % 5)))
        touched.add(birth, 2)
      }
    }
    // The finder must not meet what is gone before that.
    for birth in gone { touched.add(birth, all: T.kind) }
    now.state.delete(gone)
    if visited != expected.values.count {
      walked = "a loop over \(question.words) visits \(visited) of \(expected.values.count)"
    }
  }
}
