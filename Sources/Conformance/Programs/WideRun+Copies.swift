import EngineUnderTest
import Foundation
import Harness

/// An object of nobody's, made of a managed one, and what it must hold whatever becomes of that.
struct ObjectCopy {
  let object: any Wide
  let birth: Int
  /// By member; nil where it leads to other objects, which may be the realm's.
  var contents: [Content?]

  func complaint() -> String? {
    if object.realm != nil { return "a copy of row \(birth) is of a realm" }
    for (member, content) in zip(type(of: object).members, contents) {
      guard let content else { continue }
      let observed = member.read(object)
      if observed != content {
        return "a copy of row \(birth): \(member.name) is \(observed.words) instead of "
          + content.words
      }
    }
    return nil
  }
}

// What is taken out of a realm: its whole file, or an object.
extension WideRun {
  private static let mostCopies = 8

  /// Writes a copy of what the realm shows, looks at that, writes to it and looks again.
  func copy(_ act: WideProgram.Act, _ realm: Realm) throws -> String? {
    guard let here else { return nil }
    let file = configuration.fileURL!.deletingLastPathComponent()
      .appendingPathComponent("copy \(nextBirth()).realm")
    var other = configuration
    other.fileURL = file
    if act.value % 2 == 0 {
      try realm.writeCopy(toFile: file)
    } else {
      try realm.writeCopy(configuration: other)
    }
    // What is written to the copy happens to nobody else.
    let before = touched
    defer { touched = before }
    var dice = SplitMix(seed: UInt64(act.salt))
    if let complaint = try differenceOfCopy(other, here.state, act, &dice) { return complaint }
    _ = try Realm.deleteFiles(for: other)
    return nil
  }

  /// Whoever opened it has let it go in the end.
  private func differenceOfCopy(
    _ configuration: Realm.Configuration, _ state: WideState, _ act: WideProgram.Act,
    _ dice: inout SplitMix
  ) throws -> String? {
    var copy = Reader(
      name: "a copy", realm: try Realm(configuration: configuration), state: state)
    if let complaint = difference(of: copy, questions: 2, &dice) { return complaint }
    try copy.realm.write { change(act.asChange(0), by: &copy) }
    return difference(of: copy, questions: 1, &dice).map { "written to, \($0)" }
  }

  /// Makes an object of an object's values, and changes it: neither is to know of the other.
  func copyOut(_ act: WideProgram.Act) -> String? {
    guard let here else { return nil }
    let (kind, key) = Kind.place(act.row)
    if let birth = here.state.birth(kind, key), let row = here.state.rows[birth],
      let original = here.finder.object(birth)
    {
      var copy = ObjectCopy(
        object: kind.copied(original), birth: birth,
        contents: zip(kind.members, row.contents).map { member, content in
          member.isEmbedded || !content.targets.isEmpty ? nil : content
        })
      comparisons += 1
      if let complaint = copy.complaint() { return complaint }
      change(&copy, act, kind, here.finder)
      if let complaint = copy.complaint() { return "changed, \(complaint)" }
      if let complaint = original.difference(from: row) {
        return "row \(birth), of which a copy was changed: \(complaint)"
      }
      if copies.count == WideRun.mostCopies { copies.removeFirst() }
      copies.append(copy)
    }
    return differenceOfCopies()
  }

  private func differenceOfCopies() -> String? {
    for copy in copies {
      comparisons += 1
      if let complaint = copy.complaint() { return "kept, \(complaint)" }
    }
    return nil
  }

  private func change(
    _ copy: inout ObjectCopy, _ act: WideProgram.Act, _ kind: Kind, _ finder: Finder
  ) {
    kind.members[2].write(copy.object, .int(act.value), finder)
    copy.contents[2] = .single(.int(act.value))
    let place = kind.collection(act.member)
    let member = kind.members[place]
    guard case .values = member.pool, var content = copy.contents[place] else { return }
    let worths = member.pickAll(act.value, in: finder.state)
    let edit = Edit(of: content, by: act.member * 31 + act.salt, worths: worths)
    member.edit(copy.object, edit, finder)
    edit.apply(to: &content)
    copy.contents[place] = content
  }
}

extension Kind {
  /// A new object of the same values; which no class but a known one can be asked for.
  fileprivate func copied(_ object: any Wide) -> any Wide {
    switch self {
    case .piece: Piece(value: object)
    case .byText: ByText(value: object)
    case .byUUID: ByUUID(value: object)
    case .byObjectId: ByObjectId(value: object)
    case .byMaybeInt: ByMaybeInt(value: object)
    case .byMaybeText: ByMaybeText(value: object)
    case .keyless: Keyless(value: object)
    }
  }
}
