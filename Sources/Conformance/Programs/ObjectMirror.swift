import EngineUnderTest
import Foundation

/// Listens to one object.
final class ObjectMirror<T: Wide>: Mirror {
  private let object: T
  private let birth: Int
  private let keyPaths: [String]?
  private(set) var token: NotificationToken?
  private var told: [String: PropertyChange] = [:]
  private var calls = 0
  private var deletions = 0
  private var base: WideState
  private var isOver = false
  private var isSkipped = false

  init(_ object: T, _ birth: Int, _ keyPaths: [String]?, _ state: WideState) {
    (self.object, self.birth, self.keyPaths, base) = (object, birth, keyPaths, state)
  }

  func listen() {
    token = object.observe(keyPaths: keyPaths) { [unowned self] in take($0) }
  }

  func listen(on actor: Keeper, isolation: isolated (any Actor)?) async {
    let mirror = Smuggling(self)
    let told: @Sendable (isolated Keeper, ObjectChange<T>) -> Void = { actor, change in
      actor.assertIsolated()
      mirror.value.take(change)
    }
    // Where a path can be spelled in Swift for all classes, it is, half of the time.
    if keyPaths == ["number"], birth % 2 == 0 {
      token = await object.observe(
        keyPaths: [T.byNumber], on: actor, _isolation: isolation, told)
    } else {
      token = await object.observe(keyPaths: keyPaths, on: actor, _isolation: isolation, told)
    }
  }

  private func take(_ change: ObjectChange<T>) {
    switch change {
    case .change(_, let changes):
      calls += 1
      for change in changes { told[change.name] = change }
    case .deleted: deletions += 1
    case .error: break
    }
  }

  var hasBegun: Bool { true }

  func skip(_ state: WideState) {
    isSkipped = true
    base = state
    // Who was not told of the end hears no more.
    if state.rows[birth] == nil { isOver = true }
  }

  func end() {
    token?.invalidate()
    token = nil
  }

  private var name: String {
    "a listener of \(T.kind) \(birth)" + (keyPaths.map { " for \($0)" } ?? "")
  }

  func complaint(_ finder: Finder, _ touched: Touched) -> String? {
    if isOver { return deletions > 1 ? "\(name) was told twice that it is gone" : nil }
    if isSkipped {
      isSkipped = false
      if calls > 0 { return "\(name) was told of a write that it was not to be told of" }
    }
    let (was, now) = (base.rows[birth], finder.state.rows[birth])
    defer { (base, told, calls) = (finder.state, [:], 0) }
    guard let was, let now else {
      isOver = true
      return deletions == 1 ? nil : "\(name), deleted, was told so \(deletions) times"
    }
    if deletions > 0 { return "\(name), which is there, was told that it is gone" }
    if let keyPaths, told.isEmpty,
      let change = Reach.change(of: birth, from: base, to: finder.state, keyPaths),
      was != now || keyPaths.contains(where: { $0.contains(".") })
    {
      return "\(name) was not told that \(change)"
    }
    for (place, member) in T.members.enumerated() {
      if let complaint = complaint(place, member, was, now, touched) {
        return "\(name) \(complaint)"
      }
    }
    return nil
  }

  private func complaint(
    _ place: Int, _ member: Member, _ was: WideState.Row, _ now: WideState.Row, _ touched: Touched
  ) -> String? {
    let (before, after) = (was.contents[place], now.contents[place])
    let isWanted = keyPaths?.contains(member.name) ?? true
    guard let change = told[member.name] else {
      let isChanged = isWanted && before.outline != after.outline
      return isChanged
        ? "was not told that \(member.name) came from \(before.words) to \(after.words)" : nil
    }
    // What links to somebody who went was set, too.
    let isPath = keyPaths?.contains { $0.contains(".") } ?? false
    let isTouched =
      isPath || touched.since[birth]?.contains(place) == true
      || before.targets.contains { touched.since[$0] != nil }
    if !isTouched { return "was told of \(member.name), which nobody has set" }
    guard keyPaths == nil, case .single(let worth) = after, !worth.isLink else { return nil }
    if Worth(any: change.newValue) != worth, !member.isMixed, !member.isEmbedded {
      return "was told that \(member.name) is \(change.newValue.map { "\($0)" } ?? "nil"), "
        + "not \(worth.words)"
    }
    guard let old = change.oldValue, calls == 1, case .single(let one) = before, !one.isLink,
      !member.isMixed, !member.isEmbedded
    else { return nil }
    return Worth(any: old) == one
      ? nil : "was told that \(member.name) was \(old), not \(one.words)"
  }
}

extension Member {
  var isEmbedded: Bool { if case .boxes = pool { true } else { false } }
}

extension Worth {
  fileprivate var isLink: Bool {
    switch self {
    case .row, .box: true
    default: false
    }
  }

  /// What a listener is told, in the model's words.
  fileprivate init(any: Any?) {
    switch any {
    case let value as any Worthy: self = value.worth
    default: self = .null
    }
  }
}

extension Content {
  /// The same without what lies in embedded objects: their changes are not their owner's.
  fileprivate var outline: Content {
    func bare(_ worth: Worth) -> Worth { if case .box = worth { .box([]) } else { worth } }
    return switch self {
    case .single(let worth): .single(bare(worth))
    case .list(let all): .list(all.map(bare))
    case .set, .map: self
    }
  }
}
