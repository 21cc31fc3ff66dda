import EngineUnderTest
import Foundation

extension Probe {
  /// What observers hear that name several key paths, in each order: of each of them, and of
  /// nothing else.
  static let severalPaths = Probe("each of several key paths counts, in whatever order") { stage in
    let realm = try RefKinds.stocked(stage)
    let (one, two) = (realm.vessel(1)!, realm.vessel(2)!)
    try realm.write {
      one.link = two
      one.links.removeAll()
      one.links.append(two)
      two.link = nil
      two.links.removeAll()
    }
    // What reaches vessel 1 by a path, and what that changes.
    var number = 100
    let changes: [(path: String, change: () -> Void)] = [
      ("number", { one.number = number }), ("text", { one.text = "text \(number)" }),
      ("name", { one.name = "name \(number)" }), ("maybe", { one.maybe = number }),
      ("titles", { one.titles["\(number)"] = "new" }),
      ("numbers", { one.numbers.append(number) }),
      ("link.number", { two.number = number }), ("links.text", { two.text = "text \(number)" }),
    ]
    let sets: [[String]] = [
      ["number", "text"], ["text", "number"], ["name", "maybe", "number"],
      ["number", "link.number"], ["link.number", "number"],
      ["links.text", "titles", "link.number"],
      ["numbers", "titles"], ["text", "name", "text"], changes.map(\.path),
      changes.map(\.path).reversed(),
    ]
    var told: [String: Int] = [:]
    var tokens: [NotificationToken] = []
    var paths: [String: [String]] = [:]
    func hear(_ kind: String, _ set: [String], _ token: (@escaping () -> Void) -> NotificationToken)
    {
      let name = "\(kind) by \(set)"
      paths[name] = set
      tokens.append(token { told[name, default: 0] += 1 })
    }
    for set in sets {
      hear("an object", set) { call in
        one.observe(keyPaths: set) { (_: ObjectChange<Vessel>) in call() }
      }
      hear("results", set) { call in
        realm.objects(Vessel.self).where { $0.id == 1 }.observe(keyPaths: set) {
          if case .update = $0 { call() }
        }
      }
      hear("sorted results", set) { call in
        realm.objects(Vessel.self).where { $0.id == 1 }.sorted(byKeyPath: "id")
          .observe(keyPaths: set) { if case .update = $0 { call() } }
      }
    }
    try stage.settle(realm)
    for (path, change) in changes + changes.reversed() {
      number += 1
      told = [:]
      try realm.write { change() }
      try stage.settle(realm)
      let expected = paths.filter { $0.value.contains(path) }.mapValues { _ in 1 }
      stage.expect(
        told == expected, "a change of \(path) is told once to whoever names it",
        observed: "not to \(expected.keys.filter { told[$0] == nil }.sorted()), but to "
          + "\(told.filter { expected[$0.key] != $0.value })")
    }
    // All of it at once is one call.
    number += 1
    told = [:]
    try realm.write { for (_, change) in changes { change() } }
    try stage.settle(realm)
    stage.equal(told, paths.mapValues { _ in 1 }, "who is told of all changes at once")
    for token in tokens { token.invalidate() }
  }

  /// A listener of each kind left out of a commit, alone and with another one beside it.
  static let eachIsSilenced = Probe("a token of each kind is skipped, and nobody else") { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    let names = EachListener.all.map(\.name)
    var told: [String: Int] = [:]
    let tokens = EachListener.all.map { one in
      one.listen(realm) { told[one.name, default: 0] += 1 }
    }
    // Another of each kind, which is never left out.
    let others = EachListener.all.map { one in
      one.listen(realm) { told["another of \(one.name)", default: 0] += 1 }
    }
    try stage.settle(realm)
    var number = 0
    func commit(skipping places: [Int], _ what: String, byHand: Bool = false) throws {
      number += 1
      told = [:]
      let skipped = places.map { tokens[$0] }
      if byHand {
        realm.beginWrite()
        RefKinds.change(realm, number)
        try realm.commitWrite(withoutNotifying: skipped)
      } else {
        try realm.write(withoutNotifying: skipped) { RefKinds.change(realm, number) }
      }
      try stage.settle(realm)
      let heard = Set(names.indices).subtracting(places).map { names[$0] }
      let all = heard + names.map { "another of \($0)" }
      let expected = Dictionary(uniqueKeysWithValues: all.map { ($0, 1) })
      stage.expect(
        told == expected, "\(what) is told once to all others",
        observed: "not to \(expected.keys.filter { told[$0] == nil }.sorted()), but to "
          + "\(told.filter { expected[$0.key] != $0.value })")
    }
    for place in names.indices {
      try commit(skipping: [place], "a write without \(names[place])", byHand: place % 2 == 0)
      if place % 5 == 0 { try commit(skipping: [], "the write behind it") }
    }
    try commit(skipping: Array(names.indices), "a write without any of them")
    try commit(skipping: [], "a write without anybody left out")
    for token in tokens + others { token.invalidate() }
  }
}
