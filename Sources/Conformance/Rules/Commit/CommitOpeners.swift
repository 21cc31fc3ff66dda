import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Whoever opens a file that nobody has open, in each way, finds what was committed last,
  /// whatever was tried since.
  static let openersFindTheLatest = Probe(
    "whoever opens the file finds the latest version, whatever was tried since",
    companions: [
      "reader": { stage in
        var configuration = Vessel.configuration(stage)
        configuration.readOnly = stage.words[0] == "true"
        stage.tell(try Realm(configuration: configuration).dump)
      }
    ]
  ) { stage in
    // So that commits can fail.
    Backstage.hooks?.record()
    try stage.elsewhere { _ = try Vessel.stocked(stage) }
    let ways = ["plain", "read-only", "compacting", "not compacting", "on a queue", "copied"]
    for round in 0..<60 {
      // The loop of the main thread serves what is asynchronous.
      var dump = ""
      do {
        let realm = try Vessel.stocked(stage)
        try Manner.all[round % Manner.all.count].commit(stage, realm) {
          realm.vessel(2).number = round
          if round % 3 == 0 { realm.add(Vessel(id: 100 + round)) }
        }
        dump = realm.dump
        // What comes to nothing.
        try [Preamble.nothing, .cancelled, .thrown, .failed][round / 2 % 4].pass(stage, realm)
      }
      let way = ways[round / 3 % ways.count]
      let seen = try stage.elsewhere { () -> String in
        var configuration = Vessel.configuration(stage)
        switch way {
        case "read-only": configuration.readOnly = true
        case "compacting": configuration.shouldCompactOnLaunch = { _, _ in true }
        case "not compacting": configuration.shouldCompactOnLaunch = { _, _ in false }
        case "on a queue":
          let queue = DispatchQueue(label: "opener")
          return try queue.sync {
            try Realm(configuration: configuration, queue: queue).dump
          }
        case "copied":
          let url = stage.directory.appendingPathComponent("copy \(round).realm")
          try FileManager.default.copyItem(at: configuration.fileURL!, to: url)
          configuration.fileURL = url
        default: break
        }
        return try Realm(configuration: configuration).dump
      }
      stage.equal(seen, dump, "what is found by one who opens, \(way), after commit \(round)")
      if round % 10 == 9 {
        let reader = try stage.companion("reader", "\(round % 20 == 9)")
        stage.equal(
          try stage.hear(reader, "what it finds"), dump,
          "what is found in another process after commit \(round)")
        use(reader.remains())
      }
    }
  }
}
