import EngineUnderTest
import Foundation
import Harness

/// Files in which a number is another one that stands behind a place, and so may say how much is
/// there. Whoever adds to a long list goes where the numbers lead: to what is there, or to an error
/// that names the file.
enum Miscounted {
  private static let long = 600

  /// Each number behind what may be a place in the file, by its looks, made larger.
  private static func damages(of sound: Data) -> [(name: String, bytes: Data)] {
    func word(at place: Int) -> UInt64 {
      sound.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
    }
    var found: [(name: String, bytes: Data)] = []
    for place in stride(from: 0, to: (sound.count & ~7) - 8, by: 8) {
      let (target, number) = (word(at: place), word(at: place + 8))
      let isPlace = target > 0 && target % 16 == 0 && target < UInt64(sound.count)
      guard isPlace, number >= 16, number <= UInt64(long) else { continue }
      for more in [1, 40, 1 << 20] as [UInt64] {
        var bytes = sound
        let larger = withUnsafeBytes(of: (number + more).littleEndian) { Data($0) }
        bytes.replaceSubrange((place + 8)..<(place + 16), with: larger)
        found.append(("\(number) at \(place + 8), made \(more) larger,", bytes))
      }
    }
    return found
  }

  private static func add<Value: RealmCollectionValue>(_ value: Value, to list: List<Value>) {
    // From behind: whoever adds before the place where a number is wrong sets it right.
    for place in stride(from: long, through: 0, by: -23) {
      list.insert(value, at: min(place, list.count))
    }
    list.append(value)
    list.append(objectsIn: [value, value])
    list.move(from: 0, to: list.count - 1)
  }

  static let probe = Probe(
    "a number that is too large is told by the file's name, or does nothing to who adds to lists",
    deadline: .seconds(300),
    companions: [
      "who adds": { stage in
        let isFirst = stage.words[0] == "numbers"
        do {
          let realm = try Realm(configuration: stage.configuration("victim"))
          try realm.write {
            guard let owner = realm.objects(Everything.self).first else { return }
            if isFirst { return add(1, to: owner.numbers) }
            if let dog = owner.link { add(dog, to: owner.dogs) }
          }
          stage.tell("written")
        } catch {
          stage.tell("refused: \(error)")
        }
      }
    ],
    leaves: "a damaged file"
  ) { stage in
    try stage.elsewhere {
      let realm = try stage.open()
      try realm.write {
        let (owner, dog) = (Everything(), Dog(name: "dog"))
        realm.add(owner)
        owner.link = dog
        owner.numbers.append(objectsIn: (0..<long).map { 1_000_000 + $0 })
        owner.dogs.append(objectsIn: Array(repeating: owner.link!, count: long))
      }
    }
    let sound = try Data(contentsOf: stage.file("probe"))
    let url = stage.file("victim")
    for list in ["numbers", "dogs"] {
      for (name, bytes) in [("nothing", sound)] + damages(of: sound) {
        try bytes.write(to: url)
        unlink(url.path + ".lock")
        let remains = try stage.companion("who adds", list).remains()
        let said = remains.stdout + remains.stderr
        let isWritten = remains.stdout.hasPrefix("written")
        stage.expect(
          remains.stopped == nil
            && (isWritten || name != "nothing" && said.contains(url.path)),
          "\(name) is told by the file's name, or the \(list) are added to",
          observed: "\(remains.ending) \(remains.stopped as Any): \(said.prefix(300))")
      }
    }
  }
}
