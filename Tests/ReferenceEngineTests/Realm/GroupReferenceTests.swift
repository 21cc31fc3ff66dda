import Foundation
import Testing

@testable import ReferenceEngine

/// A commit of a group waits for those after it, and becomes one version with them: what is
/// referred to between two of them was of a version that nobody else could come to, and no record
/// told what the later ones did to it.
@Suite struct GroupReferenceTests {
  private let scratch = Scratch()

  private func old(_ realm: Realm) -> Keyed? { realm.object(ofType: Keyed.self, forPrimaryKey: 7) }

  private func replace(_ realm: Realm, _ name: String) {
    if let old = old(realm) { realm.delete(old) }
    realm.create(Keyed.self, value: ["id": 7, "name": name])
  }

  /// Commits as a group; `behind` is called when the first is sealed, and waits.
  private func commit(
    _ blocks: [(Realm) -> Void], in desk: Desk, behind: @escaping (Realm) -> Void
  ) {
    let done = Bell()
    desk.work { realm in
      for (number, block) in blocks.enumerated() {
        realm.beginAsyncWrite {
          block(realm)
          realm.commitAsyncWrite(allowGrouping: number + 1 < blocks.count) { error in
            #expect(error == nil)
            if number + 1 == blocks.count { done.ring() }
          }
          if number > 0 { return }
          #expect(realm.session.root?.isWaiting == true)
          behind(realm)
        }
      }
    }
    #expect(done.wait())
  }

  @Test(arguments: [false, true], [false, true])
  func `REF-09, REF-25: what the next commit of the group deletes is gone`(
    isReplacedAtOnce: Bool, elsewhere: Bool
  ) throws {
    let configuration = scratch.configuration([Keyed.self, Dog.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    var (reference, variable): (ThreadSafeReference<Keyed>?, ThreadSafe<Keyed>?)
    commit(
      [
        { replace($0, "first") },
        { if isReplacedAtOnce { replace($0, "second") } else { $0.delete(old($0)!) } },
        { $0.create(Dog.self) },
      ], in: desk
    ) { realm in
      reference = ThreadSafeReference(to: old(realm)!)
      variable = ThreadSafe(wrappedValue: old(realm))
    }
    if !isReplacedAtOnce { other.commit { replace($0, "second") } }
    (elsewhere ? other : desk).work { realm in
      realm.refresh()
      #expect(old(realm)?.name == "second")
      #expect(realm.resolve(reference!)?.name == nil)
      #expect(variable?.wrappedValue?.name == nil)
    }
  }

  @Test func `REF-12: what waits is found elsewhere, and not what was under its key before`() {
    let configuration = scratch.configuration([Keyed.self, Dog.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.commit { replace($0, "old") }
    var found: String?
    commit([{ replace($0, "new") }, { $0.create(Dog.self) }], in: desk) { realm in
      let reference = ThreadSafeReference(to: old(realm)!)
      found = other.work { $0.resolve(reference)?.name }
    }
    #expect(found == "new")
  }

  /// What waits got its place below the write that referred to it; nobody had written it there when
  /// that was cancelled, and the next look stopped the process.
  @Test(arguments: [false, true])
  func `REF-09: a write that refers to what waits, and is cancelled, leaves it to be read`(
    isVariable: Bool
  ) {
    let configuration = scratch.configuration([Keyed.self, Dog.self])
    let (desk, other, done) = (Desk(configuration), Desk(configuration), Bell())
    var find: (Realm) -> String? = { _ in nil }
    desk.work { realm in
      realm.beginAsyncWrite {
        replace(realm, "first")
        realm.commitAsyncWrite(allowGrouping: true)
        #expect(realm.session.root?.isWaiting == true)
      }
      realm.beginAsyncWrite {
        if isVariable {
          let variable = ThreadSafe(wrappedValue: old(realm))
          find = { _ in variable.wrappedValue?.name }
        } else {
          let reference = ThreadSafeReference(to: old(realm)!)
          find = { $0.resolve(reference)?.name }
        }
        replace(realm, "second")
        realm.cancelWrite()
        #expect(old(realm)?.name == "first")
      }
      realm.beginAsyncWrite {
        realm.create(Dog.self)
        realm.commitAsyncWrite { error in
          #expect(error == nil)
          done.ring()
        }
      }
    }
    #expect(done.wait())
    other.work { realm in
      realm.refresh()
      #expect(find(realm) == "first")
    }
  }

  /// It was looked for in a version of the cancelled write's number, which there was not, and then
  /// in what is published.
  @Test func `REF-12: what a cancelled write refers to is found in what that was begun on`() {
    let configuration = scratch.configuration([Keyed.self, Dog.self])
    let (desk, other, done) = (Desk(configuration), Desk(configuration), Bell())
    desk.commit { replace($0, "old") }
    desk.work { realm in
      realm.beginAsyncWrite {
        replace(realm, "first")
        realm.commitAsyncWrite(allowGrouping: true)
      }
      realm.beginAsyncWrite {
        realm.create(Dog.self)
        let reference = ThreadSafeReference(to: old(realm)!)
        realm.cancelWrite()
        #expect(other.work { $0.resolve(reference)?.name } == "first")
      }
      realm.beginAsyncWrite {
        realm.commitAsyncWrite { error in
          #expect(error == nil)
          done.ring()
        }
      }
    }
    #expect(done.wait())
  }
}
