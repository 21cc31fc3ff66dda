import Foundation
import Testing

@testable import ReferenceEngine

/// Loops that go on behind the end of their realm's life: they are of it, as all is that came from
/// it.
@Suite struct EndedLifeWalkTests {
  private let scratch = Scratch()

  private func look(_ objects: some Sequence<Keyed>) -> () -> String? {
    var rest = objects.makeIterator()
    return { rest.next().map { $0.isInvalidated ? "gone" : $0.name } }
  }

  // home                             another
  // begins loops
  //                                  puts others in the members' places
  // invalidates
  // goes on with the loops
  @Test(arguments: [5, 300, 600])
  func `LIFE-04, READ-12: a loop comes to nobody behind the end of its realm's life`(
    count: Int
  ) throws {
    let configuration = scratch.configuration([Keyed.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<count { realm.create(Keyed.self, value: ["id": id, "name": "old"]) }
    }
    let all = realm.objects(Keyed.self)
    let loops = [
      look(all), look(all.filter("id >= 0")), look(all.sorted(byKeyPath: "id", ascending: false)),
    ]
    for loop in loops { for _ in 0..<2 { #expect(loop() == "old") } }
    // One is held, so that its loop goes on with another object.
    var kept = all.makeIterator()
    let first = kept.next()
    let desk = Desk(configuration)
    desk.commit { other in
      other.deleteAll()
      for id in 0..<count { other.create(Keyed.self, value: ["id": id, "name": "new"]) }
    }
    realm.invalidate()
    #expect(realm.objects(Keyed.self).count == count)
    #expect(first?.isInvalidated == true)
    for loop in loops {
      var rest: [String] = []
      while let next = loop() { rest.append(next) }
      #expect(rest.allSatisfy { $0 == "gone" }, "\(rest.prefix(3))")
    }
    var left = 0
    while let one = kept.next() {
      #expect(one.isInvalidated)
      left += 1
    }
    #expect(left <= count - 1)
  }
}
