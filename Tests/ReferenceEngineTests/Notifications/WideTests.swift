import Foundation
import Testing

@testable import ReferenceEngine

/// Of an object with more than 63 columns a listener was told that properties had changed which
/// nobody had set: a record had one bit for all from the 64th on.
@Suite struct WideTests {
  private let (desk, other): (Desk, Desk)
  private let told = Noted<String>()

  init() {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Wide.self])
    (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      for id in 0..<3 { realm.create(Wide.self, value: ["id": id]) }
      for id in 0..<2 { wide(id, realm).next = wide(id + 1, realm) }
    }
  }

  private func wide(_ id: Int, _ realm: Realm) -> Wide {
    realm.object(ofType: Wide.self, forPrimaryKey: id)!
  }

  private func listen(_ keyPaths: [String]? = nil) -> NotificationToken {
    let token = desk.work { realm in
      wide(0, realm).observe(keyPaths: keyPaths) { [told] change in
        guard case .change(_, let properties) = change else { return told.add("\(change)") }
        told.add(properties.map(\.name).joined(separator: " "))
      }
    }
    desk.work { _ in }
    told.clear()
    return token
  }

  /// What a listener is told after others have committed.
  private func heard(_ changes: [(Realm) -> Void]) -> [String] {
    told.clear()
    // Told of together.
    desk.work { _ in for change in changes { other.commit(change) } }
    desk.work { _ in }
    return told.all
  }

  private func set(_ names: [String], of id: Int = 0) -> (Realm) -> Void {
    { realm in for name in names { wide(id, realm)[name] = wide(id, realm)[name] } }
  }

  @Test func `NOTIFY-16: each property that is set is told, alone and with each other`() {
    let token = listen()
    let edges = ["p1", "p62", "p63", "p64", "p65", "p94", "p95", "p96", "p127", "p128", "p129"]
    for number in 1..<130 { #expect(heard([set(["p\(number)"])]) == ["p\(number)"]) }
    for (place, one) in edges.enumerated() {
      for two in edges[(place + 1)...] {
        #expect(heard([set([two, one, two])]) == ["\(one) \(two)"])
        #expect(heard([set([two]), set([one])]) == ["\(one) \(two)"])
      }
    }
    #expect(heard([set(edges)]) == [edges.joined(separator: " ")])
    token.invalidate()
  }

  @Test func `NOTIFY-16: collections and links behind many columns are told alone`() {
    let token = listen()
    #expect(heard([{ wide(0, $0).texts.append("a") }]) == ["texts"])
    #expect(heard([{ wide(0, $0).texts[0] = "b" }]) == ["texts"])
    #expect(heard([{ wide(0, $0).next = nil }]) == ["next"])
    #expect(heard([{ wide(0, $0).friends.append(wide(1, $0)) }]) == ["friends"])
    #expect(heard([{ $0.delete(wide(1, $0)) }]) == ["friends"])
    #expect(heard([set(["p70"]), { $0.delete(wide(0, $0)) }]) == ["deleted"])
    token.invalidate()
  }

  @Test func `NOTIFY-16: what other objects had set is not told of this one`() {
    let token = listen()
    #expect(heard([{ realm in for id in 0..<3 { wide(id, realm).p100 = 1 } }]) == ["p100"])
    #expect(heard([set(["p100"], of: 1), set(["p70"]), set(["p99", "p3"], of: 2)]) == ["p70"])
    #expect(
      heard([{ realm in for id in 0..<3 { set(["p\(64 + id * 32)"], of: id)(realm) } }]) == ["p64"])
    token.invalidate()
  }

  @Test func `NOTIFY-12: key paths that end at one of many columns let nothing else through`() {
    let token = listen(["p63", "p64", "p128", "texts", "next.p99", "friends.p127", "before.p66"])
    #expect(heard([set(["p62", "p65", "p127", "p129"])]) == [])
    #expect(heard([set(["p64", "p65"])]) == ["p64"])
    #expect(heard([set(["p63", "p128", "p129"])]) == ["p63 p128"])
    #expect(heard([set(["p98", "p100", "p127"], of: 1)]) == [])
    #expect(heard([set(["p99"], of: 1)]) == ["next"])
    #expect(heard([{ wide(0, $0).friends.append(wide(2, $0)) }]) == ["friends"])
    #expect(heard([set(["p99", "p126"], of: 2)]) == [])
    #expect(heard([set(["p127"], of: 2)]) == ["friends"])
    #expect(heard([{ wide(2, $0).next = wide(0, $0) }]) == ["before"])
    #expect(heard([set(["p65", "p98"], of: 2)]) == [])
    #expect(heard([set(["p66"], of: 2), set(["p128"])]) == ["p128 before"])
    token.invalidate()
  }

  @Test func `NOTIFY-12: a collection's key paths let none of many columns through but theirs`() {
    let token = desk.work { realm in
      realm.objects(Wide.self).observe(keyPaths: ["p64", "p100", "next.p65"]) { [told] change in
        if case .update(_, _, _, let modifications) = change { told.add("\(modifications)") }
      }
    }
    desk.work { _ in }
    #expect(heard([set(["p63", "p65", "p99", "p101", "p129"]), set(["p66"], of: 1)]) == [])
    #expect(heard([set(["p100"], of: 2), set(["p64"], of: 0)]) == ["[0, 2]"])
    #expect(heard([set(["p65"], of: 1)]) == ["[0]"])
    token.invalidate()
  }

  @Test func `NOTIFY-16: what several asynchronous commits of a group set is told as it was`() {
    let token = listen()
    other.work { realm in
      for name in ["p63", "p95", "p128", "p3"] {
        realm.beginAsyncWrite {
          set([name])(realm)
          realm.commitAsyncWrite(allowGrouping: true)
        }
      }
    }
    let bell = Bell()
    other.work { realm in
      realm.writeAsync({ set(["p64"])(realm) }, onComplete: { _ in bell.ring() })
    }
    #expect(bell.wait())
    desk.work { $0.refresh() }
    #expect(
      Set(told.all.joined(separator: " ").split(separator: " "))
        == ["p3", "p63", "p64", "p95", "p128"])
    token.invalidate()
  }

  @Test func `NOTIFY-16: where versions are compared, what differs is told of many columns`() throws
  {
    let old = desk.work { realm in
      realm.autorefresh = false
      realm.session.read()
      return Smuggled(realm.session.root)
    }
    let names = ["id", "next", "friends", "texts"] + (1..<130).map { "p\($0)" }
    let written: Set = ["p3", "p62", "p63", "p94", "p95", "p129", "texts"]
    other.commit { realm in
      let one = wide(1, realm)
      for name in written where name != "texts" { one[name] = 1 }
      one.texts.append("a")
      wide(2, realm).p64 = 1
    }
    try other.work { realm in
      let session = realm.session
      let (from, to) = (try #require(old.value), try #require(session.root))
      let changes = ChangeSet(comparing: from, with: to, in: session.coordinator.space)
      let bound = session.bound(Wide.self)
      let one = wide(1, realm)
      // The header is the object's own, and gone with it.
      let key = withExtendedLifetime(one) { one._header.pointee.key }
      let row = RowLink(table: try #require(bound.number), key: key)
      // Whoever joins them with others, or keeps them in a record, keeps that.
      for same in [changes, ChangeSet(changes.all), ChangeSet(changes.all + changes.all)] {
        let columns = try #require(same.columns(of: row))
        let found = names.filter { name in
          bound.column(named: name).map { columns.contains($0.number) } ?? false
        }
        #expect(Set(found) == written)
      }
    }
  }

  @Test func `records of builds that did not say which columns were written tell of all`() {
    let row = RowLink(table: 0, key: 7)
    let old = RowChange(
      table: 0, kind: .modified, key: 5, count: 4, columns: RowChange.shared | RowChange.bit(of: 2))
    let new = RowChange.modified(table: 0, key: 7, isShifted: false, columns: [3, 64, 128])
    for changes in [[old], [old] + new, new + [old], ChangeSet(new + [old]).all] {
      let columns = ChangeSet(changes).columns(of: row)
      #expect(columns?.contains(2) == true && columns?.contains(4) == false)
      for column in [63, 64, 100, 1000] { #expect(columns?.contains(column) == true) }
    }
    let columns = ChangeSet(new).columns(of: row)
    #expect((0..<300).filter { columns?.contains($0) == true } == [3, 64, 128])
  }

  @Test func `random runs of changes tell each row's columns as they were written`() {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    for _ in 0..<300 {
      var model: [Int64: Set<Int>] = [:]
      let recorder = ChangeRecorder()
      var changes: [RowChange] = []
      for _ in 0..<(1 + dice.below(6)) {
        let (first, last) = (dice.below(6), dice.below(6))
        let columns = (0..<(1 + dice.below(3))).map { _ in
          [0, 1, 61, 62, 63, 64, 94, 95, 127, 128][dice.below(10)]
        }
        for key in Int64(min(first, last))...Int64(max(first, last)) {
          for column in columns {
            recorder.modified(table: 0, key: key, column: column)
            model[key, default: []].insert(column)
          }
        }
        if dice.below(3) == 0 {
          changes += ChangeSet.normalised(recorder.changes)
          recorder.reset()
        }
      }
      let set = ChangeSet(changes + recorder.changes)
      for key in Int64(0)..<6 {
        let columns = set.columns(of: RowLink(table: 0, key: key))
        let found = (0..<200).filter { columns?.contains($0) == true }
        #expect(found == (model[key] ?? []).sorted(), "SEED=\(seed)")
        for column in 0..<200 {
          let rows = (set.tables[0] ?? []).flatMap { set.rows(of: $0, modifiedIn: column) }
          #expect(
            rows.contains(RowLink(table: 0, key: key)) == (model[key]?.contains(column) ?? false),
            "SEED=\(seed)")
        }
      }
    }
  }

  @Test func `random changes of many columns are told as they were made`() {
    let seed = Wish.seed()
    var chance = Dice(seed: seed)
    let token = listen()
    let all = (1..<130).map { "p\($0)" } + ["next"]
    for _ in 0..<200 {
      var wanted: Set<String> = []
      var steps: [(Realm) -> Void] = []
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        let id = Int.random(in: 0..<3, using: &chance)
        let names = (0..<Int.random(in: 1...5, using: &chance)).map { _ in
          all.randomElement(using: &chance)!
        }
        if id == 0 { wanted.formUnion(names) }
        steps.append(set(names, of: id))
      }
      let found = heard(steps)
      let expected = all.filter(wanted.contains).joined(separator: " ")
      #expect(found == (wanted.isEmpty ? [] : [expected]), "SEED=\(seed)")
    }
    token.invalidate()
  }

  /// What broke: the record of a write told of the deleted rows once more, as modified, so they
  /// were read as replaced.
  @Test func `NOTIFY-16: a row that is changed and deleted in one write is told as deleted`() {
    let token = desk.work { realm in
      realm.objects(Wide.self).observe { [told] change in
        guard case .update(let all, let deletions, let insertions, let modifications) = change
        else { return }
        told.add("-\(deletions) +\(insertions) ~\(modifications) \(all.count)")
      }
    }
    desk.work { _ in }
    let found = heard([
      { realm in
        set(["p70"], of: 1)(realm)
        realm.delete(wide(1, realm))
        set(["p70", "p100"], of: 2)(realm)
        let short = realm.create(Wide.self, value: ["id": 9])
        set(["p70"], of: 2)(realm)
        set(["p80"], of: 9)(realm)
        realm.delete(short)
      }
    ])
    // The first is modified, too: it linked to the one that is gone.
    #expect(found == ["-[1] +[] ~[0, 2] 2"])
    token.invalidate()

    let recorder = ChangeRecorder()
    recorder.modified(table: 0, key: 1, column: 70)
    recorder.deleted(table: 0, key: 1)
    recorder.modified(table: 0, key: 2, column: 70)
    recorder.modified(table: 0, key: 3, column: 70)
    recorder.inserted(table: 0, key: 4)
    recorder.modified(table: 0, key: 3, column: 100)
    recorder.modified(table: 0, key: 4, column: 100)
    recorder.deleted(table: 0, key: 4)
    let record = ChangeSet.normalised(recorder.changes)
    #expect(record.filter { $0.keys.contains(1) }.map(\.kind) == [.deleted])
    #expect(record.allSatisfy { !$0.keys.contains(4) })
    let read = ChangeSet(record)
    #expect(read.tables[0]?.map(\.kind) == [.deleted, .modified])
    #expect(read.columns(of: RowLink(table: 0, key: 2))?.contains(70) == true)
    #expect(read.columns(of: RowLink(table: 0, key: 2))?.contains(100) == false)
    #expect(read.columns(of: RowLink(table: 0, key: 3))?.contains(100) == true)
  }
}
