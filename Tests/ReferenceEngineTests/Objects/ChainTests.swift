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
