import EngineUnderTest
import Foundation
import Harness

/// Something large, of which one thing is read.
private struct Hoard: Sendable {
  let name: String
  let fill: @Sendable (Realm) -> Void
  /// Reads one thing; true if it is what it must be.
  let look: @Sendable (Realm) -> Bool

  static let all: [Hoard] = [
    Hoard(
      name: "many objects, by their keys",
      fill: { realm in
        for id in 0..<3_000 {
          realm.add(Account(id: id, note: "\(id) " + String(repeating: "note", count: 300)))
        }
      },
      look: {
        $0.object(ofType: Account.self, forPrimaryKey: 777)?.note.hasPrefix("777 ") == true
      }),
    Hoard(
      name: "many objects, by an indexed property",
      fill: { realm in
        for age in 0..<3_000 {
          realm.add(Person(name: String(repeating: "\(age) is a name ", count: 80), age: age))
        }
      },
      look: { realm in
        realm.objects(Person.self).where { $0.age == 777 }.first?.name.hasPrefix("777 ") == true
      }),
    Hoard(
      name: "a long list of numbers",
      fill: { realm in
        let one = Everything()
        realm.add(one)
        one.numbers.append(objectsIn: (0..<350_000).map { $0 << 32 })
      },
      look: { $0.objects(Everything.self).first?.numbers[77_777] == 77_777 << 32 }),
    Hoard(
      name: "one of a few long texts",
      fill: { realm in
        for id in 0..<40 {
          realm.add(Account(id: id, note: String(repeating: "n", count: 200_000)))
        }
      },
      look: { $0.account(7).note.utf8.count == 200_000 && $0.account(9).balance == 0 }),
  ]
}

extension Probe {
  static let hoards: [Probe] = Hoard.all.map { hoard in
    Probe(
      "opening a large file and reading one thing touches little: \(hoard.name)",
      companions: [
        "reader": { stage in
          // What a first realm costs that has nothing to do with the file.
          _ = try stage.open("small").isEmpty
          let before = Stage.ownBytes()
          let realm = try stage.open()
          stage.expect(hoard.look(realm), "what is read")
          // Who lets go of the realm lets go of what is mapped.
          let mapped = withExtendedLifetime(realm) {
            Stage.mappedBytes(of: realm.configuration.fileURL!.path)
          }
          stage.tell("\(Stage.ownBytes() - before) \(mapped)")
        }
      ]
    ) { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere {
        _ = try stage.open("small").isEmpty
        let realm = try stage.open()
        try realm.write { hoard.fill(realm) }
      }
      let reader = try stage.companion("reader")
      let told = try stage.hear(reader, "its memory").split(separator: " ").compactMap { Int($0) }
      use(reader.remains())
      stage.expect(stage.size() > 5 << 19, "a large file", observed: "\(stage.size())")
      stage.expect(
        told.count == 2 && told.allSatisfy { $0 < stage.size() / 4 },
        "less than a quarter of \(stage.size() >> 10) KiB, of its own and of the file",
        observed: "\(told)")
    }
  }
}

extension Stage {
  /// How much memory this process has of its own, in no file.
  static func ownBytes() -> Int { residentBytes("RssAnon:") }

  /// How much of files, whatever their names, this process has in its memory.
  static func filedBytes() -> Int { residentBytes("RssFile:") }

  private static func residentBytes(_ kind: String) -> Int {
    guard let text = KernelFile.text("/proc/self/status"),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(kind) })
    else { return 0 }
    return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) << 10
  }

  /// How much of a file this process has in its memory.
  static func mappedBytes(of path: String) -> Int {
    guard let text = KernelFile.text("/proc/self/smaps") else { return 0 }
    var (isOfFile, bytes) = (false, 0)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard let first = words.first else { continue }
      if !first.hasSuffix(":") {
        isOfFile = line.hasSuffix(path)
      } else if isOfFile, first == "Rss:" {
        bytes += (Int(words[1]) ?? 0) << 10
      }
    }
    return bytes
  }
}
