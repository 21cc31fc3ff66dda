import EngineUnderTest
import Foundation
import Harness

extension Rules.Commit {
  static let copyOnWrite: [Rule] = [
    commit09, commit10, commit11, commit12, commit13, commit14,
  ]

  static let commit09 = Rule(
    "COMMIT-09", .documented,
    "Writes MUST be copy-on-write: nodes reachable from a version that may still be read "
      + "(or is the durable one) are never overwritten.",
    source: "S0/S1/S3 (copy the relevant part; links to unmodified objects keep pointing at the "
      + "originals).",
    broken: "in-place update of leaf",
    probes: [
      Probe("pinned versions keep every byte while others commit") { stage in
        let realm = try stage.open()
        try realm.write {
          for id in 0..<300 { realm.add(Account(id: id, balance: id, note: "note \(id)")) }
        }
        var pinned: [(Realm, Int)] = []
        for round in 0..<30 {
          if round % 3 == 0 { pinned.append((realm.freeze(), round)) }
          try realm.write {
            for id in stride(from: round % 7, to: 300, by: 7) {
              let account = realm.account(id)
              account.balance += 1000
              account.note = "round \(round) of \(id)"
            }
          }
        }
        for (frozen, round) in pinned {
          for id in 0..<300 {
            // Which rounds before this one touched the account.
            let touched = (0..<round).filter { $0 % 7 == id % 7 }
            let account = frozen.account(id)
            let note = touched.last.map { "round \($0) of \(id)" } ?? "note \(id)"
            guard
              stage.expect(
                account.balance == id + 1000 * touched.count && account.note == note,
                "\(note) in the version before round \(round)",
                observed: "\(account.balance) \(account.note)")
            else { return }
          }
        }
      }
    ] + Probe.pinnedLoads + [Probe.growthByTurns])

  static let commit10 = Rule(
    "COMMIT-10", .documented,
    "Unchanged parts MUST be shared between versions: a small change to a large realm "
      + "writes O(change · depth), not O(size).",
    source: "S0/S1/S3 diagram step 2.",
    broken: "full copy per commit",
    probes: [
      Probe("a small change in a large realm writes little") { stage in
        let realm = try stage.open()
        try realm.write {
          for id in 0..<20_000 {
            realm.add(Account(id: id, balance: id, note: "account number \(id)"))
          }
        }
        let size = stage.size()
        let before = Stage.bytesWritten()
        for round in 0..<20 { try realm.write { realm.account(round * 997).balance = -1 } }
        let perCommit = (Stage.bytesWritten() - before) / 20
        stage.expect(
          perCommit < size / 10, "a commit that writes less than a tenth of \(size) bytes",
          observed: "\(perCommit) bytes")
      }
    ] + Probe.smallChanges + Probe.smallCommits)

  static let commit11 = Rule(
    "COMMIT-11", .documented,
    "Nodes no longer reachable from any needed version MUST be discarded, i.e. their space "
      + "reused.",
    source: "S0/S1/S3 diagram step 3 (\"discards old nodes no longer connected to the tree\").",
    broken: "append-only file",
    probes: [
      Probe("without readers the file reaches a plateau") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Account(id: 1)) }
        var sizes: [Int] = []
        for round in 0..<2400 {
          try realm.write {
            realm.account(1).balance = round
            realm.account(1).note = String(repeating: "x", count: 100 + round % 100)
          }
          if round % 400 == 399 { sizes.append(stage.size()) }
        }
        stage.expect(
          sizes[5] <= sizes[2] + sizes[2] / 4, "a file that stopped growing",
          observed: "sizes \(sizes)")
      }
    ] + Probe.plateaus + Probe.replacements)

  static let commit12 = Rule(
    "COMMIT-12", .documented,
    "The realm MUST keep a pointer to its single latest version; opening follows it.",
    source: "S0/S1/S3 Internal Structure.",
    broken: "opener picks the wrong slot after an odd number of commits",
    probes: [
      Probe(
        "an opener finds the latest version after odd and even commits",
        companions: [
          "reader": { stage in
            stage.tell("\(try stage.open().account(1).balance)")
          }
        ]
      ) { stage in
        for round in 1...4 {
          try stage.elsewhere {
            let realm = try stage.open()
            try realm.write {
              realm.add(Account(id: 1, balance: round), update: .all)
            }
          }
          let reader = try stage.companion("reader")
          stage.equal(
            try stage.hear(reader, "a balance"), "\(round)", "the balance in a new process")
          use(reader.remains())
        }
      },
      // Numbers that are kept in a byte somewhere are another's after so many.
      Probe("an opener finds the latest version after each of some hundred commits") { stage in
        for round in 1...600 {
          // Whoever writes has gone before the next one comes: each opens a closed file.
          let found = try stage.elsewhere { () -> Int? in
            let realm = try stage.open()
            let before = realm.objects(Account.self).first?.balance
            try realm.write { realm.add(Account(id: 1, balance: round), update: .all) }
            return before
          }
          let last = round == 1 ? nil : round - 1
          if !stage.equal(found, last, "the balance that opener \(round) finds") { return }
        }
      },
    ] + [.openersFindTheLatest])

  static let commit13 = Rule(
    "COMMIT-13", .documented,
    "Writing to or branching from an older version MUST be impossible through the API.",
    source: "S0/S1/S3 Git (\"cannot write to a previous version\").",
    broken: "frozen or old realm forks",
    probes: [
      Probe("a realm on an old version writes on top of the latest") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        use(realm.account(1).balance)
        for round in 1...5 { try stage.foreign { $0.add(Account(id: 10 + round)) } }
        try realm.write { realm.account(1).balance = 7 }
        let seen = try stage.seen { "\($0.objects(Account.self).count) \($0.account(1).balance)" }
        stage.equal(seen, "8 7", "all commits in the end")
      },
      Probe.dies("a frozen old version is written", saying: Words.frozenWrite) { stage in
        let realm = try stage.stocked()
        let frozen = realm.freeze()
        try realm.write { realm.account(1).balance = 7 }
        stage.act { frozen.beginWrite() }
      },
    ] + [.writesOfOldRealms])

  static let commit14 = Rule(
    "COMMIT-14", .documented,
    "Data MUST be read in place (no up-front load): opening a large file is O(1) in data "
      + "size, and reading one object touches little.",
    source: "S0/S1/S3 (zero-copy, memory mapping).",
    broken: "full deserialisation at open",
    probes: [
      Probe(
        "opening a large file and reading one row takes little memory",
        companions: [
          "reader": { stage in
            let before = Stage.residentBytes()
            let realm = try stage.open()
            use(realm.object(ofType: Blob.self, forPrimaryKey: 5)!.bytes.count)
            stage.tell("\(Stage.residentBytes() - before)")
          }
        ]
      ) { stage in
        try stage.elsewhere {
          let realm = try stage.open()
          try realm.write {
            for id in 0..<400 {
              realm.add(Blob(id: id, bytes: Data(repeating: UInt8(id % 250), count: 100_000)))
            }
          }
        }
        let reader = try stage.companion("reader")
        let used = Int(try stage.hear(reader, "its memory")) ?? .max
        use(reader.remains())
        stage.expect(
          used < stage.size() / 4, "less than a quarter of \(stage.size() >> 20) MiB",
          observed: "\(used >> 20) MiB")
      }
    ] + Probe.hoards + Lookups.probes)
}
