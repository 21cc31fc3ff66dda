import EngineUnderTest
import Foundation

/// What is where a realm is opened, and each setting beside each other that may bear on it: whether
/// it opens, with what in it, and what is left where it does not.
enum FileStates {
  private enum State: String, CaseIterable {
    case absent = "no file"
    case empty = "an empty file"
    case sound = "a realm"
    case text = "a text"
    case zeros = "zeros"
  }

  private enum Way: CaseIterable { case here, queue, asynchronously }

  /// What is expected of an opening.
  private enum Outcome: Equatable {
    case opens([Int])
    case refuses
    /// The documents do not say.
    case either
  }

  private struct Settings {
    var state: State
    var isReadOnly: Bool
    var version: UInt64
    var deletes: Bool
    var compacts: Bool?
    var isSeeded: Bool

    var words: String {
      "\(state.rawValue), read-only: \(isReadOnly), version \(version), deletes: \(deletes), "
        + "compacts: \(compacts.map { "\($0)" } ?? "nobody asks"), seed: \(isSeeded)"
    }

    /// The sound one has version 3, and is of the classes that are asked for.
    var outcome: Outcome {
      switch state {
      case .text, .zeros: .refuses
      case .absent:
        if isSeeded {
          version == 3 && !isReadOnly ? .opens([7]) : .either
        } else {
          isReadOnly ? .refuses : .opens([])
        }
      case .empty: isReadOnly || isSeeded ? .either : .opens([])
      case .sound:
        if version == 3 {
          .opens([1, 2, 3])
        } else if isReadOnly || deletes {
          .either
        } else if version > 3 {
          .opens([1, 2, 3])
        } else {
          .refuses
        }
      }
    }
  }

  private static var all: [Settings] {
    State.allCases.flatMap { state in
      [false, true].flatMap { isReadOnly in
        [2, 3, 4].flatMap { version in
          [false, true].flatMap { deletes in
            [nil, false, true].flatMap { compacts in
              [false, true].map { isSeeded in
                Settings(
                  state: state, isReadOnly: isReadOnly, version: version, deletes: deletes,
                  compacts: compacts, isSeeded: isSeeded)
              }
            }
          }
        }
      }
    }.filter { settings in
      // Whoever only reads neither deletes nor compacts: Realm does not take such a configuration.
      !settings.isReadOnly || !settings.deletes && settings.compacts == nil
    }
  }

  private static func make(_ stage: Stage, _ name: String, _ ids: [Int]) throws -> URL {
    var configuration = stage.configuration(name)
    configuration.schemaVersion = 3
    let asked = configuration
    try stage.elsewhere {
      let realm = try Realm(configuration: asked)
      try realm.write { for id in ids { realm.add(Account(id: id)) } }
    }
    return configuration.fileURL!
  }

  private static func ids(_ stage: Stage, _ configuration: Realm.Configuration, _ way: Way) throws
    -> [Int]
  {
    func look(_ realm: Realm) -> [Int] { realm.objects(Account.self).map(\.id).sorted() }
    switch way {
    case .here: return look(try Realm(configuration: configuration))
    case .queue:
      let queue = DispatchQueue(label: "home")
      return try queue.sync { look(try Realm(configuration: configuration, queue: queue)) }
    case .asynchronously:
      var answer: Result<[Int], any Error>?
      Realm.asyncOpen(configuration: configuration, callbackQueue: .main) { result in
        answer = result.map { look($0) }
      }
      try stage.spin(until: { answer != nil }, "the callback")
      return try answer!.get()
    }
  }

