import EngineUnderTest
import Foundation
import Harness

/// Something of somebody else's lies where an engine keeps what belongs to a file.
///
/// Who opens the file says so by the file's name, or can do without; the stranger's own is neither
/// written nor removed by an opening that was refused.
enum Strangers {
  /// What may lie there.
  private enum Thing: String, CaseIterable {
    case nothing = "an empty file"
    case sentence = "somebody's letter"
    case long = "somebody's letter of five megabytes"
    case noise = "noise"
    case zeros = "zeros"
    case begun = "half of its own"
    case turned = "its own with another beginning"
    case folder = "a folder"
    case fullFolder = "a folder with something in it"
    case lost = "a link to nothing"
    case link = "a link to somebody's letter"
    case loop = "a link to itself"
    case pipe = "a pipe"

    static let letter = Data("Dear neighbour, this is no lock of yours.\n".utf8)

    /// Lays it where the engine's own was, which had these bytes; nil of a folder.
    func lay(at path: String, insteadOf own: Data?, beside letter: String) throws {
      let files = FileManager.default
      let url = URL(fileURLWithPath: path)
      var bytes: Data?
      switch self {
      case .nothing: bytes = Data()
      case .sentence: bytes = Thing.letter
      case .long: bytes = Data((0..<5 << 20).map { UInt8(truncatingIfNeeded: $0 % 96 + 32) })
      case .noise: bytes = Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
      case .zeros: bytes = Data(count: own?.count ?? 4096)
      case .begun: bytes = own.map { Data($0.prefix($0.count / 2)) } ?? Data(count: 1)
      case .turned:
        bytes = own ?? Thing.letter
        for place in 0..<min(8, bytes!.count) { bytes![place] ^= 0xff }
      case .folder, .fullFolder:
        try files.createDirectory(at: url, withIntermediateDirectories: false)
        if self == .fullFolder {
          try Thing.letter.write(to: url.appendingPathComponent("letter"))
        }
      case .lost: symlink(letter + ".gone", path)
      case .link: symlink(letter, path)
      case .loop: symlink(path, path)
      case .pipe: mkfifo(path, 0o600)
      }
      try bytes?.write(to: url)
    }
  }

  /// What the file has beside it by now, by name.
  private static func beside(_ url: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(url.lastPathComponent + ".") }.sorted()
  }

  static let told = Probe(
    "something else in the place of what lies beside a file is told by the file's name, or does "
      + "nothing",
    deadline: .seconds(120),
    companions: [
      "reader": { stage in
        do {
          let realm = try Realm(configuration: stage.configuration("victim"))
          stage.tell("read: \(realm.objects(Account.self).map(\.balance))")
        } catch {
          stage.tell("refused: \(error.localizedDescription) \(error)")
        }
      }
    ]
  ) { stage in
    let url = stage.file("victim")
    try stage.elsewhere {
      let realm = try stage.open("victim")
      try realm.write { for id in 1...3 { realm.add(Account(id: id, balance: id * 7)) } }
    }
    let right = try stage.companion("reader").remains().stdout
    stage.expect(right.hasPrefix("read: "), "the file is read as it is", observed: right)
    let letter = stage.directory.appendingPathComponent("letter").path
    for name in try beside(url) {
      let path = url.deletingLastPathComponent().appendingPathComponent(name).path
      let own = FileManager.default.contents(atPath: path)
      for thing in Thing.allCases {
        try Thing.letter.write(to: URL(fileURLWithPath: letter))
        try FileManager.default.removeItem(atPath: path)
        try thing.lay(at: path, insteadOf: own, beside: letter)
        let remains = try stage.companion("reader").remains()
        let said = remains.stdout + remains.stderr
        stage.expect(
          remains.stopped == nil
            && (remains.stdout == right
              || said.contains(url.path) && !remains.stdout.hasPrefix("read: ")),
          "\(thing.rawValue) as \(name) is told by the file's name, or does nothing",
          observed: "\(remains.ending) \(remains.stopped as Any): \(said.prefix(300))")
        stage.equal(
          FileManager.default.contents(atPath: letter), Thing.letter,
          "what stands in somebody's letter, with \(thing.rawValue) as \(name)")
        try? FileManager.default.removeItem(atPath: path)
        // Whatever it was, nothing is lost once it is gone.
        let after = try stage.companion("reader").remains().stdout
        stage.equal(after, right, "what is read after \(thing.rawValue) as \(name)")
        if !FileManager.default.fileExists(atPath: path) {
          try own?.write(to: URL(fileURLWithPath: path))
        }
      }
    }
  }
}
