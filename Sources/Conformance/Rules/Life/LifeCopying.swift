import EngineUnderTest
import Foundation
import Harness

extension Rules.Life {
  static let copying: [Rule] = [
    life14, life15,
  ]

  static let life14 = Rule(
    "LIFE-14", .documented,
    "`writeCopy(toFile:)`/`(configuration:)` MUST write the version the realm is on (or the "
      + "current write's state), be openable at once, and refuse to overwrite.",
    source: "S0 Communication (\"copy the object from the realm\") only touches objects; (impl) "
      + "RST:929, OCT 2452.",
    broken: "copy of another version; overwrites",
    probes: [
      Probe("a copy holds the version the realm is on") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        use(realm.account(1).balance)
        try stage.foreign { $0.account(1).balance = 7 }
        let url = stage.directory.appendingPathComponent("copy.realm")
        try realm.writeCopy(toFile: url)
        stage.equal(
          try stage.seen("copy") { $0.account(1).balance }, 100, "the balance in the copy")
        stage.equal(
          try stage.seen("copy") { $0.person("Ann").dogs.count }, 2, "Ann's dogs in the copy")
        do {
          try realm.writeCopy(toFile: url)
          stage.fail(expected: "an error", observed: "overwritten")
        } catch { stage.expect(true, "it refuses to overwrite") }
        stage.equal(
          try stage.seen("copy") { $0.account(1).balance }, 100, "the balance in the copy still")
      },
      Probe("a copy made in a write holds the state of that write") { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        realm.account(1).balance = 7
        try realm.writeCopy(configuration: stage.configuration("copy"))
        realm.cancelWrite()
        stage.equal(
          try stage.seen("copy") { $0.account(1).balance }, 7, "the balance in the copy")
        stage.equal(realm.account(1).balance, 100, "the balance of the original")
        // A copy is a file of its own.
        try stage.foreign("copy") { $0.account(1).balance = 8 }
        stage.equal(try stage.seen { $0.account(1).balance }, 100, "the balance in the original")
      },
    ] + Probe.wholeCopies + [Probe.changesCopied] + Beyond.copies + Probe.crowdsCopied
      + [Programs.copying.probe, Errors.inTheWay, Probe.copiesKeepTheVersion]
      + [Probe.namesOfCopies, Probe.linksOfCopies]
      + RealmMake.allCases.map { .copiesInStates($0) })

  static let life15 = Rule(
    "LIFE-15", .documented,
    "Copying values out of an object (plain values, `Object(value: managed)`) MUST give an "
      + "independent unmanaged copy that pins nothing.",
    source:
      "S0/S1/S3 (\"copy the object from the realm\"; \"consider copying what you need out\").",
    broken: "copy keeps the realm alive",
    probes: [
      Probe("a copied object is unmanaged and independent") { stage in
        let realm = try stage.stocked()
        let copy = Account(value: realm.account(1))
        stage.expect(copy.realm == nil, "the copy has no realm")
        stage.equal(copy.balance, 100, "the copy's balance")
        try realm.write { realm.account(1).balance = 7 }
        stage.equal(copy.balance, 100, "the copy's balance after a write")
        copy.balance = 8
        stage.equal(realm.account(1).balance, 7, "the original's balance")
        realm.invalidate()
        stage.equal(copy.balance, 8, "the copy's balance after invalidate()")
      },
      Probe("a copied object keeps nothing of its realm") { stage in
        var copy: Account?
        try stage.elsewhere { copy = Account(value: try stage.stocked().account(1)) }
        stage.equal(
          try Realm.deleteFiles(for: stage.configuration()), true, "whether the files were deleted")
        stage.equal(copy?.balance, 100, "the copy's balance")
      },
    ] + [.copiesOfEachProperty] + [Probe.changesOfCopies] + Beyond.copiesOfValues
      + [Programs.copyingOut.probe])
}
