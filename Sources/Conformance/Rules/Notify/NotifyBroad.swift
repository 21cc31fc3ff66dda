import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Of an object with very many properties each listener hears of those that it asks for.
  static let broadOnes: [Probe] = [false, true].map { isForeign in
    Probe(
      "of very many properties each is told to those whose key path leads to it"
        + (isForeign ? ", written elsewhere" : "")
    ) { stage in
      Backstage.hooks?.skipFlushes()
      let configuration = Broad.configuration(stage)
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      try realm.write {
        for id in 0..<4 { realm.create(Broad.self, value: ["id": id]) }
        for id in 0..<2 { realm.broad(id).next = realm.broad(id + 1) }
      }
      let all = realm.objects(Broad.self)
      var told: Set<String> = []
      var names: [String] = []
      var tokens: [NotificationToken] = [
        realm.broad(0).observe { (change: ObjectChange<Broad>) in
          if case .change(_, let properties) = change { names += properties.map(\.name) }
        }
      ]
      for edge in Broad.edges {
        tokens += [
          realm.broad(0).observe(keyPaths: ["p\(edge)"]) { (_: ObjectChange<Broad>) in
            told.insert("object \(edge)")
          },
          realm.broad(0).observe(keyPaths: ["next.p\(edge)"]) { (_: ObjectChange<Broad>) in
            told.insert("object over a link \(edge)")
          },
          all.observe(keyPaths: ["p\(edge)"]) {
            if case .update(_, _, _, let modified) = $0 {
              told.insert("all \(edge) \(modified)")
            }
          },
          all.where { $0.id < 2 }.observe(keyPaths: ["next.p\(edge)", "id"]) {
            if case .update(_, _, _, let modified) = $0 {
              told.insert("some over a link \(edge) \(modified)")
            }
          },
        ]
      }
      try stage.settle(realm)
      func write(_ change: @escaping (Realm) -> Void) throws {
        (told, names) = ([], [])
        if isForeign {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { change(other) }
          }
          realm.refresh()
        } else {
          try realm.write { change(realm) }
        }
        try stage.settle(realm)
      }
      for (round, edge) in Broad.edges.enumerated() {
        try write { $0.broad(0).set(edge, round + 1) }
        stage.equal(
          told, ["object \(edge)", "all \(edge) [0]"], "who is told of p\(edge)")
        stage.equal(names, ["p\(edge)"], "the properties that are told of")
        try write { $0.broad(1).set(edge, round + 1) }
        stage.equal(
          told,
          ["object over a link \(edge)", "all \(edge) [1]", "some over a link \(edge) [0]"],
          "who is told of p\(edge) behind a link")
        stage.equal(names, [], "the properties of the object before it that are told of")
      }
      // Two of them, of two objects, by turns.
      for (one, two) in zip(Broad.edges, Broad.edges.reversed()) where one != two {
        try write { realm in
          realm.broad(0).set(one, -1)
          realm.broad(3).set(two, -1)
        }
        stage.equal(
          told, ["object \(one)", "all \(one) [0]", "all \(two) [3]"],
          "who is told of p\(one) of one and p\(two) of another")
        try write { realm in
          realm.broad(0).set(two, -2)
          realm.broad(0).set(one, -2)
        }
        stage.equal(
          told, Set([one, two].flatMap { ["object \($0)", "all \($0) [0]"] }),
          "who is told of p\(one) and p\(two)")
        stage.equal(
          Set(names), ["p\(one)", "p\(two)"], "the properties that are told of together")
        stage.equal(names.count, 2, "how many are told of together")
      }
      for token in tokens { token.invalidate() }
    }
  }

  /// The same object in each state: what is written to any of its properties is there, or is not.
  static let broadValues = Probe("of very many properties each has its value in every state") {
    stage in
    Backstage.hooks?.skipFlushes()
    let configuration = Broad.configuration(stage)
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    try realm.write { for id in 0..<3 { realm.create(Broad.self, value: ["id": id]) } }
    let broad = realm.broad(1)!
    var wanted = Array(repeating: 0, count: 130)
    for (round, edge) in Broad.edges.enumerated() {
      let frozen = broad.freeze()
      let before = wanted
      realm.beginWrite()
      broad.set(edge, round + 1)
      wanted[edge - 1] = round + 1
      stage.equal(broad.values, wanted, "the values in the write of p\(edge)")
      if round % 3 == 0 {
        realm.cancelWrite()
        wanted = before
      } else {
        try realm.commitWrite()
      }
      stage.equal(broad.values, wanted, "the values after the write of p\(edge)")
      stage.equal(frozen.values, before, "the frozen ones after the write of p\(edge)")
      let next = wanted
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        stage.equal(other.broad(1).values, next, "the values elsewhere after p\(edge)")
        try other.write { other.broad(1).set(131 - edge, -edge) }
      }
      stage.equal(broad.values, wanted, "the values before the refresh of p\(131 - edge)")
      realm.refresh()
      wanted[130 - edge] = -edge
      stage.equal(broad.values, wanted, "the values after the refresh of p\(131 - edge)")
      stage.equal(
        realm.objects(Broad.self).filter("p\(131 - edge) == %@", -edge).map(\.id), [1],
        "who has the value of p\(131 - edge)")
      stage.equal(Broad(value: broad).values, wanted, "the values of an unmanaged copy")
    }
    let copy = Broad.configuration(stage, "copy")
    realm.beginWrite()
    broad.set(64, 6_400)
    wanted[63] = 6_400
    try realm.writeCopy(configuration: copy)
    realm.cancelWrite()
    stage.equal(try Realm(configuration: copy).broad(1).values, wanted, "the values in a copy")
  }
}
