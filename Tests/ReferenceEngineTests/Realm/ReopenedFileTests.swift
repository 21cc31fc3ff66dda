import Foundation
import Testing

@testable import ReferenceEngine

/// Between two realms of a file the process may have it closed, and whatever names an object is
/// asked for it after that.
@Suite struct ReopenedFileTests {
  private let scratch = Scratch()

  /// The records of the first commits are gone after some dozens.
  @Test(arguments: [0, 3, 60])
  func `REF-25: an object is not taken for another, though the file was closed meanwhile`(
    further: Int
  ) {
    let configuration = scratch.configuration([Keyed.self, Dog.self])
    let desk = Desk(configuration)
    desk.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      for id in [7, 8] { realm.add(Keyed(value: ["id": id, "name": "first"])) }
    }
    let (variables, references) = desk.work { realm in
      let all = [7, 8].map { realm.object(ofType: Keyed.self, forPrimaryKey: $0)! }
      return (
        all.map { ThreadSafe(wrappedValue: $0) }, all.map { ThreadSafeReference(to: $0) }
      )
    }
    desk.leave()
    let next = Desk(configuration)
    next.commit { $0.delete($0.object(ofType: Keyed.self, forPrimaryKey: 7)!) }
    next.commit { $0.add(Keyed(value: ["id": 7, "name": "second"])) }
    FarBehindTests.commit(next, further)
    next.work { realm in
      #expect(variables.map { $0.wrappedValue?.name } == [nil, "first"])
      #expect(references.map { realm.resolve($0)?.name } == [nil, "first"])
    }
  }

  /// What lay under the name before is no state of it.
  @Test(arguments: [false, true])
  func `REF-25: nor for one in a file that was made anew`(isInMemory: Bool) throws {
    let configuration =
      isInMemory ? freshConfiguration() : scratch.configuration([Keyed.self, Dog.self])
    let desk = Desk(configuration)
    desk.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      realm.add(Keyed(value: ["id": 7, "name": "first"]))
    }
    let (variable, reference) = desk.work { realm in
      let object = realm.object(ofType: Keyed.self, forPrimaryKey: 7)!
      return (ThreadSafe(wrappedValue: object), ThreadSafeReference(to: object))
    }
    desk.leave()
    if !isInMemory { _ = try Realm.deleteFiles(for: configuration) }
    let next = Desk(configuration)
    for _ in 0..<3 { next.commit { $0.create(Dog.self) } }
    next.commit { $0.add(Keyed(value: ["id": 7, "name": "second"])) }
    next.work { realm in
      #expect(realm.objects(Keyed.self).map(\.name) == ["second"])
      #expect(variable.wrappedValue?.name == nil)
      #expect(realm.resolve(reference)?.name == nil)
    }
  }

  /// Who only reads is gone when somebody writes, or has the file open as another process has it.
  @Test(arguments: [0, 1_000], [false, true])
  func `REF-09: what a realm names that may only read is known where somebody writes`(
    further: Int, isApart: Bool
  ) {
    var configuration = scratch.configuration([Keyed.self, Dog.self])
    configuration.commitProtocol = .none
    var readOnly = configuration
    readOnly.readOnly = true
    let first = Desk(configuration)
    first.commit { realm in
      realm.add(Dog(value: ["name": "Rex"]))
      for id in [7, 8] { realm.add(Keyed(value: ["id": id, "name": "first"])) }
    }
    if !isApart { first.leave() }
    let reader = isApart ? Desk(apart: readOnly) : Desk(readOnly)
    let references = reader.work { realm in
      [7, 8].map { ThreadSafeReference(to: realm.object(ofType: Keyed.self, forPrimaryKey: $0)!) }
    }
    if !isApart { reader.leave() }
    let writer = isApart ? first : Desk(configuration)
    writer.commit { $0.delete($0.object(ofType: Keyed.self, forPrimaryKey: 7)!) }
    writer.commit { $0.add(Keyed(value: ["id": 7, "name": "second"])) }
    FarBehindTests.commit(writer, further)
    writer.work { realm in
      #expect(references.map { realm.resolve($0)?.name } == [nil, "first"])
    }
  }
}
