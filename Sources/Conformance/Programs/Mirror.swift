import EngineUnderTest
import Foundation
import Harness

/// A listener, and what it knows from what it is told alone.
protocol Mirror: AnyObject {
  var hasBegun: Bool { get }
  var token: NotificationToken? { get }
  /// Begins to listen where what it listens to is at home.
  func listen()
  /// Begins to listen on another actor than the one where it is; from then on it is that one's.
  func listen(on actor: Keeper, isolation: isolated (any Actor)?) async
  func end()
  /// Takes over the state of a write that was committed without notifying it.
  func skip(_ state: WideState)
  /// What is wrong with what it was told since it was asked last, when its realm has come from one
  /// state to another.
  func complaint(_ finder: Finder, _ touched: Touched) -> String?
}

extension WideRun {
  static let mostMirrors = 8

  /// Asks all listeners that have begun.
  func attended() -> String? {
    guard let here else { return nil }
    for mirror in mirrors where mirror.hasBegun {
      comparisons += 1
      if let complaint = mirror.complaint(here.finder, touched) { return complaint }
    }
    touched.forget()
    return nil
  }

  /// Asks all listeners of the realm on the queue, which has just been refreshed; on the queue.
  func attendedThere() -> String? {
    guard let there else { return nil }
    let touched = touched.forThere
    for mirror in mirrorsThere where mirror.hasBegun {
      comparisons += 1
      if let complaint = mirror.complaint(there.finder, touched) {
        return "on the queue, \(complaint)"
      }
    }
    self.touched.forgetThere()
    return nil
  }

  /// Begins to listen on the queue, and waits until it has begun.
  private func listenThere(_ act: WideProgram.Act) -> String? {
    refreshThere()
    if let walked { return walked }
    let listener = queue.sync { () -> (any Mirror)? in
      guard let finder = there?.finder, let made = mirror(act, finder) else { return nil }
      made.listen()
      if mirrorsThere.count == WideRun.mostMirrors { mirrorsThere.removeFirst().end() }
      mirrorsThere.append(made)
      return made
    }
    guard let listener else { return nil }
    let limit = ContinuousClock.now + patience
    while !queue.sync(execute: { listener.hasBegun }) {
      if ContinuousClock.now > limit { return "a listener on the queue is not called" }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
    return nil
  }

  /// Begins to listen, and waits until it has begun.
  func listen(_ act: WideProgram.Act, _ realm: Realm) -> String? {
    // Without autorefresh nobody else moves it.
    if act.isThere, Engine.offersReins { return listenThere(act) }
    if act.value == 35 { return listenToRealm(realm) }
    realm.refresh()
    here?.state = newest
    if let complaint = attended() { return complaint }
    guard let finder = here?.finder, let mirror = mirror(act, finder) else { return nil }
    mirror.listen()
    if mirrors.count == WideRun.mostMirrors { mirrors.removeFirst().end() }
    mirrors.append(mirror)
    let limit = ContinuousClock.now + .seconds(20)
    while !mirror.hasBegun {
      if ContinuousClock.now > limit { return "a listener is not called for the first time" }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
    return attended()
  }

  /// Begins to listen to the realm as such, or ends it.
  private func listenToRealm(_ realm: Realm) -> String? {
    if let token = realmToken {
      token.invalidate()
      realmToken = nil
    } else {
      realmToken = realm.observe { [unowned self] _, _ in realmCalls += 1 }
    }
    return nil
  }

  /// Writes what one of the listeners is not told of.
  func writeQuietly(_ act: WideProgram.Act, _ realm: Realm) throws -> String? {
    realm.refresh()
    here?.state = newest
    if let complaint = attended() { return complaint }
    let mirror = mirrors.isEmpty ? nil : mirrors[act.member % mirrors.count]
    try realm.write(withoutNotifying: [mirror?.token].compactMap(\.self)) {
      change(act.asChange(0), isHere: true)
    }
    if let state = here?.state { newest = state }
    touched.commit()
    if let state = here?.state { mirror?.skip(state) }
    realm.refresh()
    return attended()
  }

  /// What an act listens to: an object, a collection of one, or what answers a question. Sections
  /// are not observed on actors here.
  func mirror(
    _ act: WideProgram.Act, _ finder: Finder, withSections: Bool = true
  ) -> (any Mirror)? {
    let (kind, key) = Kind.place(act.row)
    let birth = finder.state.birth(kind, key)
    let object = birth.flatMap { finder.object($0) }
    switch act.value % 6 {
    case 0, 1:
      guard let object else { return nil }
      let links = kind.members.filter { $0.target != nil && !$0.isCollection }
      let names: [String]? =
        switch act.value % 4 {
        case 0: [kind.members[kind.value(act.member)].name]
        case 1: ["\(links[act.member % links.count].name).number"]
        default: nil
        }
      return objectMirror(object, birth!, names, finder.state)
    case 2:
      guard let object else { return nil }
      let place = kind.collection(act.member)
      return kind.members[place].mirror?(object, birth!, place, finder.state)
    default:
      var dice = SplitMix(seed: UInt64(act.salt) << 8 | UInt64(act.value))
      let question = Question(in: finder.state, &dice, isPlain: true)
      return questionMirror(question, question.kind.type, act, finder, withSections)
    }
  }

  private func objectMirror<T: Wide>(
    _ object: T, _ birth: Int, _ names: [String]?, _ state: WideState
  ) -> any Mirror { ObjectMirror(object, birth, names, state) }

  private func questionMirror<T: Wide>(
    _ question: Question, _ type: T.Type, _ act: WideProgram.Act, _ finder: Finder,
    _ withSections: Bool
  ) -> (any Mirror)? {
    guard let found = question.asked(of: T.self, finder) else { return nil }
    if withSections, Engine.offersReins, act.value % 6 == 3, question.onlyFilters {
      return SectionsMirror(found.sectioned(by: T.byNumber), question.words)
    }
    let paths = T.members.filter { $0.isLink || $0.objects != nil }.map(\.name)
    let names: [String]? =
      switch act.member % 6 {
      case 0: [T.members[2 + act.member / 6 % (T.members.count - 2)].name]
      case 1: ["number", "word"]
      case 2:
        ["\(paths[act.member / 6 % paths.count]).number", "word"]
      default: nil
      }
    return MembersMirror(
      "a listener of \(question.words)" + (names.map { " for \($0)" } ?? ""), found, names,
      finder.state)
  }
}
