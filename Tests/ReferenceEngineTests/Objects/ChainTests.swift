import Foundation
import Testing

@testable import ReferenceEngine

private final class Chain: Object {
  @Persisted var number: Int
  @Persisted var next: Chain?
  @Persisted var others: List<Chain>
  @Persisted var group: MutableSet<Chain>
  @Persisted var named: Map<String, Chain?>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

private final class KeyedChain: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var next: KeyedChain?
}

private final class Owner: Object {
  @Persisted var first: Owned?
}

private final class Owned: EmbeddedObject {
  @Persisted var number: Int
  @Persisted var next: Owned?
  @Persisted var others: List<Owned>
}

/// By which property one object of a chain holds the next.
private enum Way: String, CaseIterable, Codable {
  case link, list, set, map, mixed, mixedList, nested

  func join(_ one: Chain, to next: Chain) {
    switch self {
    case .link: one.next = next
    case .list: one.others.append(next)
    case .set: one.group.insert(next)
    case .map: one.named["next"] = next
    case .mixed: one.any = .object(next)
    case .mixedList: one.anys.append(.object(next))
    case .nested: one.any = .fromArray([.int(1), .fromDictionary(["next": .object(next)])])
    }
  }

  func next(of one: Chain) -> Chain? {
    switch self {
    case .link: one.next
    case .list: one.others.first
    case .set: one.group.first
    case .map: one.named["next"] ?? nil
    case .mixed: one.any.object(Chain.self)
    case .mixedList: one.anys.first?.object(Chain.self)
    case .nested: one.any.listValue?[1].dictionaryValue?["next"]?.object(Chain.self)
    }
  }

  /// The first of so many free objects, each with its number.
  func chain(_ count: Int) -> Chain {
    var next: Chain?
    for number in (0..<count).reversed() {
      let one = Chain()
      one.number = number
      if let next { join(one, to: next) }
      next = one
    }
    return next!
  }

  /// How many follow each other in the order of their numbers.
  func length(from first: Chain?) -> Int {
    var (count, here) = (0, first)
    while let one = here, one.number == count {
      count += 1
      here = next(of: one)
    }
    return count
  }
}

private func configuration(_ scratch: Scratch) -> Realm.Configuration {
  scratch.configuration([Chain.self, KeyedChain.self, Owner.self, Owned.self])
}

