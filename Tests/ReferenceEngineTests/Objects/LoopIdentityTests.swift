import Foundation
import Testing

@testable import ReferenceEngine

/// Loops that are held over whatever becomes of their realm: writes that are committed, sealed or
/// cancelled, in which objects come under keys that others had, and what others commit. Each object
/// has a number of its own: what a loop comes to is who was there when it began, or nobody.
@Suite struct LoopIdentityTests {
  private enum Kind: CaseIterable { case keyed, named, dog, address }

  /// The objects that are there, by kind: their numbers, and their keys.
  private typealias State = [Kind: [Int: Int]]

  private struct Loop {
    let name: String
    let kind: Kind
    /// The number of the next one; nil if that is gone.
    let next: () -> Int??
    let expected: [Int]
    var at = 0
  }

  private final class Player: @unchecked Sendable {
    // Sendable because it is only touched at its desk.
    let (home, other): (Desk, Desk)
    var dice: Dice
    var (shown, newest, base): (State, State, State) = ([:], [:], [:])
    var loops: [Loop] = []
    var faults: [String] = []
    private(set) var acts: [String] = []
    private var serial = 0

    init(_ configuration: Realm.Configuration, seed: UInt64) {
      (home, other) = (Desk(configuration), Desk(configuration))
      dice = Dice(seed: seed)
      for kind in Kind.allCases { newest[kind] = [:] }
      other.commit { $0.create(Everything.self, value: ["int": 1]) }
      home.work { realm in
        realm.autorefresh = false
        realm.refresh()
      }
      shown = newest
    }

    // MARK: Changing

    private func owner(_ realm: Realm) -> Everything {
      realm.objects(Everything.self).first ?? realm.create(Everything.self, value: ["int": 1])
    }

    private func add(_ realm: Realm, _ kind: Kind, _ key: Int, _ state: inout State) {
      if state[kind]?.values.contains(key) == true, kind == .keyed || kind == .named { return }
      serial += 1
      switch kind {
      case .keyed: realm.create(Keyed.self, value: ["id": key, "name": "\(serial)"])
      case .named: realm.create(Named.self, value: ["id": "\(key)", "value": serial])
      case .dog: realm.create(Dog.self, value: ["name": "a dog", "age": serial])
      case .address: owner(realm).addresses.append(Address(value: ["street": "\(serial)"]))
      }
      state[kind]?[serial] = key
    }

    private func remove(_ realm: Realm, _ kind: Kind, _ number: Int, _ state: inout State) {
      switch kind {
      case .keyed: realm.delete(realm.objects(Keyed.self).filter("name == '\(number)'"))
      case .named: realm.delete(realm.objects(Named.self).filter("value == \(number)"))
      case .dog: realm.delete(realm.objects(Dog.self).filter("age == \(number)"))
      case .address:
        if let one = owner(realm).addresses.first(where: { $0.street == "\(number)" }) {
          realm.delete(one)
        }
      }
      state[kind]?[number] = nil
    }

    private func change(_ realm: Realm, _ state: inout State) {
      for _ in 0...dice.below(4) {
        let kind = Kind.allCases[dice.below(4)]
        switch dice.below(9) {
        case 0...2: add(realm, kind, dice.below(8), &state)
        case 3, 4:
          guard let one = state[kind]?.keys.sorted().randomElement(using: &dice) else { break }
          let key = state[kind]?[one] ?? 0
          remove(realm, kind, one, &state)
          if dice.below(2) == 0 { add(realm, kind, key, &state) }
        case 5 where (state[kind]?.count ?? 0) < 400:
          let first = 100 + 300 * dice.below(3)
          for key in first..<(first + 290) { add(realm, kind, key, &state) }
        case 6 where dice.below(3) == 0:
          realm.deleteAll()
          for kind in Kind.allCases { state[kind] = [:] }
        case 7 where kind != .address && dice.below(2) == 0:
          switch kind {
          case .keyed: realm.delete(realm.objects(Keyed.self))
          case .named: realm.delete(realm.objects(Named.self))
          default: realm.delete(realm.objects(Dog.self))
          }
          state[kind] = [:]
        default: add(realm, kind, 100 + dice.below(300), &state)
        }
      }
    }

    // MARK: Walking

