import EngineUnderTest
import Foundation

/// Who listens to one section alone: what is done to others is nothing to it, and what is done to
/// its own members is.
enum OneSection {
  private static let watched = 40

  private static func stock(_ realm: Realm) {
    realm.deleteAll()
    let owner = Specimen(id: 1)
    realm.add(owner)
    for amount in [20, 40, 60] {
      for place in 0..<3 { put(realm, amount * 10 + place * 2, amount) }
    }
  }

  private static func put(_ realm: Realm, _ id: Int, _ amount: Int) {
    let one = Specimen(id: id)
    one.amount = amount
    realm.add(one)
    realm.specimen(1)!.members.append(one)
  }

  private static func of(_ amount: Int, _ realm: Realm) -> Results<Specimen> {
    realm.objects(Specimen.self).where { $0.amount == amount }.sorted(byKeyPath: "id")
  }

  private typealias Act = (name: String, run: @Sendable (Realm) -> Void)

  /// What leaves the members of the watched section as they are.
  private static let elsewhere: [Act] = [
    ("a member of the section before was set", { of(20, $0)[1].word = "set" }),
    ("a member of the section behind was set", { of(60, $0)[0].word = "set" }),
    (
      "all members of others were set",
      { for one in $0.objects(Specimen.self) where one.amount != watched { one.word = "set" } }
    ),
    ("one came to the section before", { put($0, 205, 20) }),
    ("one came to the section behind", { put($0, 699, 60) }),
    ("one went from the section before", { $0.delete(of(20, $0)[0]) }),
    ("one went from the section behind", { $0.delete(of(60, $0)[2]) }),
    ("one went from a section to another", { of(20, $0)[2].amount = 60 }),
    ("a section came before", { put($0, 100, 10) }),
    ("a section came behind", { put($0, 700, 70) }),
    ("the section before went", { $0.delete(of(20, $0)) }),
    ("the section behind went", { $0.delete(of(60, $0)) }),
    ("two others became one", { for one in Array(of(20, $0)) { one.amount = 60 } }),
    ("who has the list was set", { $0.specimen(1)!.word = "set" }),
  ]

  /// What is done to it.
  private static let here: [Act] = [
    ("a member was set", { of(watched, $0)[1].word = "own" }),
    ("one came", { put($0, 405, watched) }),
    ("one went", { $0.delete(of(watched, $0)[0]) }),
    ("one came from another", { of(20, $0)[0].amount = watched }),
    ("it went", { $0.delete(of(watched, $0)) }),
  ]

  private typealias Sections = SectionedResults<Int, Specimen>

  private enum Origin: String, CaseIterable {
    case results = "of all objects"
    case sorted = "of sorted ones"
    case list = "of a list"
    case query = "of a query"

    func sections(_ realm: Realm) -> Sections {
      let all = realm.objects(Specimen.self)
      switch self {
      case .results: return all.sectioned(by: \.amount, ascending: true)
      case .sorted:
        return all.sectioned(
          by: \.amount,
          sortDescriptors: [
            SortDescriptor(keyPath: "amount", ascending: false), SortDescriptor(keyPath: "id"),
          ])
      case .list: return realm.specimen(1)!.members.sectioned(by: \.amount, ascending: true)
      case .query:
        return all.where { $0.amount > 0 }.sectioned(by: \.amount, ascending: true)
      }
    }
  }

  static let probes: [Probe] = Origin.allCases.flatMap { origin in
    [false, true].map { isForeign in
      Probe(
        "one section \(origin.rawValue) is not told of others: "
          + (isForeign ? "another thread's changes" : "own changes")
      ) { stage in
        Backstage.hooks?.skipFlushes()
        let realm = try Realm(configuration: stage.specimens())
        for (number, act) in elsewhere.enumerated() {
          let own = here[number % here.count]
          try look(stage, realm, origin, isForeign, act, own)
        }
      }
    }
  }

  private static func look(
    _ stage: Stage, _ realm: Realm, _ origin: Origin, _ isForeign: Bool, _ act: Act, _ own: Act
  ) throws {
    try realm.write { stock(realm) }
    let sections = origin.sections(realm)
    guard let section = sections.first(where: { $0.key == watched }) else {
      return stage.fail(expected: "a section of \(watched)", observed: "none")
    }
    var (begun, calls, all) = (0, [0, 0], 0)
    func listen(_ place: Int, _ paths: [String]?) -> NotificationToken {
      section.observe(keyPaths: paths) { change in
        if case .update = change { calls[place] += 1 } else { begun += 1 }
      }
    }
    let tokens = [
      listen(0, nil), listen(1, ["word"]),
      sections.observe { change in
        if case .update = change { all += 1 } else { begun += 1 }
      },
    ]
    try stage.spin(until: { begun == 3 }, "the first calls")
    let configuration = realm.configuration
    func run(_ act: Act) throws {
      if isForeign {
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { act.run(other) }
        }
        realm.refresh()
      } else {
        try realm.write { act.run(realm) }
      }
      try stage.settle(of: realm)
    }
    try run(act)
    stage.equal(calls, [0, 0], "the calls of one section, when \(act.name)")
    try run(own)
    stage.equal(calls, [1, 1], "the calls of one section, when \(act.name), and then \(own.name)")
    stage.expect(all > 0, "that the listener of all sections is told", observed: "\(all) calls")
    for token in tokens { token.invalidate() }
  }
}
