import Foundation
import Testing

@testable import ReferenceEngine

private final class Pup: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var kennel: Yard?
  @Persisted var home: Address?
}

private final class Yard: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var list: List<Pup>
  @Persisted var set: MutableSet<Pup>
  @Persisted var map: Map<String, Pup?>
  @Persisted var any: List<AnyRealmValue>
  @Persisted var ids: List<Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var homes: List<Address>
  @Persisted(originProperty: "kennel") var pups: LinkingObjects<Pup>
}

private final class PupView: Projection<Pup> {
  @Projected(\Pup.id) var id
  @Projected(\Pup.home?.street) var street
}

/// Loops over views of every kind that begin between two commits of a group, several inside each
/// other, and go on when the group is over, another has gone on, and others lie where it waited.
@Suite struct WaitingViewTests {
  private let scratch = Scratch()

  private func desks() -> (Desk, Desk) {
    let configuration = scratch.configuration([
      Pup.self, Yard.self, Address.self, Dog.self, Person.self,
    ])
    return (Desk(configuration), Desk(configuration))
  }

  private func fill(_ realm: Realm, _ ids: Range<Int>) {
    let yard =
      realm.object(ofType: Yard.self, forPrimaryKey: "yard")
      ?? realm.create(Yard.self, value: ["name": "yard"])
    for id in ids {
      let pup = realm.create(
        Pup.self, value: ["id": id, "name": "\(id)", "home": ["street": "\(id)"]])
      pup.kennel = yard
      yard.list.append(pup)
      yard.set.insert(pup)
      yard.map["\(id)"] = .some(pup)
      yard.any.append(.object(pup))
      yard.ids.append(id)
      yard.tags.insert("\(id)")
      yard.homes.append(Address(value: ["street": "\(id)"]))
    }
  }

  private typealias Loop = (name: String, next: () -> String?)

  private func loop<S: Sequence>(
    _ name: String, _ all: S, _ said: @escaping (S.Element) -> String
  ) -> Loop {
    var rest = all.makeIterator()
    return (name, { rest.next().map(said) })
  }

  private func said(_ pup: Pup) -> String { pup.isInvalidated ? "gone" : "\(pup.id) \(pup.name)" }

  /// A loop over each kind of view there is.
  private func loops(_ realm: Realm) -> [Loop] {
    let pups = realm.objects(Pup.self)
    guard let yard = realm.object(ofType: Yard.self, forPrimaryKey: "yard") else { return [] }
    let sections = pups.sectioned(by: { $0.id % 3 }, sortDescriptors: ["id"])
    return [
      loop("all", pups, said),
      loop("filtered", pups.filter("id >= 0"), said),
      loop("sorted", pups.sorted(byKeyPath: "id", ascending: false), said),
      loop("distinct", pups.distinct(by: ["name"]), said),
      loop("list", yard.list, said),
      loop("filtered list", yard.list.filter("id >= 0"), said),
      loop("set", yard.set, said),
      loop("map", yard.map) { "\($0.key) \($0.value.map(said) ?? "nil")" },
      loop("linking", yard.pups, said),
      loop("erased", AnyRealmCollection(pups), said),
      loop("frozen", pups.freeze(), said),
      loop("mixed", yard.any) { $0.object(Pup.self).map(said) ?? "nil" },
      loop("numbers", yard.ids) { "\($0)" },
      loop("texts", yard.tags) { $0 },
      loop("homes", yard.homes) { $0.isInvalidated ? "gone" : $0.street },
      loop("all homes", realm.objects(Pup.self).filter("home.street != ''"), said),
      loop("sections", sections) { section in
        "\(section.key) " + section.prefix(2).map(said).joined(separator: " ")
      },
      loop("projections", realm.objects(PupView.self)) {
        $0.rootObject.isInvalidated ? "gone" : "\($0.id) \($0.street ?? "")"
      },
    ]
  }

