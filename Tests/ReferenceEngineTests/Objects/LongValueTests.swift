import Foundation
import Testing

@testable import ReferenceEngine

private class LongShelf: Object {
  @Persisted var text: String
  @Persisted var data: Data?
  @Persisted var any: AnyRealmValue
  @Persisted var texts: List<String>
  @Persisted var sets: MutableSet<Data>
  @Persisted var maps: Map<String, AnyRealmValue>
}

private class Fat: Object {
  @Persisted var text = String(repeating: "f", count: 1 << 24)
}

/// A string or data of 128 MiB ended the process in the commit, and from 16 MB on nothing said no.
@Suite(.serialized) struct LongValueTests {
  /// Each way of a value into a realm.
  private static func set(_ way: Int, _ count: Int, _ realm: Realm) {
    let text = String(repeating: "t", count: count)
    let data = Data(repeating: 7, count: count)
    let types = ["LongShelf"]
    switch way {
    case 0: realm.objects(LongShelf.self)[0].text = text
    case 1: realm.objects(LongShelf.self)[0].data = data
    case 2: realm.objects(LongShelf.self)[0].any = .string(text)
    case 3: realm.objects(LongShelf.self)[0].any = .data(data)
    case 4: realm.create(LongShelf.self, value: ["text": text])
    case 5: realm.create(LongShelf.self, value: ["data": data])
    case 6: realm.add(LongShelf(value: ["text": text]))
    case 7: realm.add(LongShelf(value: ["data": data]))
    case 8: realm.objects(LongShelf.self)[0].texts.append(text)
    case 9: realm.objects(LongShelf.self)[0].sets.insert(data)
    case 10: realm.objects(LongShelf.self)[0].maps["key"] = .string(text)
    case 11: realm.objects(LongShelf.self)[0].maps[text] = .int(1)
    case 12: realm.dynamicObjects(types[0])[0]["text"] = text
    case 13: realm.objects(LongShelf.self)[0].setValue(data, forKey: "data")
    case 14: realm.objects(LongShelf.self)[0].texts[0] = text
    default: realm.add(Fat())
    }
  }

  private static func shelf() throws -> (Realm, Scratch) {
    let scratch = Scratch()
    let realm = try Realm(configuration: scratch.configuration([LongShelf.self, Fat.self]))
    try realm.write { realm.add(LongShelf(value: ["texts": ["short"]])) }
    return (realm, scratch)
  }

  @Test(arguments: 0..<16)
  func `WRITE-34: 16 MB are refused where they are set, in Realm's words`(way: Int) async throws {
    let found = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let (realm, scratch) = try LongValueTests.shelf()
      realm.beginWrite()
      LongValueTests.set(way, 1 << 24, realm)
      withExtendedLifetime(scratch) {}
    }
    let words = String(decoding: found?.standardErrorContent ?? [], as: UTF8.self)
    let isData = [1, 3, 5, 7, 9, 13].contains(way)
    #expect(words.contains(isData ? "Binary too big" : "String too big"), "\(words.prefix(300))")
  }

  @Test(arguments: [1 << 24 + 1, 1 << 27, 135_000_000])
  func `WRITE-34: more is refused, too`(count: Int) async throws {
    let found = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [count = count as Int] in
      let (realm, scratch) = try LongValueTests.shelf()
      try realm.write { LongValueTests.set(1, count, realm) }
      withExtendedLifetime(scratch) {}
    }
    let words = String(decoding: found?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Binary too big"), "\(words.prefix(300))")
  }

  @Test(arguments: 0..<15) func `WRITE-34: a byte less is kept`(way: Int) throws {
    let (realm, scratch) = try LongValueTests.shelf()
    let count = 1 << 24 - 1
    try realm.write { LongValueTests.set(way, count, realm) }
    let last = try #require(realm.objects(LongShelf.self).last)
    func length(_ value: AnyRealmValue?) -> Int {
      switch value {
      case .string(let text)?: text.utf8.count
      case .data(let data)?: data.count
      default: 0
      }
    }
    var lengths: [Int] = [last.text.utf8.count]
    lengths.append(last.data?.count ?? 0)
    lengths.append(last.texts.last?.utf8.count ?? 0)
    lengths.append(last.sets.first?.count ?? 0)
    lengths.append(last.maps.keys.first?.utf8.count ?? 0)
    lengths.append(length(last.any))
    lengths.append(length(last.maps["key"]))
    #expect(lengths.contains(count), "\(lengths)")
    withExtendedLifetime(scratch) {}
  }

  @Test func `A node of any size up to the largest is made, and only then refused`() throws {
    let coordinator = try Coordinator(Toy.configuration(.memory(identifier: "large")))
    let arena = NodeArena(space: coordinator.space, version: VersionID(1))
    for payload in [1 << 26, 1 << 27 - 16, 1 << 27, NodeHeader.largestUnits << 4 - 16] {
      let ref = arena.make(kind: 2, payload: payload)
      #expect(arena.capacity(of: ref) >= payload)
      arena.discard(ref)
      #expect(arena.pendingBytes == 0)
    }
  }
}
