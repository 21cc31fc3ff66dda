import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Few and many realms that are open on one thread, and on queues, at the same time.
  static let manyInstances: [Probe] = [1, 3, 70].flatMap { count in
    ["a thread", "queues"].map { place in
      Probe("each of \(count) files that are open on \(place) is one realm") { stage in
        let queues = (0..<count).map { DispatchQueue(label: "queue \($0)") }
        func open(_ number: Int) throws -> Realm {
          var configuration = stage.configuration("file \(number)")
          // Some are in memory, most have a file.
          if number % 5 == 4 {
            configuration = Realm.Configuration(
              inMemoryIdentifier: "memory \(number)", objectTypes: Models.all)
          }
          guard place == "queues" else { return try Realm(configuration: configuration) }
          return try stage.on(queues[number]) {
            try Realm(configuration: configuration, queue: queues[number])
          }
        }
        @discardableResult
        func at<Value>(_ number: Int, _ body: () throws -> Value) rethrows -> Value {
          place == "queues" ? try stage.on(queues[number], body) : try body()
        }
        var realms: [Realm?] = []
        for number in 0..<count {
          realms.append(try open(number))
          stage.expect(try open(0) == realms[0], "the first, when \(number + 1) are open")
        }
        func look(_ moment: String) throws {
          for number in Array(0..<count) + (0..<count).reversed() {
            guard let realm = realms[number] else { continue }
            let again = try open(number)
            stage.expect(again == realm, "number \(number), opened again \(moment)")
            at(number) {
              realm.beginWrite()
              stage.equal(again.isInWriteTransaction, true, "whether \(number) shares its write")
              realm.cancelWrite()
              again.autorefresh = number % 2 == 0
              stage.equal(realm.autorefresh, number % 2 == 0, "the autorefresh of \(number)")
            }
          }
        }
        try look("when all are open")
        for number in stride(from: 1, to: count, by: 2) { at(number) { realms[number] = nil } }
        try look("when every second is gone")
        for number in stride(from: 1, to: count, by: 2) {
          realms[number] = try open(number)
          at(number) {
            stage.equal(realms[number]!.autorefresh, true, "the autorefresh of a new \(number)")
          }
        }
        try look("when those were opened again")
      }
    }
  }
}
