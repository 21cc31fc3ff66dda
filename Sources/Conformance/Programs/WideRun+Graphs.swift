import EngineUnderTest
import Harness

extension WideRun {
  /// Adds one object of a few that lead to each other: all of them are, or are updated where their
  /// keys are known.
  func addGraph(_ act: WideProgram.Act, _ now: inout Reader) {
    let keys = Kind.piece.keys
    let places = [act.row % 12, (act.row + 1 + act.value % 4) % 12, (act.row + 6) % 12]
    let births = places.map { now.state.birth(.piece, keys[$0]) ?? nextBirth() }
    let isKnown = births.map { now.state.rows[$0] != nil }
    let objects = places.indices.map { place in
      let piece = Piece()
      (piece.birth, piece.key) = (births[place], Int.made(of: keys[places[place]], now.finder))
      piece.number = act.value + place
      return piece
    }
    let friend = ByText()
    let textKey = Kind.byText.keys[act.member % 4]
    let friendBirth = now.state.birth(.byText, textKey) ?? nextBirth()
    (friend.birth, friend.key) = (friendBirth, String.made(of: textKey, now.finder))
    friend.word = "friend"
    let box = Box()
    (box.text, box.piece) = ("in a graph", objects[1])
    objects[0].next = objects[1]
    objects[1].next = objects[2]
    objects[2].next = objects[0]
    objects[0].members.append(objectsIn: [objects[1], objects[2], objects[1]])
    objects[1].group.insert(objects[0])
    objects[2].named["a"] = objects[1]
    objects[0].friend = friend
    objects[1].mixed = .object(objects[2])
    objects[0].box = box
    let isNew = !isKnown.contains(true) && now.state.birth(.byText, textKey) == nil
    now.realm.add(
      objects[0],
      update: isNew && act.value % 3 == 0 ? .error : act.value % 2 == 0 ? .all : .modified)

    var contents = places.indices.map { place in
      var all = Kind.piece.members.map(\.blank)
      all[2] = .single(.int(act.value + place))
      return all
    }
    let rows = births.map(Worth.row)
    func set(_ object: Int, _ name: String, _ content: Content) {
      contents[object][Piece.place(name)] = content
    }
    set(0, "next", .single(rows[1]))
    set(1, "next", .single(rows[2]))
    set(2, "next", .single(rows[0]))
    set(0, "members", .list([rows[1], rows[2], rows[1]]))
    set(1, "group", .set([rows[0]]))
    set(2, "named", .map(["a": rows[1]]))
    set(0, "friend", .single(.row(friendBirth)))
    set(1, "mixed", .single(rows[2]))
    set(0, "box", .single(.box([.text("in a graph"), .int(0), rows[1]])))
    for place in places.indices {
      model(births[place], .piece, keys[places[place]], contents[place], &now)
    }
    var friendly = Kind.byText.members.map(\.blank)
    friendly[3] = .single(.text("friend"))
    model(friendBirth, .byText, textKey, friendly, &now)
  }

  private func model(
    _ birth: Int, _ kind: Kind, _ key: Worth, _ contents: [Content], _ now: inout Reader
  ) {
    touched.add(birth, all: kind)
    if now.state.rows[birth] == nil { return now.state.add(birth, kind, key, contents) }
    for place in contents.indices.dropFirst(2) { now.state.set(birth, place, contents[place]) }
  }

  /// Changes a list or a dictionary in a mixed value, or makes it one.
  func changeNested(_ act: WideProgram.Act, _ birth: Int, _ now: inout Reader) {
    guard Engine.offersReins, let piece = now.finder.object(birth) as? Piece else { return }
    let place = Piece.place("mixed")
    let worth: Worth = [.int(act.value), .text("in it"), .null, .bool(true)][act.value % 4]
    let value = AnyRealmValue.made(of: worth, now.finder)
    var content = now.state.content(birth, place)!.single
    switch content {
    case .many(var all):
      let list = piece.mixed.listValue!
      let index = all.isEmpty ? 0 : act.member % all.count
      switch act.member / 40 % 5 {
      case 0 where !all.isEmpty:
        list.remove(at: index)
        all.remove(at: index)
      case 1 where !all.isEmpty:
        list[index] = value
        all[index] = worth
      case 2:
        list.insert(value, at: index)
        all.insert(worth, at: index)
      case 3 where act.value % 4 == 0:
        list.removeAll()
        all = []
      default:
        if let inner = all.firstIndex(where: { if case .many = $0 { true } else { false } }),
          case .many(var deeper) = all[inner]
        {
          list[inner].listValue!.append(value)
          deeper.append(worth)
          all[inner] = .many(deeper)
        } else {
          list.append(value)
          all.append(worth)
        }
      }
      content = .many(all)
    case .named(var all):
      let map = piece.mixed.dictionaryValue!
      let key = Edit.keys[act.member % Edit.keys.count]
      if act.member / 40 % 3 == 0 {
        map.removeObject(for: key)
        all[key] = nil
      } else {
        map[key] = value
        all[key] = worth
      }
      content = .named(all)
    default:
      content =
        act.value % 2 == 0 ? .many([worth, .many([.int(1)]), worth]) : .named(["a": worth])
      piece.mixed = AnyRealmValue.made(of: content, now.finder)
    }
    touched.add(birth, place)
    now.state.set(birth, place, .single(content))
  }
}
