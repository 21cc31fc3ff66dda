import EngineUnderTest
import Foundation
import Harness

/// A listener, and what it knows from what it is told alone.
protocol Mirror: AnyObject {
  var hasBegun: Bool { get }
  func end()
  /// What is wrong with what it was told since it was asked last, when its realm has come from one
  /// state to another.
  func complaint(_ finder: Finder, _ touched: Touched) -> String?
}

extension WideRun {
  private static let mostMirrors = 8

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

  /// Begins to listen, and waits until it has begun.
  func listen(_ act: WideProgram.Act, _ realm: Realm) -> String? {
    realm.refresh()
    here?.state = newest
    if let complaint = attended() { return complaint }
    guard let finder = here?.finder, let mirror = mirror(act, finder) else { return nil }
    if mirrors.count == WideRun.mostMirrors { mirrors.removeFirst().end() }
    mirrors.append(mirror)
    let limit = ContinuousClock.now + .seconds(20)
    while !mirror.hasBegun {
      if ContinuousClock.now > limit { return "a listener is not called for the first time" }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
    return attended()
  }

  private func mirror(_ act: WideProgram.Act, _ finder: Finder) -> (any Mirror)? {
    let (kind, key) = Kind.place(act.row)
    let birth = finder.state.birth(kind, key)
    let object = birth.flatMap { finder.object($0) }
    let member = act.member % kind.members.count
    switch act.value % 6 {
    case 0, 1:
      guard let object else { return nil }
      let names = act.value % 4 == 0 ? [kind.members[member].name] : nil
      return objectMirror(object, birth!, names, finder.state)
    case 2:
      guard let object else { return nil }
      let places = kind.members.indices.filter { kind.members[$0].mirror != nil }
      let place = places[act.member % places.count]
      return kind.members[place].mirror!(object, birth!, place, finder.state)
    default:
      var dice = SplitMix(seed: UInt64(act.salt) << 8 | UInt64(act.value))
      let question = Question(in: finder.state, &dice)
      return questionMirror(question, question.kind.type, act, finder)
    }
  }

  private func objectMirror<T: Wide>(
    _ object: T, _ birth: Int, _ names: [String]?, _ state: WideState
  ) -> any Mirror { ObjectMirror(object, birth, names, state) }

  private func questionMirror<T: Wide>(
    _ question: Question, _ type: T.Type, _ act: WideProgram.Act, _ finder: Finder
  ) -> (any Mirror)? {
    guard let found = question.asked(of: T.self, finder) else { return nil }
    if Engine.offersReins, act.value % 6 == 3, question.sort.isEmpty, question.distinct == nil {
      return SectionsMirror(found.sectioned(by: T.byNumber), question.words)
    }
    let names: [String]? =
      switch act.member % 5 {
      case 0: ["number"]
      case 1: T.kind == .piece ? ["next.number", "word"] : ["mate.number"]
      default: nil
      }
    return MembersMirror(
      "a listener of \(question.words)" + (names.map { " for \($0)" } ?? ""), found, names,
      finder.state)
  }
}