    private func begin(_ realm: Realm) {
      func hold<S: Sequence>(
        _ name: String, _ kind: Kind, _ all: S, _ number: @escaping (S.Element) -> Int
      ) where S.Element: ObjectBase {
        var rest = all.makeIterator()
        loops.append(
          Loop(
            name: name, kind: kind,
            next: { rest.next().map { $0.isInvalidated ? nil : number($0) } },
            expected: all.map(number)))
      }
      let (keyed, named) = (realm.objects(Keyed.self), realm.objects(Named.self))
      let dogs = realm.objects(Dog.self)
      func id(_ keyed: Keyed) -> Int { Int(keyed.name) ?? -1 }
      switch dice.below(9) {
      case 0: hold("keyed", .keyed, keyed, id)
      case 1: hold("some keyed", .keyed, keyed.filter("id != 3"), id)
      case 2: hold("sorted keyed", .keyed, keyed.sorted(byKeyPath: "name"), id)
      case 3: hold("named", .named, named) { $0.value }
      case 4: hold("sorted named", .named, named.sorted(byKeyPath: "id")) { $0.value }
      case 5: hold("dogs", .dog, dogs) { $0.age }
      case 6: hold("distinct dogs", .dog, dogs.distinct(by: ["age"])) { $0.age }
      case 7:
        if let owner = realm.objects(Everything.self).first {
          hold("addresses", .address, owner.addresses) { Int($0.street) ?? -1 }
        }
      default:
        if let owner = realm.objects(Everything.self).first {
          hold("some addresses", .address, owner.addresses.filter("street != '3'")) {
            Int($0.street) ?? -1
          }
        }
      }
    }

    private func goOn(_ index: Int, _ steps: Int) {
      for _ in 0..<steps {
        let loop = loops[index]
        guard let found = loop.next() else {
          if loop.at != loop.expected.count {
            faults.append("\(loop.name) ends at \(loop.at) of \(loop.expected.count)")
          }
          loops.remove(at: index)
          return
        }
        loops[index].at += 1
        guard loop.at < loop.expected.count else {
          faults.append("\(loop.name) does not end")
          return
        }
        let wanted = loop.expected[loop.at]
        let isThere = shown[loop.kind]?[wanted] != nil
        if found != (isThere ? wanted : nil) {
          faults.append(
            "\(loop.name) finds \(found.map { "\($0)" } ?? "nobody") at \(loop.at), not "
              + (isThere ? "\(wanted)" : "nobody"))
          return
        }
      }
    }

    // MARK: One step

    func step() {
      if dice.below(8) == 0, !home.work({ $0.isInWriteTransaction }) {
        other.commit { change($0, &newest) }
        acts.append("other commits")
        return
      }
      home.work { realm in
        if realm.isInWriteTransaction {
          switch dice.below(7) {
          case 0...2: change(realm, &shown)
          case 3:
            realm.cancelWrite()
            shown = base
            acts.append("cancels")
          case 4:
            if dice.below(2) == 0 {
              try! realm.commitWrite()
            } else {
              realm.commitAsyncWrite(allowGrouping: dice.below(2) == 0)
            }
            newest = shown
            acts.append("commits")
          default: break
          }
        } else {
          switch dice.below(4) {
          case 0, 1:
            realm.beginWrite()
            shown = newest
            base = shown
            acts.append("begins")
          case 2:
            // What is sealed is newer than what can be refreshed to.
            realm.refresh()
            shown = newest
            acts.append("refreshes")
          default: break
          }
        }
        for _ in 0..<dice.below(3) where loops.count < 10 { begin(realm) }
        if !loops.isEmpty, faults.isEmpty {
          goOn(dice.below(loops.count), [1, 3, 260, 1000][dice.below(4)])
        }
        if !faults.isEmpty { faults.append("after \(acts.suffix(12))") }
      }
    }

    func end() {
      home.work { realm in
        if realm.isInWriteTransaction {
          realm.cancelWrite()
          shown = base
        }
        while !loops.isEmpty, faults.isEmpty { goOn(0, .max) }
        loops = []
      }
    }
  }

  @Test func `READ-12, WRITE-19: a loop comes to who was there when it began, or to nobody`() {
    let seed = Wish.seed()
    for round in 0..<Wish.number(orElse: 8) {
      let scratch = Scratch()
      let player = Player(
        scratch.configuration([
          Keyed.self, Named.self, Dog.self, Everything.self, Address.self, Person.self,
        ]), seed: seed &+ UInt64(round))
      for _ in 0..<150 where player.faults.isEmpty { player.step() }
      player.end()
      #expect(player.faults == [], "seed \(seed), round \(round)")
    }
  }
}
