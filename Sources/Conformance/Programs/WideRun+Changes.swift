import EngineUnderTest
import Harness

extension WideRun {
  /// Changes rows on both sides, in the write that the realm here is in, or the other one.
  func change(_ act: WideProgram.Act, isHere: Bool) {
    guard var now = isHere ? here : there else { return }
    defer { if isHere { here = now } else { there = now } }
    change(act, by: &now)
  }

  func change(_ act: WideProgram.Act, by now: inout Reader) {
    let (kind, key) = Kind.place(act.row)
    let birth = now.state.birth(kind, key)
    switch act.verb {
    case .put where kind == .keyless && birth != nil: set(act, birth!, &now)
    case .put: put(act, kind.type, key, &now)
    case .create where kind == .keyless && birth != nil: edit(act, birth!, &now)
    case .create: create(act, kind.type, key, &now)
    case .delete:
      if let birth { delete(birth, &now) }
    case .deleteMany: deleteMany(act, &now)
    case .replace:
      if let birth { delete(birth, &now) }
      if act.value % 2 == 0 {
        put(act, kind.type, key, &now)
      } else {
        create(act, kind.type, key, &now)
      }
    case .set: if let birth { set(act, birth, &now) } else { put(act, kind.type, key, &now) }
    case .edit: if let birth { edit(act, birth, &now) } else { put(act, kind.type, key, &now) }
    case .embedded:
      if let birth = now.state.birth(.piece, Kind.piece.keys[act.row % 12]) {
        changeBox(act, birth, &now)
      }
    case .graph: addGraph(act, &now)
    case .nested:
      if let birth = now.state.birth(.piece, Kind.piece.keys[act.row % 12]) {
        changeNested(act, birth, &now)
      }
    case .run: changeRun(act, &now)
    case .walk: walk(act, &now)
    case .setAll: setAll(act, &now)
    default: break
    }
  }

  // MARK: Adding

  /// What a new object has: some members are set.
  private func contents(_ act: WideProgram.Act, _ kind: Kind, _ state: WideState) -> [Content] {
    kind.members.enumerated().map { place, member in
      let number = act.member &* 31 &+ place &* 17 &+ act.value
      if member.isFixed || number % 3 != 0 { return member.blank }
      var content = member.blank
      if case .single = content { return .single(member.pick(number / 3, in: state)) }
      let worths = member.pickAll(number / 3, in: state)
      if worths.isEmpty { return content }
      for round in 0..<2 {
        Edit(of: content, by: number / 5 + round, worths: worths).apply(to: &content)
      }
      return content
    }
  }

  private func put<T: Wide>(
    _ act: WideProgram.Act, _ type: T.Type, _ key: Worth, _ now: inout Reader
  ) {
    let (finder, known) = (now.finder, now.state.birth(T.kind, key))
    let birth = known ?? nextBirth()
    let contents = contents(act, T.kind, now.state)
    let object = T()
    (object.birth, object.key) = (birth, T.Key.made(of: key, finder))
    for (member, content) in zip(T.members, contents) where !member.isFixed {
      if case .single(let worth) = content {
        member.write(object, worth, finder)
      } else {
        member.fill(object, content, finder)
      }
    }
    now.realm.add(object, update: known == nil ? .error : act.value % 2 == 0 ? .all : .modified)
    if known == nil {
      now.state.add(birth, T.kind, key, contents)
    } else {
      for place in T.members.indices.dropFirst(2) { now.state.set(birth, place, contents[place]) }
    }
    touched.add(birth, all: T.kind)
  }

  private func create<T: Wide>(
    _ act: WideProgram.Act, _ type: T.Type, _ key: Worth, _ now: inout Reader
  ) {
    let (finder, known) = (now.finder, now.state.birth(T.kind, key))
    let birth = known ?? nextBirth()
    let drawn = contents(act, T.kind, now.state)
    var contents = T.kind.members.map(\.blank)
    var value: [String: Any] = [
      "birth": birth, "key": Content.single(key).given(finder),
    ]
    var given: [Int] = []
    for place in T.members.indices.dropFirst(2) where (place + act.member) % 4 == 0 {
      value[T.members[place].name] = drawn[place].given(finder)
      contents[place] = drawn[place]
      given.append(place)
    }
    _ = now.realm.create(
      T.self, value: value,
      update: known == nil && act.value % 3 == 0 || T.kind == .keyless
        ? .error : act.value % 2 == 0 ? .all : .modified)
    if known == nil {
      now.state.add(birth, T.kind, key, contents)
    } else {
      for place in given { now.state.set(birth, place, contents[place]) }
    }
    touched.add(birth, all: T.kind)
  }

