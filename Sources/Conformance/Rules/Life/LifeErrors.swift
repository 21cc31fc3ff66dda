import EngineUnderTest
import Foundation
import Harness

/// What an error says of itself: its code and that code's number, the file, the words, and whether
/// it is told apart from others by each of the ways there are.
enum Errors {
  /// Asks for what must throw, and takes the error apart.
  private static func refused(
    _ stage: Stage, _ what: String, _ code: Realm.Error.Code, _ url: URL? = nil,
    _ act: () throws -> Void
  ) {
    // The second attempt must fail with the same error, and the same message, as the first.
    var words: [String] = []
    for round in 1...2 {
      let place = "\(what), round \(round)"
      do {
        try act()
        stage.fail(expected: "an error for \(place)", observed: "none")
      } catch {
        words.append(error.localizedDescription)
        guard let known = error as? Realm.Error else {
          return stage.fail(
            expected: "an error of Realm's for \(place)", observed: "\(type(of: error)): \(error)")
        }
        stage.equal(known.code, code, "the code of \(place)")
        let plain = error as NSError
        stage.equal(plain.code, code.rawValue, "the number of \(place)")
        stage.equal(plain.domain, "io.realm", "the domain of \(place)")
        stage.equal(
          plain.localizedDescription, error.localizedDescription, "the words of \(place)")
        stage.expect(known == Realm.Error(code), "\(place) equals another of its code")
        stage.expect(
          known != Realm.Error(code == .fail ? .fileAccess : .fail),
          "\(place) does not equal one of another code")
        stage.expect(code ~= error, "\(place) is caught by its code")
        stage.expect(
          !((code == .fail ? Realm.Error.fileAccess : Realm.Error.fail) ~= error),
          "\(place) is not caught by another code")
        guard let url else { continue }
        stage.equal(known.fileURL?.path, url.path, "the file that is named by \(place)")
        stage.expect(
          error.localizedDescription.contains(url.path), "the words of \(place) name its file",
          observed: error.localizedDescription)
      }
    }
    stage.expect(Set(words).count == 1, "\(what) is refused twice in the same words")
  }

  /// A file that must be there and is not, by each way to open.
  static let missing = Probe("what a missing file's error says, on each way to open") { stage in
    for name in ["missing", "ein ö", "with blanks  and %20"] {
      var configuration = stage.configuration(name)
      configuration.readOnly = true
      let asked = configuration
      let url = asked.fileURL!
      refused(stage, "a missing file", .fileNotFound, url) {
        use(try Realm(configuration: asked).isEmpty)
      }
      let queue = DispatchQueue(label: "home")
      refused(stage, "a missing file, for a queue", .fileNotFound, url) {
        try queue.sync { use(try Realm(configuration: asked, queue: queue).isEmpty) }
      }
      refused(stage, "a missing file, on a thread", .fileNotFound, url) {
        try stage.elsewhere { use(try Realm(configuration: asked).isEmpty) }
      }
      refused(stage, "a missing file, asynchronously", .fileNotFound, url) {
        try stage.openedAsynchronously(asked, on: queue) { _ in }.get()
      }
      stage.equal(
        FileManager.default.fileExists(atPath: url.path), false, "whether there is a file now")
    }
  }

  /// A file that is open cannot be deleted; what has no file has none to delete.
  static let inUse = Probe("what the error says of a file that is in use") { stage in
    let realm = try stage.stocked()
    let configuration = realm.configuration
    let url = configuration.fileURL!
    refused(stage, "deleting an open file", .alreadyOpen, url) {
      use(try Realm.deleteFiles(for: configuration))
    }
    refused(stage, "deleting an open file, elsewhere", .alreadyOpen, url) {
      try stage.elsewhere { use(try Realm.deleteFiles(for: configuration)) }
    }
    realm.beginWrite()
    refused(stage, "deleting a file that is written", .alreadyOpen, url) {
      use(try Realm.deleteFiles(for: configuration))
    }
    realm.cancelWrite()
    stage.equal(realm.account(1).balance, 100, "the balance after all that was refused")
  }

  /// A copy is refused where there is something.
  static let inTheWay = Probe("what the error says of a copy for which there is no room") { stage in
    let realm = try stage.stocked()
    let there = stage.directory.appendingPathComponent("something.realm")
    try Data("something".utf8).write(to: there)
    let own = realm.configuration.fileURL!
    for isWriting in [false, true] {
      if isWriting { realm.beginWrite() }
      for (name, url) in [("something", there), ("itself", own)] {
        let what = "copying over \(name), writing: \(isWriting)"
        refused(stage, what, .fileExists, url) { try realm.writeCopy(toFile: url) }
        var configuration = realm.configuration
        configuration.fileURL = url
        refused(stage, "\(what), by a configuration", .fileExists, url) {
          try realm.writeCopy(configuration: configuration)
        }
      }
      if isWriting { realm.cancelWrite() }
    }
    stage.equal(try String(contentsOf: there, encoding: .utf8), "something", "what was there")
    stage.equal(realm.account(1).balance, 100, "the balance after all that was refused")
  }
}