  static let probe = Probe("whatever there is and is set, a realm opens with it or leaves it") {
    stage in
    Backstage.hooks?.skipFlushes()
    let files = FileManager.default
    let sound = try make(stage, "sound", [1, 2, 3])
    let seed = try make(stage, "seed", [7])
    let bytes: [State: Data] = [
      .empty: Data(), .sound: try Data(contentsOf: sound),
      .text: Data("not a realm, but a text of some length".utf8), .zeros: Data(count: 8_192),
    ]
    for (number, settings) in all.enumerated() {
      let way = Way.allCases[(number + number / 3) % 3]
      let what = "\(settings.words), \(way)"
      var configuration = stage.configuration("file \(number)")
      let url = configuration.fileURL!
      let content = bytes[settings.state]
      try content?.write(to: url)
      configuration.readOnly = settings.isReadOnly
      configuration.schemaVersion = settings.version
      configuration.deleteRealmIfMigrationNeeded = settings.deletes
      if let compacts = settings.compacts {
        configuration.shouldCompactOnLaunch = { _, _ in compacts }
      }
      if settings.isSeeded { configuration.seedFilePath = seed }
      let outcome = settings.outcome
      // What opens once opens again; what is refused once is refused again.
      for round in 1...2 {
        do {
          let found = try ids(stage, configuration, way)
          if case .opens(let expected) = outcome {
            stage.equal(found, expected, "what opens of \(what), round \(round)")
          } else {
            stage.expect(
              outcome == .either, "it is refused: \(what), round \(round)",
              observed: "it opens, with \(found)")
          }
        } catch {
          if case .opens(let expected) = outcome {
            stage.fail(
              expected: "it opens with \(expected): \(what), round \(round)",
              observed: error.localizedDescription)
          }
          stage.expect(error is Realm.Error, "the error is Realm's, \(what)", observed: "\(error)")
        }
        switch outcome {
        case .refuses:
          // Who may compact has done so before it is known of which version the file is.
          if settings.compacts != true || settings.state != .sound {
            stage.expect(
              (try? Data(contentsOf: url)) == content, "what was refused is left as it is: \(what)",
              observed: "\((try? Data(contentsOf: url))?.count ?? -1) bytes")
          }
          if settings.state == .sound {
            var right = stage.configuration("file \(number)")
            right.schemaVersion = 3
            stage.equal(try ids(stage, right, .here), [1, 2, 3], "what is in it still, \(what)")
          }
          if settings.state == .absent {
            stage.equal(files.fileExists(atPath: url.path), false, "if a file was made, \(what)")
          }
        case .opens where !settings.isReadOnly:
          stage.equal(
            try schemaVersionAtURL(url), settings.version, "the version of the file then, \(what)")
        default: break
        }
      }
      // And it can be written to, and is what it was for the next.
      if case .opens(let expected) = outcome, !settings.isReadOnly, stage.isDue(number, of: 5) {
        let asked = configuration
        try stage.elsewhere {
          let realm = try Realm(configuration: asked)
          try realm.write { realm.add(Account(id: 100)) }
        }
        stage.equal(try ids(stage, asked, .here), expected + [100], "what was written, \(what)")
      }
      if outcome != .refuses { _ = try? Realm.deleteFiles(for: configuration) }
      try? files.removeItem(at: url)
    }
    stage.equal(try Data(contentsOf: seed).isEmpty, false, "whether the seed is there still")
  }

  /// Who decides whether to compact is asked by the first one who opens the file, and by nobody
  /// else.
  static let decisions = Probe("who opens a file first asks whether to compact, and nobody else") {
    stage in
    Backstage.hooks?.skipFlushes()
    for isCompacted in [false, true] {
      for state in [State.sound, .absent, .empty] {
        var configuration = stage.configuration("\(state) \(isCompacted)")
        let url = configuration.fileURL!
        if state == .sound { _ = try make(stage, "\(state) \(isCompacted)", [1, 2, 3]) }
        if state == .empty { try Data().write(to: url) }
        nonisolated(unsafe) var calls = 0
        configuration.schemaVersion = 3
        configuration.shouldCompactOnLaunch = { total, used in
          calls += 1
          stage.expect(0 < used && used <= total, "the sizes", observed: "\(used) of \(total)")
          return isCompacted
        }
        let asked = configuration
        for round in 1...2 {
          calls = 0
          try stage.elsewhere {
            let realm = try Realm(configuration: asked)
            let first = calls
            if state == .sound || round == 2 {
              stage.equal(first, 1, "the calls of \(state), compacted: \(isCompacted), \(round)")
            }
            let again = try Realm(configuration: asked)
            stage.expect(again == realm, "the realm that is open")
            try stage.elsewhere("another") { use(try Realm(configuration: asked).isEmpty) }
            stage.equal(calls, first, "the calls when it is open, of \(state), \(round)")
            try realm.write { realm.create(Account.self, value: ["id": 9], update: .all) }
          }
        }
      }
    }
  }
}
