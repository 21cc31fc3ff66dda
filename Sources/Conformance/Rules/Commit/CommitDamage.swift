import EngineUnderTest
import Evidence
import Foundation
import Harness

extension Rules.Commit {
  static let commit19 = Rule(
    "COMMIT-19", .implementation,
    "A damaged file MUST end in an error that names file and remedy, at opening or at the read "
      + "that meets the damage, never in a hang, and never in wrong data where checking is on.",
    source: "CORE/alloc_slab.cpp (InvalidDatabase); CORE/db.cpp (DB::open).",
    broken: "bounds are not checked, or a checksum is compared with nothing",
    probes: [
      Probe(
        "turned bits, swapped blocks, cuts and noise are told by the file's name, or do nothing",
        deadline: .seconds(300),
        companions: [
          "reader": { stage in
            var configuration = stage.configuration("victim")
            Engine.checkEverything(in: &configuration)
            do {
              stage.tell("read: \(try Realm(configuration: configuration).notes)")
            } catch {
              stage.tell("refused: \(error)")
            }
          }
        ],
        leaves: "a damaged file"
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        try stage.foreign { realm in
          for id in 10..<40 { realm.add(Account(id: id, note: Damage.note(id))) }
        }
        let sound = try Data(contentsOf: stage.file("probe"))
        let url = stage.file("victim")
        try sound.write(to: url)
        var asked = stage.configuration("victim")
        // What is not checked may be read as it lies; it is no reason to crash or to hang.
        let isChecked = Engine.checkEverything(in: &asked)
        let alternative = isChecked ? "changes nothing" : "is read as it lies"
        let right = try stage.companion("reader").remains().stdout
        stage.expect(right.hasPrefix("read: "), "the sound file is read", observed: right)
        for damage in Damage.all(of: sound) {
          try damage.bytes.write(to: url)
          unlink(url.path + ".lock")
          let remains = try stage.companion("reader").remains()
          let said = remains.stdout + remains.stderr
          let isRead = remains.stdout.hasPrefix("read: ")
          let isTold = said.contains(url.path) && !isRead
          let isRight = isChecked ? remains.stdout == right : isRead
          stage.expect(
            remains.stopped == nil && (isTold || isRight),
            "\(damage.name) is told by the file's name, or \(alternative)",
            observed: "\(remains.ending) \(remains.stopped as Any): \(said.prefix(300))")
        }
      },
      .leadsAstray, Strangers.told, Miscounted.probe,
    ])
}

extension Probe {
  /// References that lead out of the file, each one, before a write: that reads what readers never
  /// do, as it looks for what is free.
  fileprivate static let leadsAstray = Probe(
    "each place that leads out of the file is told by the file's name, or does nothing to a write",
    deadline: .seconds(300),
    companions: [
      "writer": { stage in
        var configuration = stage.configuration("victim")
        Engine.checkEverything(in: &configuration)
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.add(Account(id: 9)) }
          realm.invalidate()
          stage.tell("written: \(realm.notes)")
        } catch {
          stage.tell("refused: \(error)")
        }
      }
    ],
    leaves: "a damaged file"
  ) { stage in
    // Commits one after the other: each leaves something for the next.
    for id in 1...4 { try stage.foreign { realm in realm.add(Account(id: id)) } }
    let sound = try Data(contentsOf: stage.file("probe"))
    let url = stage.file("victim")
    var asked = stage.configuration("victim")
    let isChecked = Engine.checkEverything(in: &asked)
    var right = ""
    for damage in [Damage(name: "nothing", bytes: sound)] + Damage.astray(in: sound) {
      try damage.bytes.write(to: url)
      unlink(url.path + ".lock")
      let remains = try stage.companion("writer").remains()
      let said = remains.stdout + remains.stderr
      let isWritten = remains.stdout.hasPrefix("written: ")
      if right.isEmpty { right = isWritten ? remains.stdout : "no write in the sound file" }
      let isTold = said.contains(url.path) && !isWritten
      stage.expect(
        remains.stopped == nil
          && (isTold || (isChecked ? remains.stdout == right : isWritten)),
        "\(damage.name) is told by the file's name, or changes nothing",
        observed: "\(remains.ending) \(remains.stopped as Any): \(said.prefix(300))")
    }
  }
}

extension Realm {
  /// All that the accounts say.
  fileprivate var notes: String {
    objects(Account.self).map { "\($0.id) \($0.balance) \($0.note)" }.joined(separator: ";")
  }
}

/// One way in which a file is no longer what was written.
private struct Damage {
  let name: String
  let bytes: Data

  /// A text that is found again in the file.
  static func note(_ id: Int) -> String {
    "note \(id) " + String(repeating: "abcdefgh", count: 40)
  }

  /// What may be a place in the file, by its looks, each made one far behind its end.
  static func astray(in sound: Data) -> [Damage] {
    stride(from: 0, to: sound.count & ~7, by: 8).compactMap { place in
      let number = sound.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      }
      guard number > 0, number % 16 == 0, number < sound.count else { return nil }
      var bytes = sound
      bytes[place + 7] ^= 0xff
      return Damage(name: "the place \(number), at \(place), led astray,", bytes: bytes)
    }
  }

  static func all(of sound: Data) -> [Damage] {
    var dice = SplitMix(seed: 20_261_122)
    func below(_ limit: Int) -> Int { Int(dice.next() % UInt64(max(limit, 1))) }
    let texts = (10..<40).compactMap { sound.range(of: Data(note($0).utf8))?.lowerBound }
    var found: [Damage] = []
    func add(_ name: String, _ change: (inout Data) -> Void) {
      var bytes = sound
      change(&bytes)
      found.append(Damage(name: name, bytes: bytes))
    }
    for text in texts.prefix(8) {
      let place = text + below(320)
      add("a bit turned in a text, at \(place),") { $0[place] ^= 1 << UInt8(below(8)) }
    }
    for _ in 0..<12 {
      let place = below(sound.count)
      add("a bit turned anywhere, at \(place),") { $0[place] ^= 1 << UInt8(below(8)) }
    }
    for _ in 0..<4 where texts.count > 1 {
      let (one, other) = (texts[below(texts.count)], texts[below(texts.count)])
      if one == other { continue }
      add("a text and its neighbourhood at the place of another, at \(one),") { bytes in
        let length = min(512, sound.count - max(one, other))
        bytes.replaceSubrange(one..<(one + length), with: sound[other..<(other + length)])
      }
    }
    for length in [sound.count / 2, sound.count - 4096, 5000, 1500] where length > 0 {
      add("a file that ends at \(length)") { $0 = $0.prefix(length) }
    }
    if let text = texts.last {
      add("zeros over a text") { bytes in
        bytes.replaceSubrange(text..<(text + 64), with: Data(count: 64))
      }
      add("noise over a text") { bytes in
        bytes.replaceSubrange(
          text..<(text + 64), with: Data((0..<64).map { _ in UInt8(below(256)) }))
      }
    }
    return found
  }
}