  // home                            another
  // commits, and begins loops
  // commits, and begins others
  //                                 commits a group
  // commits a group
  //                                 commits a group
  // goes on with the loops
  @Test(arguments: [3, 300, 520])
  func `READ-12: loops over views of all kinds go on behind the groups they began in`(
    count: Int
  ) {
    let (desk, other) = desks()
    let done = Bell()
    var begun: [Loop] = []
    var seen: [[String]] = []
    var expected: [[String]] = []
    func begin(_ realm: Realm) {
      for loop in loops(realm) {
        var all: [String] = []
        while let next = loop.next() { all.append(next) }
        expected.append(all)
      }
      for loop in loops(realm) {
        begun.append(loop)
        seen.append((0..<2).compactMap { _ in loop.next() })
      }
    }
    desk.work { realm in
      realm.beginAsyncWrite {
        fill(realm, 0..<count)
        realm.commitAsyncWrite(allowGrouping: true)
        begin(realm)
      }
      realm.beginAsyncWrite {
        fill(realm, count..<(count + 40))
        realm.commitAsyncWrite(allowGrouping: true)
        begin(realm)
      }
      realm.beginAsyncWrite {
        realm.create(Person.self)
        realm.commitAsyncWrite { _ in done.ring() }
      }
    }
    #expect(done.wait())
    other.writeOver()
    let gone = [1, count / 2, count - 1]
    desk.work { realm in
      for number in 0..<3 {
        realm.beginAsyncWrite {
          fill(realm, (1000 * (number + 1))..<(1000 * (number + 1) + 200))
          if number == 1 {
            for id in gone {
              if let pup = realm.object(ofType: Pup.self, forPrimaryKey: id) { realm.delete(pup) }
              realm.create(Pup.self, value: ["id": id, "name": "successor"])
            }
          }
          realm.commitAsyncWrite(allowGrouping: number < 2) { _ in
            if number == 2 { done.ring() }
          }
        }
      }
    }
    #expect(done.wait())
    other.writeOver()
    desk.work { realm in
      realm.refresh()
      for (index, loop) in begun.enumerated() {
        while let next = loop.next(), seen[index].count < 3 * count + 300 {
          seen[index].append(next)
        }
        let right = expected[index]
        #expect(seen[index].count == right.count, "\(loop.name)")
        for (mine, theirs) in zip(seen[index], right) where mine != theirs {
          let id = Int(theirs.split(separator: " ")[0]) ?? -1
          let mayGo = gone.contains(id) && (mine.hasSuffix("gone") || mine == "nil")
          #expect(mayGo || loop.name == "sections", "\(loop.name): \(mine), not \(theirs)")
        }
      }
      begun = []
    }
  }

  // home
  // commits, and begins a loop
  //   in it another, whose body commits and ends the group
  //     in that a third
  @Test(arguments: [3, 300, 520])
  func `READ-12: loops in loops see what they began with, whatever their bodies commit`(
    count: Int
  ) {
    let (desk, other) = desks()
    let done = Bell()
    var (outer, inner, inmost): ([Int], [Int], [Int]) = ([], [], [])
    desk.work { realm in
      let pups = realm.objects(Pup.self)
      realm.beginAsyncWrite {
        fill(realm, 0..<count)
        realm.commitAsyncWrite(allowGrouping: true)
        for pup in pups {
          outer.append(pup.id)
          guard pup.id == count / 2 else { continue }
          for pup in pups.filter("id >= 0") {
            inner.append(pup.id)
            if pup.id == 1 {
              try! realm.write { fill(realm, 10_000..<10_300) }
            }
            guard pup.id == 2 else { continue }
            realm.beginWrite()
            fill(realm, 20_000..<20_050)
            for pup in pups {
              inmost.append(pup.id)
              if inmost.count == 2 { realm.cancelWrite() }
              if inmost.count == count { try! realm.write { fill(realm, 30_000..<30_400) } }
              if inmost.count > count + 300, !pup.isInvalidated { inmost.append(-1) }
              if inmost.count == count + 300 { break }
            }
          }
        }
        done.ring()
      }
    }
    #expect(done.wait())
    other.writeOver()
    let ids = Array(0..<count)
    #expect(outer == ids && inner == ids)
    #expect(inmost == ids + Array(10_000..<10_300))
    desk.work { realm in
      #expect(realm.objects(Pup.self).count == count + 700)
      _ = try? realm.session.coordinator.checkEverything()
    }
  }
}
