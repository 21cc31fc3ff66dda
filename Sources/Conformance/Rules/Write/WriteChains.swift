import EngineUnderTest
import Foundation
import Harness

/// Chains of new objects, each of which leads to the next in one of the ways there are.
private struct Leading: Sendable {
  let name: String
  let lead: @Sendable (Vessel, Vessel) -> Void
  let next: @Sendable (Vessel) -> Vessel?

  static let all: [Leading] = [
    Leading(name: "a link", lead: { $0.link = $1 }, next: { $0.link }),
    Leading(name: "a list", lead: { $0.links.append($1) }, next: { $0.links.first }),
    Leading(name: "a set", lead: { $0.group.insert($1) }, next: { $0.group.first }),
    Leading(
      name: "a map", lead: { $0.named["next"] = .some($1) },
      next: { $0.named["next"].flatMap(\.self) }),
    Leading(
      name: "a mixed value", lead: { $0.mixed = .object($1) },
      next: { $0.mixed.object(Vessel.self) }),
    Leading(
      name: "a list of mixed values", lead: { $0.mixture.append(.object($1)) },
      next: { $0.mixture.first?.object(Vessel.self) }),
    Leading(
      name: "an embedded object", lead: { $0.part = Part(text: "next", link: $1) },
      next: { $0.part?.link }),
    Leading(
      name: "a list of embedded objects",
      lead: { $0.parts.append(objectsIn: [Part(text: "none"), Part(text: "next", link: $1)]) },
      next: { $0.parts.last?.link }),
    Leading(
      name: "each in its turn",
      lead: { one, next in Leading.all[one.id % 8].lead(one, next) },
      next: { Leading.all[$0.id % 8].next($0) }),
  ]

  func chain(_ first: Int, _ length: Int) -> [Vessel] {
    let chain = (0..<length).map { Vessel(id: first + $0) }
    for (one, next) in zip(chain, chain.dropFirst()) { lead(one, next) }
    return chain
  }

  /// The ids along it.
  func ids(from first: Vessel?) -> [Int] {
    var ids: [Int] = []
    var one = first
    while let here = one, ids.count < 10_000 {
      ids.append(here.id)
      one = next(here)
    }
    return ids
  }
}

extension Probe {
  /// Of each length, kept and not, added in each way.
  static let chainsInEachWay: [Probe] = Leading.all.indices.map { place in
    let leading = Leading.all[place]
    return Probe("a chain of new objects comes as a whole, whatever its length: by \(leading.name)")
    {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: Vessel.configuration(stage))
      let holder = try realm.write {
        let holder = Vessel(id: -1)
        realm.add(holder)
        return holder
      }
      let ways: [(name: String, add: (Vessel) -> Void)] = [
        ("added", { realm.add($0) }), ("added with others", { realm.add([$0]) }),
        ("set as a link", { holder.link = $0 }), ("appended", { holder.links.append($0) }),
        ("updated", { realm.add($0, update: .modified) }),
        ("put into a mixed value", { holder.mixed = .object($0) }),
      ]
      var first = 0
      for (round, length) in [1, 2, 15, 16, 17, 18, 33, 65, 130, 300].enumerated() {
        for isKept in [false, true] {
          let way = ways[(round + (isKept ? 3 : 0)) % ways.count]
          let what = "of \(length) by \(leading.name), \(way.name)"
          let chain = leading.chain(first, length)
          let ids = Array(first..<(first + length))
          realm.beginWrite()
          way.add(chain[0])
          stage.equal(
            leading.ids(from: realm.vessel(first)), ids, "the chain in the write, \(what)")
          stage.equal(
            realm.objects(Vessel.self).where { $0.id >= first }.count, length,
            "how many there are in the write, \(what)")
          stage.expect(
            chain.allSatisfy { $0.realm == realm }, "all have the realm, \(what)",
            observed: "\(chain.count { $0.realm == nil }) of \(length) have none")
          if isKept {
            try realm.commitWrite()
            stage.equal(leading.ids(from: chain[0]), ids, "the chain, \(what)")
            let end = first + length - 1
            let configuration = realm.configuration
            stage.equal(
              try stage.elsewhere {
                try Realm(configuration: configuration).vessel(end)?.name
              }, "vessel \(end)", "the name of the last, as others see it, \(what)")
            first += length
          } else {
            realm.cancelWrite()
            stage.equal(
              chain.filter(\.isInvalidated).count, length, "how many are lost, \(what)")
            stage.equal(
              realm.objects(Vessel.self).where { $0.id >= first }.count, 0,
              "how many are left, \(what)")
          }
        }
      }
    }
  }
}
