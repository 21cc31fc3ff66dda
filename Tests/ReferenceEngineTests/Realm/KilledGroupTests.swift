import Foundation
import Testing

@testable import ReferenceEngine

/// A process that is killed while it commits in groups, with rows that come in no order and go one
/// by one: what it was told of is there, and of what it was not told whole writes are, or are not.
@Suite(.serialized) struct KilledGroupTests {
  private static let rows = 300
  /// Each write deletes what the one so many writes before it has made.
  private static let life = 4

  private static func id(_ write: Int, _ row: Int) -> Int {
    // In no order, on both sides of zero.
    let mixed = (row * 7919) % rows
    return (write.isMultiple(of: 2) ? -1 : 1) * (write * 1000 + mixed)
  }

  private static func write(_ number: Int, _ realm: Realm) {
    for row in 0..<rows {
      realm.create(Keyed.self, value: ["id": id(number, row), "name": "\(number)"])
    }
    let old = number - life
    if old > 0 {
      for row in 0..<rows {
        if let one = realm.object(ofType: Keyed.self, forPrimaryKey: id(old, row)) {
          realm.delete(one)
        }
      }
    }
    realm.create(Dog.self, value: ["name": "\(number)", "age": number])
  }

  /// Writes group after group until it is killed, and notes what it is told of.
  private static func run(_ configuration: Realm.Configuration, _ log: String, _ seed: UInt64) {
    alarm(60)
    let file = open(log, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    let desk = Desk(configuration)
    var dice = Dice(seed: seed)
    let patience = UInt32(1000 + dice.below(60_000))
    // Killed wherever it is by then.
    Thread {
      usleep(patience)
      kill(getpid(), SIGKILL)
    }.start()
    var next = desk.work { ($0.objects(Dog.self).max(ofProperty: "age") as Int? ?? 0) + 1 }
    while true {
      let done = Bell()
      let count = 1 + dice.below(4)
      let first = next
      next += count
      let waits = (0..<count).map { _ in dice.below(4) > 0 }
      desk.work { realm in
        for number in first..<next {
          realm.beginAsyncWrite {
            write(number, realm)
            let isLast = number + 1 == first + count
            realm.commitAsyncWrite(allowGrouping: !isLast && waits[number - first]) { error in
              if error != nil { fatalError("\(error!)") }
              var told = Int32(number)
              _ = Foundation.write(file, &told, 4)
              if isLast { done.ring() }
            }
          }
        }
      }
      _ = done.wait()
    }
  }

  @Test func `COMMIT-04: what a killed process was told of is there, and whole`() async throws {
    let seed = Wish.seed()
    let scratch = Scratch()
    let configuration = scratch.configuration([Keyed.self, Dog.self])
    let path = scratch.directory.path
    for round in 0..<Wish.number(orElse: 5) {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, seed = (seed &+ UInt64(round)) as UInt64] in
        KilledGroupTests.run(
          Realm.Configuration(
            fileURL: URL(fileURLWithPath: path + "/test.realm"),
            objectTypes: [Keyed.self, Dog.self]), path + "/log", seed)
      }
      try lookAt(configuration, path)
    }
  }

  /// Looks at what a killed process has left, and writes on.
  private func lookAt(_ configuration: Realm.Configuration, _ path: String) throws {
    let log = (try? Data(contentsOf: URL(fileURLWithPath: path + "/log"))) ?? Data()
    var told = 0
    log.withUnsafeBytes { bytes in
      for number in bytes.bindMemory(to: Int32.self) { told = max(told, Int(number)) }
    }
    let name = path + "/test.realm"
    if FileManager.default.fileExists(atPath: name) { _ = try Inspection(verifying: name) }
    let realm = try Realm(configuration: configuration)
    let ages = Array(realm.objects(Dog.self).map(\.age))
    #expect(ages == Array(1..<(ages.count + 1)) && ages.count >= told)
    let living = (1..<(ages.count + 1)).suffix(Self.life)
    let ids = living.flatMap { number in (0..<Self.rows).map { Self.id(number, $0) } }.sorted()
    #expect(realm.objects(Keyed.self).map(\.id) == ids)
    for number in living {
      #expect(realm.objects(Keyed.self).filter("name == '\(number)'").count == Self.rows)
    }
    try realm.write { Self.write(ages.count + 1, realm) }
    _ = try realm.session.coordinator.checkEverything()
  }
}
