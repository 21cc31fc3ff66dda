import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

/// A realm that is behind names an object as its version has it. What became of the row since
/// stands in records that nobody keeps any more as soon as that realm has moved on: so they are
/// read when it is named.
@Suite struct BehindRowTests {
  /// How an object is named, to be asked for later.
  enum Means: CaseIterable {
    case reference, variable, frozen, referenceToFrozen

    /// What finds the object that is named now.
    func name(_ object: Keyed, in realm: Realm) -> () -> Keyed? {
      switch self {
      case .reference:
        let reference = ThreadSafeReference(to: object)
        return { realm.resolve(reference) }
      case .variable:
        let variable = ThreadSafe(wrappedValue: object)
        return { variable.wrappedValue }
      case .frozen:
        let frozen = object.freeze()
        return { frozen.thaw() }
      case .referenceToFrozen:
        let frozen = object.freeze()
        let reference = ThreadSafeReference(to: frozen)
        return { withExtendedLifetime(frozen) { realm.resolve(reference) } }
      }
    }
  }

  /// How the realm moves on afterwards.
  enum Step: CaseIterable {
    case write, refresh, invalidate

    func move(_ realm: Realm) throws {
      switch self {
      case .write: try realm.write { _ = realm.create(Keyed.self, value: ["id": 1000]) }
      case .refresh: realm.refresh()
      case .invalidate: realm.invalidate()
      }
    }
  }

  private func giveAnotherLife(to id: Int, in other: Desk) {
    other.commit { realm in
      realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: id)!)
      realm.create(Keyed.self, value: ["id": id, "name": "later"])
    }
  }

  @Test(arguments: Means.allCases, Step.allCases)
  func `REF-25, FREEZE-27: a later object is not taken for one that a realm behind has named`(
    means: Means, step: Step
  ) throws {
    for lives in 1...18 {
      let configuration = freshConfiguration()
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      try realm.write {
        for id in 0..<3 { realm.create(Keyed.self, value: ["id": id, "name": "first"]) }
      }
      let other = Desk(configuration)
      for _ in 0..<lives { giveAnotherLife(to: 0, in: other) }
      let lost = means.name(realm.object(ofType: Keyed.self, forPrimaryKey: 0)!, in: realm)
      let kept = means.name(realm.object(ofType: Keyed.self, forPrimaryKey: 1)!, in: realm)
      #expect(realm.object(ofType: Keyed.self, forPrimaryKey: 0)?.name == "first")
      try step.move(realm)
      // In the course of these all records go that stood before them.
      for _ in 0..<36 { giveAnotherLife(to: 2, in: other) }
      realm.refresh()
      #expect(lost()?.name == nil, "after \(lives) lives")
      #expect(kept()?.name == "first", "after \(lives) lives")
    }
  }

  /// What was read for those who began before is read again from the newcomer's version on, not
  /// from theirs: the records behind that may be gone.
  @Test func `FREEZE-27: what is deleted is kept for tables that are asked for later`() throws {
    let folder = Folder()
    let file = try Coordinator(Toy.configuration(folder.file(), .none))
    func deleting(_ key: Int64, of table: UInt32) throws -> Root {
      let write = try file.beginWrite()
      let toy = ToyWrite(write)
      toy.set(0, [UInt8(truncatingIfNeeded: key)])
      write.changes.deleted(table: table, key: key)
      return try write.commit(settle: toy.settle)
    }
    let early = try file.newestSnapshot(kind: .frozen)
    let first = file.keepDeletedRows(of: [1], since: early.version)
    var versions: [VersionID] = []
    for key in Int64(0)..<40 { versions.append(try deleting(key, of: 1).version) }
    let since = file.newestVersion
    let second = file.keepDeletedRows(of: [2], since: since)
    let last = try deleting(7, of: 2).version
    withExtendedLifetime((first, second)) {
      for key in Int64(0)..<40 {
        #expect(
          file.deletedRows.end(of: key, of: 1, after: early.version) == versions[Int(key)])
      }
      #expect(file.deletedRows.contain(7, of: 2, after: since))
      #expect(file.deletedRows.end(of: 7, of: 2, after: since) == last)
      #expect(file.deletedRows.end(of: 7, of: 2, after: last) == nil)
    }
  }

  /// Several who look at the same time say when: the earliest counts.
  @Test func `REF-25: a row has gone when it went first, whoever says so first`() throws {
    for _ in 0..<200 {
      let row = RememberedRow(table: 1, key: 5, since: VersionID(1))
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for version in stride(from: 90, to: 9, by: -4) {
          row.markGone(in: VersionID(UInt64(version + thread)))
        }
      }
      #expect(row.isGone(in: VersionID(10)) && !row.isGone(in: VersionID(9)))
    }
  }
}
