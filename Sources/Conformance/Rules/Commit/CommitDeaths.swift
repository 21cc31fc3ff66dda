import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// A writer that dies at each step of a commit, of each kind, of more than a little, while others
  /// have the file open or nobody has: the version that is there is whole, what comes next is
  /// committed and told, and what the dead one had written takes no space for ever.
  static let deaths: [Probe] = [true, false].map { isOpen in
    Probe(
      "a death at each step of a commit leaves a whole version, and no space is lost: "
        + (isOpen ? "others have the file open" : "nobody else has the file open"),
      deadline: .seconds(150),
      companions: [
        "writer": { stage in
          try stage.hooks().die(at: stage.words[0])
          let realm = try stage.open()
          let round = Int(stage.words[1])!
          try Manner.all[round % Manner.all.count].commit(stage, realm) { realm.turn(to: round) }
          stage.tell("survived")
        }
      ]
    ) { stage in
      let steps = try stage.hooks().steps
      try stage.elsewhere { _ = try stage.stocked() }
      try stage.foreign { $0.turn(to: 0) }
      let witness = isOpen ? try stage.open() : nil
      var told = 0
      let token = witness?.objects(Account.self).observe { _ in told += 1 }
      if isOpen { try stage.spin(until: { told > 0 }, "the first call") }
      var (size, last) = (0, 0)
      for round in 1...steps.count * 2 {
        let step = steps[(round - 1) % steps.count]
        let remains = try stage.companion("writer", step, "\(round)").remains()
        let seen = try stage.seen { $0.turned }
        let hasSurvived = remains.stdout.contains("survived")
        stage.expect(
          seen == Realm.whole(round) || (!hasSurvived && seen == Realm.whole(last)),
          "version \(last) or \(round), whole, after a death at \(step)", observed: "\(seen)")
        if let witness {
          witness.refresh()
          stage.equal(witness.turned, seen, "what one sees that was there, after \(step)")
        }
        // Life goes on, and whoever listens hears of it.
        let before = told
        last = 100 + round
        try stage.foreign { $0.turn(to: 100 + round) }
        if isOpen { try stage.spin(until: { told > before }, "the news behind \(step)") }
        stage.equal(
          try stage.seen { $0.turned }, Realm.whole(last),
          "what is committed after a death at \(step)")
        if round == steps.count { size = stage.size() }
      }
      stage.expect(
        stage.size() <= size + 300_000, "a file that has stopped growing at \(size)",
        observed: "\(stage.size())")
      token?.invalidate()
    }
  }
}

extension Realm {
  /// A change of several classes at once, of which a part would show.
  fileprivate func turn(to round: Int) {
    for id in 1...3 { account(id).balance = round }
    let bytes = Data(repeating: UInt8(round), count: 200_000)
    create(Blob.self, value: ["id": 1, "bytes": bytes] as [String: Any], update: .all)
    delete(objects(Todo.self))
    create(Todo.self, value: ["name": "\(round)"])
  }

  fileprivate var turned: [String] {
    [1, 2, 3].map { "\(account($0).balance)" }
      + objects(Blob.self).map { "\(Set($0.bytes).sorted()) of \($0.bytes.count)" }
      + objects(Todo.self).map(\.name)
  }

  /// What is there after one of them.
  fileprivate static func whole(_ round: Int) -> [String] {
    [1, 2, 3].map { _ in "\(round)" } + ["[\(round)] of 200000", "\(round)"]
  }
}
