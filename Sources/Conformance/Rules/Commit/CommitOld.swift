import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// A realm reads objects and stays on that version while others commit each kind of change. Then
  /// it writes, in each way: its commit has to build on theirs, not on what it had read.
  static let writesOfOldRealms = Probe(
    "a realm that is behind writes on top of each change, in each way"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    realm.autorefresh = false
    let configuration = realm.configuration
    let twin = try Vessel.stocked(stage, "twin")
    for (number, change) in Change.all.enumerated()
    where change.name != "a UUID" && stage.isDue(number, of: 2) {
      for one in [realm, twin] {
        try one.write {
          one.deleteAll()
          Vessel.stock(one)
        }
      }
      // All of it has been read, and some of it is kept.
      let before = realm.dump
      let (first, second) = (realm.vessel(1)!, realm.vessel(2)!)
      let (texts, titles, links) = (second.texts, second.titles, second.links)
      use((texts.count, titles.count, links.count))
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { change.prepare(other.vessel(1))() }
        try other.write {
          other.vessel(2).texts.append("theirs")
          other.vessel(2).titles["theirs"] = "title"
          other.vessel(2).links.append(other.vessel(2))
          other.add(Vessel(id: 50))
        }
      }
      stage.equal(realm.dump, before, "what is here before the write, of \(change.name)")
      let manner = Manner.turn(stage, number / 2, apart: 2)
      try manner.commit(stage, realm) {
        second.number += 7
        texts.append("ours")
        titles["ours"] = "title"
        links.append(first)
        realm.add(Vessel(id: 51))
      }
      try twin.write { change.prepare(twin.vessel(1))() }
      try twin.write {
        let second = twin.vessel(2)!
        second.number += 7
        second.texts.append(objectsIn: ["theirs", "ours"])
        second.titles["theirs"] = "title"
        second.titles["ours"] = "title"
        second.links.append(objectsIn: [second, twin.vessel(1)])
        twin.add([Vessel(id: 50), Vessel(id: 51)])
      }
      let what = "of both, \(change.name) theirs and ours by \(manner.name)"
      stage.equal(realm.unmarked, twin.unmarked, "what is here \(what)")
      stage.equal(
        try stage.elsewhere { try Realm(configuration: configuration).unmarked }, twin.unmarked,
        "what is elsewhere \(what)")
    }
  }
}
