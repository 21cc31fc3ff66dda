import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

/// A file is read only, or may be written, by all realms of a process, whatever keeps it open.
@Suite struct ReadPermissionTests {
  private let scratch = Scratch()

  /// The configuration of those who come first, and of those who contradict them.
  private func configurations(
    _ isReadOnly: Bool
  ) -> (first: Realm.Configuration, second: Realm.Configuration) {
    var (first, second) = (scratch.configuration([Dog.self]), scratch.configuration([Dog.self]))
    let desk = Desk(first)
    desk.commit { $0.create(Dog.self, value: ["name": "Rex"]) }
    desk.leave()
    (first.readOnly, second.readOnly) = (isReadOnly, !isReadOnly)
    return (first, second)
  }

  /// What opening for a queue of its own says; nil if it opens.
  private func refusal(of configuration: Realm.Configuration) -> Realm.Error? {
    let queue = DispatchQueue(label: "other")
    return queue.sync {
      do {
        let realm = try Realm(configuration: configuration, queue: queue)
        #expect(realm.objects(Dog.self).count == 1)
        return nil
      } catch { return error as? Realm.Error }
    }
  }

  @Test(arguments: [false, true])
  func `LIFE-03: what some only read nobody else of the process may write`(isReadOnly: Bool) {
    let (first, second) = configurations(isReadOnly)
    let desk = Desk(first)
    let error = refusal(of: second)
    #expect(error?.code == .fail && error?.fileURL?.path == first.path)
    #expect(
      error?.message
        == "Realm at path '\(first.path)' already opened with different read permissions")
    #expect(refusal(of: first) == nil)
    desk.leave()
    #expect(refusal(of: second) == nil)
    #expect(refusal(of: first) == nil)
  }

  enum Keeper: CaseIterable {
    case frozenRealm, frozenObject, frozenResults, results, variable

    func keep(_ realm: Realm) -> Any? {
      let dogs = realm.objects(Dog.self)
      return switch self {
      case .frozenRealm: realm.freeze()
      case .frozenObject: dogs[0].freeze()
      case .frozenResults: dogs.freeze()
      case .results: ThreadSafeReference(to: dogs)
      case .variable: ThreadSafe(wrappedValue: dogs)
      }
    }
  }

  @Test(arguments: Keeper.allCases, [false, true])
  func `LIFE-03: what outlives the realms of a file keeps it as it was opened`(
    keeper: Keeper, isReadOnly: Bool
  ) {
    let (first, second) = configurations(isReadOnly)
    let desk = Desk(first)
    var kept: Any? = desk.work { keeper.keep($0) }
    desk.leave()
    #expect(refusal(of: second)?.code == .fail)
    withExtendedLifetime(kept) {}
    kept = nil
    #expect(refusal(of: second) == nil)
  }

  // home                          another process         thread
  //                               begins a write
  // asks to write, and is let go
  //                                                       opens to read only: refused
  //                               cancels it
  // is told of its commit
  //                                                       opens to read only
  @Test func `LIFE-03: an asynchronous write that is not done keeps its file as it was opened`() {
    let (first, second) = configurations(false)
    let (holder, desk, done) = (Desk(apart: first), Desk(first), Bell())
    holder.work { $0.beginWrite() }
    desk.work { realm in
      realm.writeAsync({}) { error in
        #expect(error == nil)
        done.ring()
      }
    }
    desk.leave()
    #expect(refusal(of: second)?.code == .fail)
    holder.work { $0.cancelWrite() }
    #expect(done.wait())
    #expect(refusal(of: second) == nil)
    holder.leave()
  }

  @Test(arguments: [false, true])
  func `LIFE-03: by another name it is the same file`(isReadOnly: Bool) throws {
    let (first, other) = configurations(isReadOnly)
    let link = scratch.directory.appendingPathComponent("link.realm")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: first.fileURL!)
    var second = other
    second.fileURL = link
    let desk = Desk(first)
    #expect(refusal(of: second)?.fileURL?.path == link.path)
    desk.leave()
    #expect(refusal(of: second) == nil)
  }

  /// Who looks into a file, or copies it, asks for no permission, and leaves none behind.
  @Test(arguments: [false, true])
  func `LIFE-03: what is looked into or copied may be open in any way`(isReadOnly: Bool) throws {
    let (first, second) = configurations(isReadOnly)
    let url = first.fileURL!
    func look() throws {
      #expect(try Realm.schemaVersionAtURL(url) == 0)
      #expect(try Inspection(verifying: url.path).tables.isEmpty == false)
    }
    try look()
    let desk = Desk(first)
    try look()
    var seeded = first
    seeded.readOnly = false
    seeded.seedFilePath = url
    seeded.fileURL = scratch.directory.appendingPathComponent("seeded.realm")
    #expect(refusal(of: seeded) == nil)
    var copied = second
    copied.fileURL = scratch.directory.appendingPathComponent("copy.realm")
    try desk.work { try $0.writeCopy(toFile: copied.fileURL!) }
    #expect(refusal(of: copied) == nil)
    #expect(throws: Realm.Error(.alreadyOpen)) { try Realm.deleteFiles(for: second) }
    #expect(refusal(of: second)?.code == .fail)
    desk.leave()
    #expect(refusal(of: second) == nil)
    #expect(try Realm.deleteFiles(for: first))
  }

  // one thread                    another thread
  // opens to write                opens to read only
  // has asked                     has asked
  @Test func `LIFE-03: of two who come at once and contradict one opens the file`() {
    let (first, second) = configurations(false)
    for _ in 0..<10 {
      let opened = Noted<Bool>()
      let asked = [Bell(), Bell()]
      let threads = [first, second].enumerated().map { number, configuration in
        JoinedThread {
          let realm = try? Realm(configuration: configuration)
          opened.add(realm != nil)
          asked[number].ring()
          asked[1 - number].wait()
          withExtendedLifetime(realm) {}
        }
      }
      for thread in threads { thread.join() }
      #expect(opened.all.filter { $0 }.count == 1)
    }
  }

  // parent                        child
  // opens to write
  //                               is forked, opens to read only, then to write
  @Test func `LIFE-03: a forked child is bound to nothing that its parent has open`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let scratch = Scratch()
      let configuration = scratch.configuration([Dog.self])
      let thread = JoinedThread {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.create(Dog.self) }
          let child = fork()
          if child == 0 {
            var readOnly = configuration
            readOnly.readOnly = true
            let dogs = try? Realm(configuration: readOnly).objects(Dog.self).count
            let own = try? Realm(configuration: configuration)
            _exit(dogs != 1 ? 1 : own == nil ? 2 : 0)
          }
          var status: Int32 = 0
          waitpid(child, &status, 0)
          if status != 0 { stop("the child: \(status >> 8)") }
          if realm.objects(Dog.self).count != 1 { stop("the parent's dog is gone") }
        } catch { stop("\(error)") }
      }
      thread.join()
      withExtendedLifetime(scratch) {}
    }
  }
}
