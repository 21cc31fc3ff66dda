import EngineUnderTest
import Foundation
import Harness
import Synchronization

extension Probe {
  /// In the middle of each change nobody else sees anything of it: not who has the file open, not
  /// who opens it, here or in another process; and all of them see all of it afterwards, however it
  /// is committed.
  static let changesAreWhole = Probe(
    "nobody sees anything of a write that is open, and everybody all of it afterwards",
    companions: [
      "reader": { stage in
        let realm = try Vessel.stocked(stage)
        while stage.hear() != nil {
          realm.refresh()
          stage.tell(realm.dump)
        }
      }
    ]
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    let configuration = realm.configuration
    let queue = DispatchQueue(label: "who has it open")
    var open: Realm?
    try queue.sync { open = try Realm(configuration: configuration, queue: queue) }
    let reader = try stage.companion("reader")
    func seen(_ deep: Bool) throws -> [String] {
      var all = [
        queue.sync {
          open!.refresh()
          return open!.dump
        }, try stage.elsewhere { try Realm(configuration: configuration).dump },
      ]
      if deep {
        reader.send("look")
        all.append(try stage.hear(reader, "what it sees"))
      }
      return all
    }
    for (number, change) in Change.all.enumerated() where stage.isDue(number + 1, of: 2) {
      try realm.write {
        realm.deleteAll()
        Vessel.stock(realm)
      }
      let before = realm.dump
      let isFar = stage.isTurn(number + 5, of: 6)
      let manner = Manner.turn(stage, number / 2, apart: 2)
      try manner.commit(stage, realm) {
        change.prepare(realm.vessel(1))()
        realm.vessel(2).number += 1
        do {
          for (place, one) in try seen(isFar).enumerated() {
            stage.equal(one, before, "what \(place) sees in the middle of \(change.name)")
          }
        } catch { stage.fail(expected: "a look from elsewhere", observed: "\(error)") }
        realm.add(Vessel(id: 60))
        realm.vessel(2).texts.append("more")
      }
      let after = realm.dump
      for (place, one) in try seen(isFar).enumerated() {
        stage.equal(one, after, "what \(place) sees after \(change.name) by \(manner.name)")
      }
    }
    queue.sync { open = nil }
    reader.signal(SIGKILL)
  }

  /// Readers that refresh without end while others commit changes of many kinds at once.
  static let readersSeeWholes = Probe("who refreshes while others commit never sees a part") {
    stage in
    Backstage.hooks?.skipFlushes()
    let configuration = Vessel.configuration(stage)
    try stage.elsewhere {
      let realm = try Vessel.stocked(stage)
      try realm.write { for id in 10..<40 { realm.add(Vessel(id: id)) } }
    }
    let isOver = Latch("the end of the commits")
    let looks = Atomic(0)
    for number in 0..<3 {
      stage.thread("reader \(number)") {
        let realm = try Realm(configuration: configuration)
        let first = realm.vessel(1)!
        while true {
          let isLast = isOver.isOpen
          // One looks through what it has, one opens anew, one reads a frozen version.
          let shown =
            switch number {
            case 0: realm.parts(of: first)
            case 1: try Realm(configuration: configuration).parts(of: nil)
            default: realm.freeze().parts(of: nil)
            }
          if !stage.expect(
            Set(shown).count == 1, "the same number in each part", observed: "\(shown)")
          {
            return
          }
          looks.add(1, ordering: .sequentiallyConsistent)
          if isLast { return }
          realm.refresh()
        }
      }
    }
    for number in 0..<2 {
      stage.thread("writer \(number)") {
        let realm = try Realm(configuration: configuration)
        for round in 0..<60 {
          try realm.write { realm.setParts(to: realm.vessel(1).number + 1) }
          if round % 7 == 0 {
            realm.beginWrite()
            realm.setParts(to: -1)
            realm.cancelWrite()
          }
        }
        if stage.stamps.draw() == 2 { isOver.open() }
      }
    }
    try stage.joinAll()
    stage.expect(looks.load(ordering: .sequentiallyConsistent) > 3, "looks of the readers")
  }
}

extension Realm {
  /// Sets the same number in each kind of place.
  fileprivate func setParts(to number: Int) {
    let one = vessel(1)!
    one.number = number
    one.text = String(repeating: "\(number)", count: 400)
    one.name = "\(number)"
    one.numbers.assign([number, number])
    one.texts[0] = "\(number)"
    one.titles["a"] = "\(number)"
    one.labels.removeAll()
    one.labels.insert("\(number)")
    one.mixed = .int(number)
    one.part = Part(text: "\(number)")
    one.parts[0].text = "\(number)"
    for id in 10..<40 { vessel(id).number = number }
    delete(objects(Vessel.self).where { $0.id >= 100 })
    add(Vessel(id: 1_000 + number))
  }

  /// What stands in each of them.
  fileprivate func parts(of known: Vessel?) -> [String] {
    let one = known ?? vessel(1)!
    // Before the first of them.
    if one.number == 0 { return ["0"] }
    return [
      "\(one.number)", one.name, "\(one.numbers[0])", "\(one.numbers[1])", one.texts[0],
      one.titles["a"] ?? "none", one.labels.first ?? "none", "\(one.mixed.intValue ?? -2)",
      one.part?.text ?? "none", one.parts[0].text,
      one.text == String(repeating: "\(one.number)", count: 400) ? "\(one.number)" : "another text",
      "\(objects(Vessel.self).where { $0.name == "\(one.number)" }.first?.number ?? -3)",
      "\((objects(Vessel.self).max(ofProperty: "id") as Int? ?? 0) - 1_000)",
    ] + (10..<40).map { "\(vessel($0).number)" }
  }
}
