import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// A completion was told a full disk as an error of the engine's inside: `The operation could not
/// be completed`, without a code of Realm's.
@Suite struct AsyncErrorTests {
  private actor Keeper {
    func fill(_ configuration: Realm.Configuration, _ disks: FailingDisks) async throws {
      let realm = try await Realm.open(configuration: configuration)
      disks.fail(at: 0, .noSpace, sticky: true)
      try await realm.asyncWrite {
        realm.add(Person(name: String(repeating: "x", count: 200_000)))
      }
    }
  }

  @Test(arguments: 0..<4)
  func `ASYNC-10: what kept a commit from the disk is told in Realm's words`(how: Int) async {
    await #expect(processExitsWith: .success) { [how = how as Int] in
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let desk = Desk(configuration)
      desk.commit { $0.add(Person(name: "Ada")) }
      let (told, done) = (Noted<String>(), Bell())
      let tell: @Sendable ((any Error)?) -> Void = { error in
        let known = error as? Realm.Error
        told.add("\(known?.code as Any): \(known?.localizedDescription ?? "\(error as Any)")")
        done.ring()
      }
      if how == 3 {
        do { try await Keeper().fill(configuration, disks) } catch { tell(error) }
      } else {
        disks.fail(at: 0, .noSpace, sticky: true)
        desk.work { realm in
          switch how {
          case 0:
            realm.writeAsync {
              realm.add(Person(name: String(repeating: "x", count: 200_000)))
            } onComplete: {
              tell($0)
            }
          case 1:
            realm.beginAsyncWrite {
              realm.add(Person(name: String(repeating: "x", count: 200_000)))
              realm.commitAsyncWrite(allowGrouping: true) { tell($0) }
            }
          default:
            // It cannot even begin.
            unlink(configuration.path)
            realm.writeAsync {
            } onComplete: {
              tell($0)
            }
          }
        }
      }
      #expect(done.wait())
      let text = told.all.first ?? ""
      #expect(text.contains(how == 2 ? "fileAccess" : "outOfDiskSpace"), "\(text)")
      #expect(text.contains(configuration.path), "\(text)")
    }
  }

  /// Of a block whose write could not begin, and of a commit without completion that was lost,
  /// nobody heard.
  @Test(arguments: 0..<4)
  func `ASYNC-10: what no completion is told of is logged`(how: Int) async {
    await #expect(processExitsWith: .success) { [how = how as Int] in
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let (lines, logged) = (Noted<String>(), Bell())
      Logger.shared = Logger(level: .error) { _, line in
        lines.add(line)
        logged.ring()
      }
      let configuration = scratch.configuration([Person.self, Dog.self])
      let desk = Desk(configuration)
      desk.commit { $0.add(Person(name: "Ada")) }
      desk.work { realm in
        if how < 2 { disks.fail(at: 0, .noSpace, sticky: true) } else { unlink(configuration.path) }
        switch how {
        case 0: realm.writeAsync { realm.add(Person(name: "Bob")) }
        case 1:
          realm.beginWrite()
          realm.add(Person(name: "Bob"))
          realm.commitAsyncWrite()
        case 2: realm.beginAsyncWrite { Issue.record("a write has begun in a file without name") }
        default: realm.writeAsync { Issue.record("a write has begun in a file without name") }
        }
      }
      #expect(logged.wait())
      let begin = how < 2 ? "Commit failed: " : "Write cannot begin: "
      #expect(lines.all.count == 1, "\(lines.all)")
      #expect(lines.all[0].hasPrefix(begin) && lines.all[0].contains(configuration.path))
    }
  }
}
