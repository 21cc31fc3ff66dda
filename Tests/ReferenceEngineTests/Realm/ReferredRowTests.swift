import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// A reference that a write had made to an object, which the same write then deleted, resolved to
/// the one that it added under the key. No commit's record tells of that.
@Suite struct ReferredRowTests {
  private let configuration = freshConfiguration()

  private func old(_ realm: Realm) -> Keyed? { realm.object(ofType: Keyed.self, forPrimaryKey: 7) }

  private func replace(_ realm: Realm, _ name: String) {
    if let old = old(realm) { realm.delete(old) }
    realm.create(Keyed.self, value: ["id": 7, "name": name])
  }

  /// Who asks: the realm that wrote, or another.
  private func resolve(_ reference: ThreadSafeReference<Keyed>, _ realm: Realm, elsewhere: Bool)
    -> String?
  {
    elsewhere
      ? Desk(configuration).work { $0.resolve(reference)?.name }
      : realm.resolve(reference)?.name
  }

  @Test(arguments: [false, true], [false, true])
  func `REF-09: what a write refers to and deletes again is gone`(
    wasThere: Bool, elsewhere: Bool
  ) throws {
    let realm = try Realm(configuration: configuration)
    if wasThere { try realm.write { replace(realm, "old") } }
    var reference: ThreadSafeReference<Keyed>?
    try realm.write {
      if !wasThere { replace(realm, "old") }
      realm.create(Keyed.self, value: ["id": 8])
      reference = ThreadSafeReference(to: try #require(old(realm)))
      replace(realm, "new")
    }
    #expect(resolve(try #require(reference), realm, elsewhere: elsewhere) == nil)
  }

  @Test(arguments: [false, true], [false, true])
  func `REF-25: what a cancelled write refers to is as it was before`(
    wasThere: Bool, isReplacedThen: Bool
  ) throws {
    let realm = try Realm(configuration: configuration)
    if wasThere { try realm.write { replace(realm, "old") } }
    realm.beginWrite()
    if !wasThere { replace(realm, "old") }
    realm.create(Keyed.self, value: ["id": 8])
    let variable = ThreadSafe(wrappedValue: old(realm))
    replace(realm, "new")
    #expect(variable.wrappedValue == nil)
    realm.cancelWrite()
    if isReplacedThen { Desk(configuration).commit { replace($0, "later") } }
    realm.refresh()
    #expect(variable.wrappedValue?.name == (wasThere && !isReplacedThen ? "old" : nil))
  }

  @Test func `REF-09: what a lost write has deleted comes back to who referred to it`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { replace(realm, "old") }
    realm.beginWrite()
    realm.create(Keyed.self, value: ["id": 8])
    let reference = ThreadSafeReference(to: try #require(old(realm)))
    replace(realm, "new")
    realm.invalidate()
    #expect(realm.resolve(reference)?.name == "old")
  }

  /// A reference, or something frozen, was of nothing as soon as anybody had deleted its object,
  /// whatever the realm showed that asked.
  @Test(arguments: [false, true])
  func `FREEZE-29, REF-09: what went later is there in a version that has it`(isReplaced: Bool)
    throws
  {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    try realm.write { replace(realm, "old") }
    let frozen = try #require(old(realm)).freeze()
    let references = try (0..<2).map { _ in ThreadSafeReference(to: try #require(old(realm))) }
    try realm.write { realm.create(Keyed.self, value: ["id": 8]) }
    Desk(configuration).commit { other in
      if isReplaced { replace(other, "new") } else { other.delete(old(other)!) }
    }
    #expect(frozen.thaw()?.name == "old")
    #expect(realm.resolve(references[0])?.name == "old")
    realm.refresh()
    #expect(frozen.thaw() == nil)
    #expect(realm.resolve(references[1]) == nil)
  }

  /// As soon as the write was sealed that had referred to it, it was gone in all versions.
  @Test func `REF-09: what an unfinished commit has deleted is there in the version before`() async
  {
    await #expect(processExitsWith: .success) {
      let scene = LossScene()
      let done = Bell()
      let reference = scene.desk.work { realm in
        realm.beginWrite()
        let reference = ThreadSafeReference(to: LossScene.keyed(realm)!)
        LossScene.replace(realm, "new")
        realm.commitAsyncWrite { error in
          #expect(error == nil)
          done.ring()
        }
        return reference
      }
      scene.other.work { realm in #expect(realm.resolve(reference)?.name == "old") }
      scene.flushes.work()
      #expect(done.wait())
    }
  }

  /// What was frozen of a newer version was taken for the one that had its key before.
  @Test(arguments: [false, true], [0, 700])
  func `FREEZE-25, FREEZE-29: in an older version it is no other object`(
    isReplaced: Bool, further: Int
  ) throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    try realm.write {
      replace(realm, "old")
      realm.create(Dog.self)
    }
    let other = Desk(configuration)
    if isReplaced { other.commit { replace($0, "new") } }
    FarBehindTests.commit(other, further + 1)
    let frozen = other.work { old($0)!.freeze() }
    #expect(old(realm)?.name == "old")
    #expect(frozen.thaw()?.name == (isReplaced ? nil : "old"))
    realm.refresh()
    #expect(frozen.thaw()?.name == (isReplaced ? "new" : "old"))
  }

  /// What had been found in the write, before it deleted all, was taken for what it had added.
  @Test func `WRITE-20: what a cancelled write deleted with all is there again`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { replace(realm, "old") }
    realm.beginWrite()
    let found = try #require(old(realm))
    realm.deleteAll()
    replace(realm, "new")
    #expect(found.isInvalidated)
    realm.cancelWrite()
    #expect(!found.isInvalidated && found.name == "old")
  }
}