  // MARK: Deleting

  /// By an object that is held, if there is one.
  private func delete(_ birth: Int, _ now: inout Reader) {
    let held =
      keepsakes.last {
        $0.frozenState == nil && ($0.held as? any HeldRow)?.birth == birth
      }?.held as? any HeldRow
    if now.name == here?.name, let object = held?.base {
      now.realm.delete(object)
    } else if let object = now.finder.object(birth) {
      // As one of several, now and then.
      if birth % 3 == 0 { deleteAmongOthers(object, &now) } else { now.realm.delete(object) }
    }
    forget([birth], &now)
  }

  private func deleteAmongOthers<T: Wide>(_ object: T, _ now: inout Reader) {
    if object.birth % 2 == 0 {
      now.realm.delete([object])
    } else {
      now.realm.delete(now.realm.objects(T.self).filter("birth == %@", object.birth))
    }
  }

  /// Takes them from the model.
  private func forget(_ gone: Set<Int>, _ now: inout Reader) {
    for birth in gone {
      if let kind = now.state.rows[birth]?.kind { touched.add(birth, all: kind) }
    }
    now.state.delete(gone)
  }

  private func deleteMany(_ act: WideProgram.Act, _ now: inout Reader) {
    if act.value == 35 {
      now.realm.deleteAll()
      return forget(Set(now.state.rows.keys), &now)
    }
    let (kind, key) = Kind.place(act.row)
    let birth = now.state.birth(kind, key)
    let object = birth.flatMap { now.finder.object($0) }
    switch (act.value % 4, object) {
    case (1, let piece as Piece):
      now.realm.delete(piece.members)
      forget(Set(now.state.content(birth!, Piece.place("members"))!.targets), &now)
    case (2, let piece as Piece):
      now.realm.delete(piece.group)
      forget(Set(now.state.content(birth!, Piece.place("group"))!.targets), &now)
    case (3, let piece as Piece):
      let linkers = now.state.linkers(birth!, .piece, Piece.place("next"))
      now.realm.delete(piece.throughNext)
      forget(Set(linkers), &now)
    default:
      var dice = SplitMix(seed: UInt64(act.salt))
      delete(kind.type, where: Condition(about: kind, in: now.state, &dice), &now)
    }
  }

  private func delete<T: Wide>(_ type: T.Type, where condition: Condition, _ now: inout Reader) {
    let gone = now.state.births(of: T.kind).filter { condition.holds(of: $0, in: now.state) }
    let all = AnyRealmCollection(now.realm.objects(T.self))
    let (format, values) = condition.predicate(of: T.kind, now.finder)
    if values.count == 1 {
      now.realm.delete(all.filter(format, values[0]))
    } else {
      now.realm.delete(Array(condition.members(of: all, now.finder)))
    }
    forget(Set(gone), &now)
  }

  // MARK: Setting

  private func set(_ act: WideProgram.Act, _ birth: Int, _ now: inout Reader) {
    guard let object = now.finder.object(birth) else { return }
    let members = Swift.type(of: object).members
    let place = Swift.type(of: object).kind.value(act.member)
    let worth = members[place].pick(act.value, in: now.state)
    if act.member / 40 % 4 == 1, kind(of: object) != .keyless {
      update(object, members[place].name, .single(worth), &now)
    } else if act.member / 40 % 4 == 0, !members[place].isMixed {
      object.setValue(Content.single(worth).value(now.finder), forKey: members[place].name)
    } else {
      members[place].write(object, worth, now.finder)
    }
    now.state.set(birth, place, .single(worth))
    touched.add(birth, place)
  }

  private func kind(of object: any Wide) -> Kind { Swift.type(of: object).kind }