/// Objects that hold each other in long chains. Each of these ended the program on the stack.
@Suite struct ChainTests {
  @Test(arguments: Way.allCases)
  fileprivate func `a chain of 20,000 free objects goes with its first`(way: Way) async {
    await #expect(processExitsWith: .success) { [name = way.rawValue as String] in
      try SmallStack.run {
        let way = Way(rawValue: name)!
        weak var last: Chain?
        do {
          let first = way.chain(20_000)
          #expect(first.number == 0)
          last = way.next(of: first)
          #expect(last != nil)
        }
        #expect(last == nil)
      }
    }
  }

  @Test func `objects that are held elsewhere stay when a chain goes`() {
    var kept: [Chain] = []
    do {
      var here: Chain? = Way.link.chain(1000)
      while let one = here {
        if one.number % 100 == 50 { kept.append(one) }
        here = one.next
      }
    }
    #expect(kept.map(\.number) == Array(stride(from: 50, to: 1000, by: 100)))
    #expect(kept.allSatisfy { $0.next?.number == $0.number + 1 })
    weak let lost = kept[3].next?.next
    kept[3].next?.next = nil
    #expect(lost == nil && kept[3].next?.number == 351)
  }

  @Test(arguments: Way.allCases)
  fileprivate func `a chain of 2,000 free objects is added, and copied`(way: Way) async {
    await #expect(processExitsWith: .success) { [name = way.rawValue as String] in
      try SmallStack.run {
        let way = Way(rawValue: name)!
        let scratch = Scratch()
        let realm = try Realm(configuration: configuration(scratch))
        let first = way.chain(2000)
        try realm.write { realm.add(first) }
        #expect(first.realm != nil && realm.objects(Chain.self).count == 2000)
        #expect(way.length(from: first) == 2000)
        let copy = try realm.write { realm.create(Chain.self, value: way.chain(2000)) }
        #expect(realm.objects(Chain.self).count == 2 * 2000)
        #expect(way.length(from: copy) == 2000)
        try realm.session.coordinator.checkEverything()
        try realm.write { realm.deleteAll() }
      }
    }
  }

  @Test func `a circle of many objects is added and created once`() throws {
    let scratch = Scratch()
    let realm = try Realm(configuration: configuration(scratch))
    func circle() -> Chain {
      let first = Way.link.chain(1000)
      var last = first
      while let next = last.next { last = next }
      last.next = first
      last.others.append(objectsIn: [first, last])
      return first
    }
    let (first, original) = (circle(), circle())
    try realm.write { realm.add(first) }
    #expect(realm.objects(Chain.self).count == 1000)
    let copy = try realm.write { realm.create(Chain.self, value: original) }
    #expect(realm.objects(Chain.self).count == 2000)
    for start in [first, copy] {
      var here = start
      for _ in 0..<999 { here = here.next! }
      #expect(here.number == 999 && here.next?.isSameObject(as: start) == true)
      #expect(here.others.count == 2 && here.others[1].isSameObject(as: here))
    }
    var here: Chain? = original
    while let one = here { (here, one.next) = (one.next, nil) }
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func `a long chain of objects with keys is written over those that are there`(
    policy: Realm.UpdatePolicy
  ) async {
    await #expect(processExitsWith: .success) { [all = (policy == .all) as Bool] in
      try SmallStack.run {
        let policy: Realm.UpdatePolicy = all ? .all : .modified
        let scratch = Scratch()
        let realm = try Realm(configuration: configuration(scratch))
        func chain(_ text: String) -> KeyedChain {
          var next: KeyedChain?
          for id in (0..<2000).reversed() {
            let one = KeyedChain()
            (one.id, one.text, one.next) = (id, text, next)
            next = one
          }
          return next!
        }
        for (round, text) in ["one", "two", "three"].enumerated() {
          try realm.write {
            if round == 1 {
              realm.create(KeyedChain.self, value: chain(text), update: policy)
            } else {
              realm.add(chain(text), update: policy)
            }
          }
          let all = realm.objects(KeyedChain.self)
          #expect(all.count == 2000 && all.filter("text == %@", text).count == 2000)
          #expect(all.filter("next == nil").map(\.id) == [1999])
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `2,000 embedded objects are added, changed in place and deleted`(isList: Bool) async {
    await #expect(processExitsWith: .success) { [isList = isList as Bool] in
      try SmallStack.run {
        let scratch = Scratch()
        let realm = try Realm(configuration: configuration(scratch))
        func owner(from start: Int) -> Owner {
          var next: Owned?
          for number in (0..<2000).reversed() {
            let one = Owned()
            one.number = start + number
            if isList, let next { one.others.append(next) } else { one.next = next }
            next = one
          }
          let owner = Owner()
          owner.first = next
          return owner
        }
        func length(_ owner: Owner, from start: Int) -> Int {
          var (count, here) = (0, owner.first)
          while let one = here, one.number == start + count {
            count += 1
            here = isList ? one.others.first : one.next
          }
          return count
        }
        let added = owner(from: 0)
        try realm.write { realm.add(added) }
        #expect(length(added, from: 0) == 2000)
        let made = try realm.write { realm.create(Owner.self, value: owner(from: 7)) }
        #expect(length(made, from: 7) == 2000)
        #expect(realm.dynamicObjects("Owned").count == 4000)
        try realm.write { realm.delete(added) }
        #expect(realm.dynamicObjects("Owned").count == 2000)
        try realm.write { made.first = owner(from: 9).first }
        #expect(length(made, from: 9) == 2000)
        try realm.session.coordinator.checkEverything()
      }
    }
  }

  @Test func `objects that hold each other in circles are compared, hashed and printed`() {
    let (one, two) = (Chain(), Chain())
    for (here, there) in [(one, two), (two, one)] {
      here.next = there
      here.others.append(objectsIn: [there, here])
      here.group.insert(there)
      here.named["there"] = there
      here.any = .fromArray([.object(there), .fromDictionary(["here": .object(here)])])
      here.anys.append(.object(here))
    }
    #expect(one == one && one != two && Set([one, two, one]).count == 2)
    #expect(one.any == one.any && one.any != two.any && one.others != two.others)
    for text in [one.description, one.others.description, "\(one.any)", one.named.description] {
      #expect(text.contains("<Maximum depth exceeded>"))
    }
    for chain in [one, two] {
      (chain.next, chain.any) = (nil, .none)
      chain.others.removeAll()
      chain.group.removeAll()
      chain.named.removeAll()
      chain.anys.removeAll()
    }
  }
}
