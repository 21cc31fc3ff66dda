import EngineUnderTest
import Foundation
import Harness

/// Keys that people, or Swift, take for one and the file for two, and one that is none to Swift.
enum SectionSpellings {
  private static let spellings = ["\u{e9}", "e\u{301}"]

  static let probe = Probe(
    "sections are told apart by what is stored: two spellings are two keys, and NaN is one"
  ) { stage in
    let realm = try Realm(configuration: stage.cupboards("spellings"))
    try realm.write {
      for id in 0..<6 {
        let cupboard = Cupboard(id: id)
        cupboard.text = spellings[id % 2]
        (cupboard.fraction, cupboard.single) = (id < 4 ? .nan : 1, id < 4 ? .nan : 1)
        realm.add(cupboard)
      }
    }
    for home in [realm, realm.freeze()] {
      let all = home.objects(Cupboard.self)
      let what = "frozen: \(home.isFrozen)"
      let texts = all.sectioned(by: \.text)
      stage.equal(
        texts.map { Set($0.map(\.id)) }, [[1, 3, 5], [0, 2, 4]], "sections by a text, \(what)")
      stage.equal(
        texts.allKeys.map { Array($0.utf8) }, [Array(spellings[1].utf8), Array(spellings[0].utf8)],
        "the keys of the texts, \(what)")
      let fractions = all.sectioned(by: \.fraction)
      stage.equal(fractions.map(\.count), [4, 2], "sections by a fraction, \(what)")
      stage.equal(
        fractions.map { $0.map(\.id).count }, [4, 2], "members by a fraction, one by one, \(what)")
      let floats = all.sectioned(
        by: { $0.single }, sortDescriptors: [SortDescriptor(keyPath: "id")])
      stage.equal(floats.map(\.count), [4, 2], "sections by a function, \(what)")
    }
  }

  static let told = Probe(
    "listeners of sections are told of the one of NaN, and of two spellings, as of any other"
  ) { stage in
    let realm = try Realm(configuration: stage.cupboards("told"))
    try realm.write {
      for id in 0..<4 {
        let cupboard = Cupboard(id: id)
        (cupboard.fraction, cupboard.text) = (.nan, spellings[id % 2])
        realm.add(cupboard)
      }
    }
    let all = realm.objects(Cupboard.self)
    var calls: [String] = []
    func note<Sections>(_ name: String, _ change: SectionedResultsChange<Sections>) {
      guard case .update(_, let gone, let come, let changed, let new, let old) = change else {
        return calls.append("\(name) first")
      }
      calls.append(
        "\(name) -\(gone.count) +\(come.count) ~\(changed.count) sections +\(new.count) "
          + "-\(old.count)")
    }
    let (fractions, texts) = (all.sectioned(by: \.fraction), all.sectioned(by: \.text))
    let tokens = [
      fractions.observe { note("fractions", $0) }, fractions[0].observe { note("NaN", $0) },
      texts.observe { note("texts", $0) }, texts[1].observe { note("one text", $0) },
    ]
    try stage.spin(until: { calls.count == 4 }, "the first calls")
    calls.removeAll()
    try realm.write { realm.cupboard(0).whole = 7 }
    try stage.spin(until: { calls.count >= 4 }, "the calls for a change of a member")
    let one = "-0 +0 ~1 sections +0 -0"
    stage.equal(
      calls.sorted(), ["NaN \(one)", "fractions \(one)", "one text \(one)", "texts \(one)"],
      "what was told of a change of a member")
    calls.removeAll()
    try realm.write { realm.cupboard(1).whole = 7 }
    try stage.spin(until: { calls.count >= 3 }, "the calls for a change of another")
    stage.equal(
      calls.sorted(), ["NaN \(one)", "fractions \(one)", "texts \(one)"],
      "what was told of a member of the other spelling")
    for token in tokens { token.invalidate() }
  }
}
