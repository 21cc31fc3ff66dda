import EngineUnderTest
import Harness

extension Probe {
  /// Several threads look up different things in the same frozen collections.
  static let lookedUpAtOnce = Probe("threads look up different things in one frozen collection") {
    stage in
    let realm = try stage.open()
    try realm.write {
      let all = realm.create(Everything.self, value: ["int": 1])
      for number in 0..<40 {
        all.numbers.append(number)
        all.words.insert("word \(number)")
        all.scores["key \(number)"] = number
        realm.add(Account(id: number, balance: number))
      }
    }
    let frozen = realm.freeze()
    let all = frozen.objects(Everything.self)[0]
    let (numbers, words, scores) = (all.numbers, all.words, all.scores)
    let accounts = frozen.objects(Account.self)
    let start = Latch("the start")
    for reader in 0..<4 {
      stage.thread("reader \(reader)") {
        try stage.wait(for: start)
        for round in 0..<2_000 {
          let own = reader * 10 + round % 10
          let seen: [Int?] = [
            numbers[own], numbers.index(of: own), words.contains("word \(own)") ? own : nil,
            scores["key \(own)"], accounts[own].balance,
            frozen.object(ofType: Account.self, forPrimaryKey: own)?.balance,
          ]
          guard seen.allSatisfy({ $0 == own }) else {
            return stage.fail(expected: "\(own), six times", observed: "\(seen)")
          }
        }
        stage.expect(true, "reader \(reader) found its own")
      }
    }
    start.open()
    try stage.joinAll()
  }
}
