import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Each change of a write that is open, and of one that is over, in a copy of the file.
  static let changesCopied = Probe("a copy has each change that there is, of an open write, too") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    for (number, change) in Change.all.enumerated() where stage.isDue(number, of: 3) {
      var copy = realm.configuration
      copy.fileURL = stage.directory.appendingPathComponent("copy \(number).realm")
      realm.beginWrite()
      realm.deleteAll()
      Vessel.stock(realm)
      change.prepare(realm.vessel(1)!)()
      let isOver = stage.isTurn(number, of: 2, apart: 3)
      if isOver { try realm.commitWrite() }
      try realm.writeCopy(toFile: copy.fileURL!)
      let dump = realm.dump
      stage.equal(
        try Realm(configuration: copy).dump, dump,
        "what a copy has after \(change.name), of a write that is over: \(isOver)")
      if realm.isInWriteTransaction { realm.cancelWrite() }
      _ = try Realm.deleteFiles(for: copy)
    }
  }

  /// Each change, once everybody has closed the file and opened it again: here, compacting it, and
  /// in another process.
  static let changesReopened = Probe(
    "each change that there is, is there when the file is opened again",
    companions: [
      "reader": { stage in
        let realm = try Realm(configuration: Vessel.configuration(stage))
        stage.tell(realm.dump.replacingOccurrences(of: "\n", with: " "))
      }
    ]
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for (number, change) in Change.all.enumerated() where stage.isDue(number, of: 2) {
      var configuration = Vessel.configuration(stage)
      let dump = try stage.elsewhere {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          realm.deleteAll()
          Vessel.stock(realm)
          change.prepare(realm.vessel(1)!)()
        }
        return realm.dump
      }
      let isCompacted = stage.isTurn(number, of: 8)
      if isCompacted { configuration.shouldCompactOnLaunch = { _, _ in true } }
      let seen = try stage.elsewhere { [configuration] in
        try Realm(configuration: configuration).dump
      }
      stage.equal(
        seen, dump,
        "what is there after \(change.name), opened again, compacted: \(isCompacted)")
      if stage.isDue(number, of: 20) {
        let reader = try stage.companion("reader")
        stage.equal(
          try stage.hear(reader, "what it sees"), dump,
          "what another process sees of \(change.name)")
      }
    }
  }

  /// An unmanaged copy has what the object has, and nothing in common with it.
  static let changesOfCopies = Probe("a copy of an object has each change, and is its own") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    for change in Change.all where change.place != .part {
      realm.beginWrite()
      realm.deleteAll()
      Vessel.stock(realm)
      change.prepare(realm.vessel(1)!)()
      try realm.commitWrite()
      let vessel = realm.vessel(1)!
      let before = vessel.dump
      let copy = Vessel(value: vessel)
      stage.equal(copy.realm == nil, true, "whether the copy is of no realm")
      stage.equal(copy.ownDump, vessel.ownDump, "what a copy has after \(change.name)")
      copy.text = "of the copy"
      copy.texts.append("of the copy")
      copy.titles["copy"] = "of the copy"
      copy.labels.insert("of the copy")
      stage.equal(vessel.dump, before, "what the object has when its copy is changed")
      try realm.write { vessel.texts.removeAll() }
      stage.equal(copy.texts.last, "of the copy", "what the copy has when the object is changed")
      try realm.write { realm.deleteAll() }
      stage.equal(copy.text, "of the copy", "what the copy has when all is gone")
    }
  }
}

extension Vessel {
  /// What is copied of it, but for what leads to others.
  fileprivate var ownDump: String {
    "\(id) \(number) \(text) \(name) \(maybeText ?? "nil") \(data.count) \(ratio.isNaN) "
      + "\(mark) \(price) \(truth) \(Array(numbers)) \(Array(texts)) \(Array(labels).sorted()) "
      + "\(titles.keys.sorted()) \(blobs.count) \(mixture.count) \(mixedSet.count) "
      + "\(mixedMap.keys.sorted()) \(part?.text ?? "nil") \(parts.map(\.text))"
  }
}
