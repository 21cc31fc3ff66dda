import EngineUnderTest
import Foundation
import Harness

/// A file that was just made may be whole on the medium and have no name there: what is told to be
/// durable must have one.
private enum Making: String, CaseIterable {
  case file = "a file for a realm"
  case seeded = "a file that begins as another"
  case compacted = "a file that is compacted"
  case copied = "a copy"
  case copiedInWrite = "a copy made in a write"
  case configured = "a copy by a configuration"

  /// Prepares, and gives what makes the file.
  func prepare(_ stage: Stage) throws -> () throws -> Void {
    let name = "\(self)"
    var configuration = stage.configuration(name)
    let url = stage.directory.appendingPathComponent("\(name), a copy.realm")
    switch self {
    case .file: break
    case .seeded:
      try stage.elsewhere { _ = try stage.stocked("seed") }
      configuration.seedFilePath = stage.configuration("seed").fileURL
    case .compacted:
      try stage.elsewhere { _ = try stage.stocked(name) }
      configuration.shouldCompactOnLaunch = { _, _ in true }
    case .copied, .copiedInWrite, .configured:
      let realm = try stage.stocked(name)
      let target = stage.configuration("\(name), a copy")
      return {
        if self == .copiedInWrite { realm.beginWrite() }
        if self == .configured {
          try realm.writeCopy(configuration: target)
        } else {
          try realm.writeCopy(toFile: url)
        }
        if self == .copiedInWrite { realm.cancelWrite() }
      }
    }
    let asked = configuration
    return {
      let realm = try Realm(configuration: asked)
      try realm.write { realm.add(Account(id: 1_000)) }
    }
  }
}

extension Probe {
  /// Each way in which a file comes to be.
  static let namesOfFiles = names(Making.allCases, "of each file that is made")
  static let namesOfCopies = names(
    [.copied, .copiedInWrite, .configured], "of each copy that is made")

  private static func names(_ makings: [Making], _ what: String) -> Probe {
    Probe("the name \(what) has reached the medium when the call returns") { stage in
      let hooks = try stage.hooks()
      for making in makings {
        let make = try making.prepare(stage)
        hooks.record()
        let before = hooks.requests.count
        try make()
        hooks.stop()
        let asked = hooks.requests[before...]
        guard let named = asked.lastIndex(of: .name) else { continue }
        stage.expect(
          asked[..<named].last { $0 == .flush || $0.isWrite } == .flush,
          "what \(making.rawValue) holds is flushed before it gets its name")
        stage.expect(
          asked[named...].contains(.flushName), "the name of \(making.rawValue) is flushed",
          observed: "\(asked[named...].filter { !$0.isWrite })")
      }
    }
  }
}

extension DiskRequest {
  fileprivate var isWrite: Bool {
    if case .write = self { true } else { false }
  }
}
