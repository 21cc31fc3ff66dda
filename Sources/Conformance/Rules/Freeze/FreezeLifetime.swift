import EngineUnderTest
import Foundation
import Harness

extension Rules.Freeze {
  static let lifetime: [Rule] = [
    freeze36, freeze37, freeze38, freeze39, freeze42,
  ]

  static let freeze36 = Rule(
    "FREEZE-36", .documented,
    "Frozen views MUST stay readable while the live realm that spawned them is open.",
    source: "S0/S1/S3 lifetime sentence.",
    broken: "frozen view breaks when the live realm refreshes or writes",
    probes: [
      Probe("frozen views stay readable while their realm lives on") { stage in
        let realm = try stage.stocked()
        let frozen = realm.person("Ann").freeze()
        for round in 1...20 {
          try realm.write { realm.person("Ann").age = round }
          try stage.foreign { $0.account(1).balance = round }
          realm.refresh()
          stage.equal(frozen.age, 30, "the frozen age here")
          try stage.elsewhere { stage.equal(frozen.dogs.count, 2, "the frozen dogs there") }
        }
        try Stage.addBlob(to: realm)
        let blob = realm.object(ofType: Blob.self, forPrimaryKey: 1)!.freeze()
        try stage.elsewhere { try stage.overwriteBlob() }
        realm.refresh()
        try stage.elsewhere { try stage.overwriteBlob() }
        stage.expect(blob.bytes == Data(count: Stage.blobSize), "the frozen bytes in the end")
      }
    ])

  static let freeze37 = Rule(
    "FREEZE-37", .documented,
    "Frozen views held after the live realm has been released or invalidated MUST NOT crash "
      + "or give wrong data.",
    source: "S0/S1/S3 lifetime sentence",
    broken: "use after unmap",
    probes: [
      Probe("frozen views outlive the realm they came from") { stage in
        var frozen: Person?
        var frozenRealm: Realm?
        try stage.elsewhere {
          let realm = try stage.stocked()
          frozen = realm.person("Ann").freeze()
          try Stage.addBlob(to: realm)
          frozenRealm = realm.freeze()
        }
        for round in 1...50 {
          try stage.foreign { $0.objects(Person.self)[0].name = "Ann \(round)" }
        }
        try stage.elsewhere { try stage.overwriteBlob() }
        let blob = frozenRealm!.object(ofType: Blob.self, forPrimaryKey: 1)!
        stage.expect(blob.bytes == Data(count: Stage.blobSize), "the frozen bytes")
        stage.equal(frozen!.name, "Ann", "the frozen name")
        stage.equal(frozen!.dogs.map(\.name), ["Ann's 1", "Ann's 2"], "the frozen dogs")
        stage.equal(frozenRealm!.objects(Person.self).count, 3, "the frozen people")
      },
      Probe("frozen views outlive an invalidate() of their realm") { stage in
        let realm = try stage.stocked()
        let frozen = realm.person("Ann").freeze()
        realm.invalidate()
        for round in 1...50 { try stage.foreign { $0.account(1).note = "\(round)" } }
        stage.equal(frozen.age, 30, "the frozen age")
      },
    ] + [Probe.readsOfFrozen] + [FreezeKinds.survivors])

  static let freeze38 = Rule(
    "FREEZE-38", .documented,
    "A frozen realm MAY be closed (released or invalidated) before the live one without "
      + "affecting it.",
    source: "S0/S1/S3.",
    broken: "closing frozen closes the shared file handle",
    probes: [
      Probe("a frozen realm goes first and disturbs nobody") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        do {
          let frozen = realm.freeze()
          use(frozen.person("Ann").age)
        }
        realm.freeze().invalidate()
        stage.equal(ann.age, 30, "Ann's age")
        try realm.write { ann.age = 31 }
        stage.equal(try stage.seen { $0.person("Ann").age }, 31, "Ann's age elsewhere")
        stage.equal(realm.freeze().person("Ann").age, 31, "Ann's age in a new frozen realm")
        try realm.write { ann.age = 32 }
        stage.equal(try stage.seen { $0.person("Ann").age }, 32, "Ann's age in the end")
      }
    ] + [.frozenAgain])

  static let freeze39 = Rule(
    "FREEZE-39", .implementation,
    "`invalidate()` on a frozen realm closes it; a later read from it MUST die.",
    source: "(impl) OCT 2556. other instances frozen at other versions unaffected.",
    broken: "reads go to the live realm",
    probes: [
      Probe.dies(
        "a read from an invalidated frozen realm",
        saying: "Cannot read from a frozen Realm which has been invalidated", Words.invalidated,
        "invalidated"
      ) { stage in
        let frozen = try stage.stocked().freeze()
        frozen.invalidate()
        stage.act { use(frozen.objects(Person.self).count) }
      },
      Probe("frozen realms of other versions are unaffected") { stage in
        let realm = try stage.stocked()
        let one = realm.freeze()
        try realm.write { realm.account(1).balance = 7 }
        let two = realm.freeze()
        one.invalidate()
        stage.equal(two.account(1).balance, 7, "the other frozen realm's balance")
        stage.equal(realm.account(1).balance, 7, "the live realm's balance")
      },
    ] + Probe.closedReads + Probe.readsOfTheInvalid(frozen: true))

  static let freeze42 = Rule(
    "FREEZE-42", .documented,
    "Frozen objects held in large numbers make the file grow (GROW-01..); one frozen object "
      + "per version suffices to pin that version.",
    source: "S0/S1/S3 caching note. see GROW.",
    broken: "(see GROW-01)",
    probes: [
      Probe("frozen objects of many versions keep each of them") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 0, count: Stage.blobSize))) }
        var frozen: [Blob] = []
        for round in 1...20 {
          frozen.append(realm.object(ofType: Blob.self, forPrimaryKey: 1)!.freeze())
          try realm.write {
            realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
              repeating: UInt8(round), count: Stage.blobSize)
          }
        }
        for (number, blob) in frozen.enumerated() {
          guard
            stage.expect(
              blob.bytes == Data(repeating: UInt8(number), count: Stage.blobSize),
              "version \(number) as it was")
          else { return }
        }
        stage.expect(
          stage.size() >= 20 * Stage.blobSize, "a file that holds them all",
          observed: "\(stage.size() / Stage.blobSize) blobs")
      }
    ])
}
