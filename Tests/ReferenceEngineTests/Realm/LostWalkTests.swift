import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Loops over what was sealed and is lost: over the rows where they lay, and over their keys, which
/// others have by then.
@Suite struct LostWalkTests {
  private static func fill(_ realm: Realm, _ count: Int, _ name: String) {
    for id in 100..<(100 + count) {
      realm.create(Keyed.self, value: ["id": id, "name": name])
      realm.create(Dog.self, value: ["name": name, "age": id])
    }
  }

  private typealias Loop = (numbers: [Int], next: () -> (isThere: Bool, name: String)?)

  private static func loops(_ realm: Realm) -> [Loop] {
    let (keyed, dogs) = (realm.objects(Keyed.self), realm.objects(Dog.self))
    func loop<Row: Object>(
      _ all: Results<Row>, _ number: (Row) -> Int, _ name: @escaping (Row) -> String
    ) -> Loop {
      var rest = all.makeIterator()
      return (
        all.map(number),
        { rest.next().map { $0.isInvalidated ? (false, "gone") : (true, name($0)) } }
      )
    }
    return [
      loop(keyed, \.id, \.name), loop(keyed.filter("id > 8"), \.id, \.name),
      loop(keyed.sorted(byKeyPath: "id", ascending: false), \.id, \.name),
      loop(dogs, \.age, \.name), loop(dogs.sorted(byKeyPath: "age"), \.age, \.name),
    ]
  }

  // home                            disk                            another
  // seals, and begins loops
  //                                 refuses what is sealed
  //                                                                 adds others under the keys
  // goes on with the loops
  @Test(arguments: [5, 300, 700], [false, true])
  func `READ-12, ASYNC-40: a loop comes to nobody in the place of those that were lost`(
    count: Int, isFirst: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [count = count as Int, isFirst = isFirst as Bool] in
      let scene = LossScene()
      let ended = Bell()
      scene.seal({ LostWalkTests.fill($0, count, "lost") }, ended: ended)
      let loops = Smuggled(scene.desk.work { LostWalkTests.loops($0) })
      var seen = loops.value.map { _ in 0 }
      func goOn(_ steps: Int) {
        for (index, loop) in loops.value.enumerated() {
          for _ in 0..<steps {
            guard let (isThere, name) = loop.next() else { break }
            let number = seen[index] < loop.numbers.count ? loop.numbers[seen[index]] : -1
            seen[index] += 1
            if steps == 1 { continue }
            #expect(isThere == (number < 100) && name != "another", "\(number) is \(name)")
          }
        }
      }
      scene.desk.work { _ in if isFirst { goOn(1) } }
      scene.lose({}, ended: ended)
      for round in 0..<3 {
        scene.other.commit { realm in
          if round == 0 { LostWalkTests.fill(realm, count, "another") }
          for number in 0..<300 { realm.create(Person.self, value: ["name": "\(number)"]) }
        }
        scene.desk.work { _ = $0.refresh() }
      }
      scene.desk.work { _ in goOn(.max) }
      #expect(seen == loops.value.map(\.numbers.count))
    }
  }
}