  /// By `create` of what is there.
  private func update<T: Wide>(
    _ object: T, _ name: String, _ content: Content, _ now: inout Reader
  ) {
    let value: [String: Any] = [
      "key": Content.single(object.key.worth).given(now.finder), name: content.given(now.finder),
    ]
    _ = now.realm.create(T.self, value: value, update: .modified)
  }

  /// Sets a number of all that a question finds, by its name.
  private func setAll(_ act: WideProgram.Act, _ now: inout Reader) {
    var dice = SplitMix(seed: UInt64(act.salt) << 8 | UInt64(act.value))
    let question = Question(in: now.state, &dice)
    setAll(act, question, question.kind.type, &now)
  }

  private func setAll<T: Wide>(
    _ act: WideProgram.Act, _ question: Question, _ type: T.Type, _ now: inout Reader
  ) {
    guard let expected = question.expected(in: now.state),
      let found = question.asked(of: T.self, now.finder)
    else { return }
    ByName.set(act.value % 7, "number", in: found)
    for case .row(let birth) in expected.values {
      now.state.set(birth, 2, .single(.int(act.value % 7)))
      touched.add(birth, 2)
    }
  }

  private func edit(_ act: WideProgram.Act, _ birth: Int, _ now: inout Reader) {
    guard let object = now.finder.object(birth) else { return }
    let members = Swift.type(of: object).members
    let place = Swift.type(of: object).kind.collection(act.member)
    // Several in a row, so that lists grow.
    for round in 0..<(1 + act.member / 40 % 4) {
      let worths = members[place].pickAll(act.value + round, in: now.state)
      guard !worths.isEmpty, let content = now.state.content(birth, place) else { return }
      let number = (act.value * 1_009 + act.member * 31 + act.salt * 7 + round * 337) % 10_007
      let edit = Edit(of: content, by: number, worths: worths)
      var finder = now.finder
      finder.lot = act.salt / 3 + round
      members[place].edit(object, edit, finder)
      now.state.edit(birth, place, edit)
    }
    touched.add(birth, place)
  }

  private func changeBox(_ act: WideProgram.Act, _ birth: Int, _ now: inout Reader) {
    guard let piece = now.finder.object(birth) as? Piece else { return }
    let place = Piece.place(act.member % 2 == 0 ? "box" : "boxes")
    let number = act.value - 18
    touched.add(birth, place)
    switch now.state.content(birth, place)! {
    case .single(.box(var parts)) where act.value % 3 > 0:
      piece.box?.number = number
      parts[1] = .int(number)
      now.state.set(birth, place, .single(.box(parts)))
    case .single:
      let worth = act.value % 5 == 0 ? .null : Piece.members[place].pick(act.value, in: now.state)
      Piece.members[place].write(piece, worth, now.finder)
      now.state.set(birth, place, .single(worth))
    case .list(var all) where !all.isEmpty && act.value % 3 > 0:
      let index = act.value % all.count
      guard case .box(var parts) = all[index] else { return }
      if act.value % 2 == 0 {
        piece.boxes[index].number = number
        parts[1] = .int(number)
      } else {
        piece.boxes[index].text = "box \(number)"
        parts[0] = .text("box \(number)")
      }
      all[index] = .box(parts)
      now.state.set(birth, place, .list(all))
    default:
      let worth = Piece.members[place].pick(act.value, in: now.state)
      Edit.append(worth).apply(to: piece.boxes, now.finder)
      now.state.edit(birth, place, .append(worth))
    }
  }
}

extension Piece {
  static func place(_ name: String) -> Int { members.firstIndex { $0.name == name }! }
}

extension Member {
  /// Fills the collection of a new object.
  fileprivate func fill(_ object: ObjectBase, _ content: Content, _ finder: Finder) {
    switch content {
    case .single: break
    case .list(let all): edit(object, .appendAll(all), finder)
    case .set(let all): edit(object, .addAll(Array(all)), finder)
    case .map(let all): for (key, worth) in all { edit(object, .put(key, worth), finder) }
    }
  }
}

extension Content {
  /// As `setValue(_:forKey:)` takes it.
  fileprivate func value(_ finder: Finder) -> Any? { single == .null ? nil : given(finder) }
}
