import EngineUnderTest
import Foundation
import Harness

/// What a listener has been told since it was asked last.
private final class Report {
  let name: String
  let began: Latch
  let came: Latch
  var token: NotificationToken?
  /// How the words begin that are waited for; nil if any will do.
  var awaited: String?
  private(set) var told: [String] = []

  init(_ name: String) {
    self.name = name
    began = Latch("the first call of \(name)")
    came = Latch("the second call of \(name)")
  }

  func hear(_ words: String, isInitial: Bool) {
    told.append(words)
    if isInitial { began.open() } else if awaited.map(words.hasPrefix) ?? true { came.open() }
  }

  /// Listens to a collection; its first call tells how many there are.
  func listen<Members: RealmCollection>(to members: Members) {
    token = members.observe { [unowned self] change in
      switch change {
      case .initial(let members): hear("\(members.count)", isInitial: true)
      case .update(let members, let deletions, let insertions, let modifications):
        hear(
          "\(members.count) \(deletions) \(insertions) \(modifications)", isInitial: false)
      case .error(let error): hear("\(error)", isInitial: false)
      }
    }
  }

  func listen<Value>(to map: Map<String, Value>) {
    token = map.observe { [unowned self] change in
      switch change {
      case .initial(let map): hear("\(map.count)", isInitial: true)
      case .update(let map, let deletions, let insertions, let modifications):
        hear(
          "\(map.count) \(deletions.sorted()) \(insertions.sorted()) \(modifications.sorted())",
          isInitial: false)
      case .error(let error): hear("\(error)", isInitial: false)
      }
    }
  }
}

extension Probe {
  static let newsInEachState: [Probe] = RealmPlace.loops.map(newsInStates)

  /// Listeners to each kind of thing of a realm in each state, and each kind of commit after it.
  static func newsInStates(_ make: RealmMake, _ place: RealmPlace) -> Probe {
    Probe(
      "listeners are told of each commit in each state of a realm: \(make.rawValue), "
        + place.rawValue
    ) { stage in
      let situation = try Situation(stage, make, place, recorded: make == .file)
      for (number, state) in RealmState.due(situation).enumerated()
      where state.isLive && !state.isInWrite && state != .beside {
        for way in 0..<3
        where stage.isDue(
          way + 2 * (number + 1), of: 3, apart: RealmState.share(situation))
        {
          let kind = ["its own", "an asynchronous one", "another's"][way]
          let what = "\(kind), \(state.rawValue), \(situation.words)"
          let reports = [
            "all", "a filter", "sorted ones", "a list", "a list of numbers", "a set", "a map",
            "the object", "the realm",
          ].map { Report($0) }
          let told = { (name: String) in reports.first { $0.name == name }! }
          let counts = counts(situation.cargo(2))
          // A write begins with what another has committed, and whoever has time may tell of that
          // first.
          if state == .behind, way < 2 {
            for report in reports { report.awaited = counts[report.name] }
          }
          try situation.pass(state, asking: { listen(told, $0) }) {
            for report in reports where !["the object", "the realm"].contains(report.name) {
              try situation.wait(for: report.began)
            }
            try commit(situation, way)
            for report in reports { try situation.wait(for: report.came) }
            try situation.work {
              for report in reports {
                let last = report.told.last ?? "nothing"
                stage.expect(
                  last.hasPrefix(counts[report.name] ?? "told"),
                  "\(report.name) is told of \(counts[report.name] ?? "it") by \(what)",
                  observed: last)
                // A write begins with what another has committed; a refresh brings both at once, in
                // which somebody has gone and another come under the key.
                if report.name == "sorted ones", state != .behind || way < 2 {
                  let begin = state == .behind ? 1 : state.turn
                  let told = places(situation, from: begin)
                  stage.equal(last, told, "what the sorted ones are told of \(what)")
                }
                report.token?.invalidate()
                report.token = nil
              }
            }
          }
        }
      }
      try situation.end()
    }
  }

  private static func listen(_ told: (String) -> Report, _ realm: Realm) {
    let vessel = realm.vessel(0)!
    told("all").listen(to: realm.objects(Vessel.self))
    told("a filter").listen(to: realm.objects(Vessel.self).where { $0.number >= 0 })
    told("sorted ones").listen(to: realm.objects(Vessel.self).sorted(byKeyPath: "id"))
    told("a list").listen(to: vessel.links)
    told("a list of numbers").listen(to: vessel.numbers)
    told("a set").listen(to: vessel.group)
    told("a map").listen(to: vessel.titles)
    let (object, whole) = (told("the object"), told("the realm"))
    object.token = vessel.observe { [unowned object] (_: ObjectChange<Vessel>) in
      object.hear("told", isInitial: false)
    }
    whole.token = realm.observe { [unowned whole] _, _ in whole.hear("told", isInitial: false) }
  }

  /// Brings the realm to turn 2, in one of three ways.
  private static func commit(_ situation: Situation, _ way: Int) throws {
    let cargo = situation.cargo(2)
    switch way {
    case 0: try situation.work { try situation.realm.write { cargo.put(into: situation.realm) } }
    case 1:
      let done = Latch("the completion")
      try situation.work {
        situation.realm.writeAsync(
          { cargo.put(into: situation.realm) }, onComplete: { _ in done.open() })
      }
      try situation.wait(for: done)
    default:
      try situation.foreign(turn: 2)
      // A realm that rests comes when it is told to.
      try situation.work { _ = situation.realm.refresh() }
    }
  }

  /// How many there are in the end.
  private static func counts(_ cargo: Cargo) -> [String: String] {
    let piece = cargo[0]
    return [
      "all": cargo.ids.count, "a filter": cargo.ids.count { cargo[$0].number >= 0 },
      "sorted ones": cargo.ids.count, "a list": piece.links.count,
      "a list of numbers": piece.numbers.count, "a set": piece.group.count,
      "a map": piece.titles.count,
    ].mapValues { "\($0) " }
  }

  /// What is told where the places of all members are known.
  private static func places(_ situation: Situation, from turn: Int) -> String {
    let (old, new) = (situation.cargo(turn), situation.cargo(2))
    let deletions = old.ids.indices.filter { new.pieces[old.ids[$0]] == nil }
    let insertions = new.ids.indices.filter { old.pieces[new.ids[$0]] == nil }
    let stay = old.ids.indices.filter { new.pieces[old.ids[$0]] != nil }
    return "\(new.ids.count) \(deletions) \(insertions) \(stay)"
  }
}
