import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// What is said of files that are there and of those that are not, asked twice.
  static let answersAboutFiles = Probe("what is told of a file that is there and is not") {
    stage in
    for kind in ["a file", "a copy", "a seeded one"] {
      var configuration = stage.configuration(kind)
      for round in 1...2 {
        let what = "\(kind), round \(round)"
        stage.equal(Realm.fileExists(for: configuration), false, "whether it is there, \(what)")
        for _ in 0..<2 {
          stage.equal(
            try Realm.deleteFiles(for: configuration), false, "the answer for no file, \(what)")
        }
        stage.equal(Realm.fileExists(for: configuration), false, "whether asking made it, \(what)")
        switch kind {
        case "a copy":
          let original = try stage.open("original \(round)")
          try original.write { original.add(Account(id: 1)) }
          try original.writeCopy(configuration: configuration)
        case "a seeded one":
          try stage.elsewhere { try stage.open("seed \(round)").write {} }
          configuration.seedFilePath = stage.configuration("seed \(round)").fileURL
          let seeded = configuration
          try stage.elsewhere { use(try Realm(configuration: seeded).isEmpty) }
        default:
          let plain = configuration
          try stage.elsewhere {
            let realm = try Realm(configuration: plain)
            try realm.write { realm.add(Account(id: 1)) }
          }
        }
        for _ in 0..<2 {
          stage.equal(Realm.fileExists(for: configuration), true, "whether it is there, \(what)")
        }
        stage.equal(try Realm.deleteFiles(for: configuration), true, "the answer, \(what)")
        stage.equal(
          try Realm.deleteFiles(for: configuration), false, "the second answer, \(what)")
        stage.equal(Realm.fileExists(for: configuration), false, "whether it is gone, \(what)")
        configuration.seedFilePath = nil
      }
    }
  }

  /// `asyncOpen` without arguments, and what it gives twice.
  static let asyncOpensByDefault = Probe("asyncOpen opens the default file, on the main queue") {
    stage in
    try stage.elsewhere { _ = try stage.stocked() }
    Realm.Configuration.defaultConfiguration = stage.configuration()
    let here = try stage.open()
    for round in 1...3 {
      var told: [String] = []
      var given: Realm?
      func take(_ result: Result<Realm, Error>) {
        told.append(Thread.isMainThread ? "on the main thread" : "elsewhere")
        given = try? result.get()
      }
      switch round {
      case 1: Realm.asyncOpen { take($0) }
      case 2: Realm.asyncOpen(configuration: stage.configuration()) { take($0) }
      default: Realm.asyncOpen(callbackQueue: .main) { take($0) }
      }
      stage.equal(told, [], "who was called at once, round \(round)")
      try stage.spin(until: { !told.isEmpty }, "the callback of round \(round)")
      try stage.settle(here)
      stage.equal(told, ["on the main thread"], "the calls of round \(round)")
      stage.expect(given == here, "the main thread's realm, round \(round)")
      stage.equal(given?.account(1).balance, 100, "the balance, round \(round)")
    }
    // One queue is given one realm, however often it asks.
    let queue = DispatchQueue(label: "callback")
    var all: [Realm] = []
    for number in 0..<3 {
      let called = Latch("callback \(number)")
      Realm.asyncOpen(configuration: stage.configuration(), callbackQueue: queue) { result in
        if let realm = try? result.get() { all.append(realm) }
        called.open()
      }
      try stage.wait(for: called)
    }
    try queue.sync {
      let own = try Realm(configuration: stage.configuration(), queue: queue)
      stage.equal(all.count, 3, "how many were given")
      stage.equal(all.filter { $0 == own }.count, 3, "how many are the queue's realm")
      stage.expect(own != here, "the queue's realm is not the main thread's")
      all = []
    }
  }
}
