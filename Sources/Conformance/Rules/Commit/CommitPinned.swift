import EngineUnderTest
import Foundation
import Harness

extension Vessel {
  /// Gives one much in each place that can have much: values that fill nodes of their own, and
  /// collections of several.
  func load(_ seed: Int) {
    func text(_ size: Int, _ number: Int = 0) -> String {
      String(repeating: "\(seed) \(number) ", count: size / 5 + 1)
    }
    self.text = text(60_000)
    maybeText = text(300)
    data = Data(repeating: UInt8(truncatingIfNeeded: seed), count: 100_000)
    mixed = .string(text(20_000))
    numbers.assign((0..<3_000).map { $0 &* seed })
    texts.assign((0..<300).map { text(80, $0) })
    blobs.assign(
      (0..<4).map { Data(repeating: UInt8(truncatingIfNeeded: seed + $0), count: 9_000) })
    labels.removeAll()
    for number in 0..<200 { labels.insert("label \(number) of \(seed)") }
    titles.removeAll()
    for number in 0..<200 { titles["title \(number)"] = text(40, number) }
    links.removeAll()
    for _ in 0..<300 { links.append(objectsIn: [self, realm!.vessel(2)]) }
    part = Part(text: text(9_000))
    parts.removeAll()
    for number in 0..<30 { parts.append(Part(text: text(100, number))) }
    mixture.assign((0..<100).map { .string(text(50, $0)) })
  }

  /// All of that in a number, without reading it over and over.
  var weight: Int {
    var hasher = Hasher()
    hasher.combine(dump)
    return hasher.finalize()
  }
}

extension Probe {
  /// Who holds an older version of something large in each place, here, on a queue, or in another
  /// process, while it is overwritten in each way.
  static let pinnedLoads: [Probe] = ["here", "in another process"].map { place in
    Probe(
      "whoever has an older version keeps all of what is large in it: \(place)",
      companions: [
        "reader": { stage in
          // One that stays where it is, and frozen ones of each version that it is told of.
          let realm = try Vessel.stocked(stage)
          realm.autorefresh = false
          var held: [(Vessel, Int)] = []
          while let word = stage.hear() {
            if word == "hold" {
              realm.refresh()
              let frozen = realm.vessel(1)!.freeze()
              held.append((frozen, frozen.weight))
              stage.tell("held")
            } else {
              let live = realm.vessel(1)!.weight == held.last?.1
              stage.tell("\(live ? held.filter { $0.0.weight != $0.1 }.count : -1)")
            }
          }
        }
      ]
    ) { stage in
      Backstage.hooks?.skipFlushes()
      let isHere = place == "here"
      let realm = try Vessel.stocked(stage)
      try realm.write { realm.vessel(1).load(1) }
      let queue = DispatchQueue(label: "who stays")
      var stays: (Realm, Int)?
      var held: [(Vessel, Int)] = []
      let reader = isHere ? nil : try stage.companion("reader")
      for round in 2..<11 {
        if isHere, round % 3 == 0 {
          let frozen = realm.vessel(1)!.freeze()
          held.append((frozen, frozen.weight))
        } else if round % 4 == 0, let reader {
          reader.send("hold")
          _ = try stage.hear(reader, "that it holds")
        }
        if isHere, round == 4 {
          try queue.sync {
            let other = try Realm(configuration: realm.configuration, queue: queue)
            other.autorefresh = false
            stays = (other, other.vessel(1).weight)
          }
        }
        try Preamble.allCases[round % 3].pass(stage, realm)
        try Manner.all[round % Manner.all.count].commit(stage, realm) {
          let one = realm.vessel(1)!
          one.load(round)
          one.texts.removeLast(round)
          if round % 5 == 0 { one.text = "" }
        }
        if round % 5 == 0 {
          try realm.write {
            realm.deleteAll()
            Vessel.stock(realm)
          }
        }
        if isHere {
          for (number, one) in held.enumerated() {
            stage.equal(one.0.weight, one.1, "what frozen \(number) shows in round \(round)")
          }
          queue.sync {
            guard let stays else { return }
            stage.equal(
              stays.0.vessel(1).weight, stays.1, "what one that stays shows in round \(round)")
          }
        } else if let reader, round > 4 {
          reader.send("look")
          stage.equal(
            try stage.hear(reader, "what it sees"), "0",
            "how many versions have changed there in round \(round)")
        }
      }
      queue.sync { stays = nil }
      if let reader { reader.signal(SIGKILL) }
    }
  }
}
