import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Realm listeners and completions that write when they are called, in the middle of what calls
/// them. The listener of a commit in the background waited for the gate that its own realm held,
/// and in a group for ever; completions of later commits overtook earlier ones.
@Suite struct WritingListenerTests {
  /// A desk whose realm writes in the call of its listener, once for each round.
  private final class Writing: @unchecked Sendable {
    // Sendable because it is only touched at the desk.
    let desk: Desk
    let how: String
    private var token: NotificationToken?
    private var isInside = false
    var rounds = 0
    let told = Noted<String>()

    init(_ desk: Desk, _ how: String) {
      (self.desk, self.how) = (desk, how)
      desk.work { realm in
        token = realm.observe { [unowned self] _, realm in
          if isInside || realm.isInWriteTransaction { return }
          isInside = true
          defer { isInside = false }
          rounds += 1
          add(realm, "of listener \(rounds)")
        }
      }
    }

    private func add(_ realm: Realm, _ name: String) {
      switch how {
      case "write": try! realm.write { realm.add(Person(name: name)) }
      case "cancel":
        realm.beginWrite()
        realm.add(Person(name: "never"))
        realm.cancelWrite()
      case "commitAsyncWrite":
        realm.beginWrite()
        realm.add(Person(name: name))
        realm.commitAsyncWrite { [told] _ in told.add(name) }
      default:
        realm.writeAsync {
          realm.add(Person(name: name))
        } onComplete: { [told] _ in
          told.add(name)
        }
      }
    }

    func end() { desk.work { _ in token?.invalidate() } }
  }

  static let ways = ["write", "cancel", "commitAsyncWrite", "writeAsync"]

  // home                                       listener of the realm
  // commits in the background, or in a group
  //                                            writes, whichever way
  // goes on
  @Test(arguments: ways)
  func `NOTIFY-32: a realm listener may write, whatever is being committed`(how: String) async {
    await #expect(processExitsWith: .success) { [how = how as String] in
      alarm(60)
      let scratch = Scratch()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      let writing = Writing(desk, how)
      let (done, order) = (Bell(), Noted<String>())
      // Outside a turn.
      desk.work { realm in
        realm.beginWrite()
        realm.add(Person(name: "alone"))
        realm.commitAsyncWrite { error in order.add("alone \(error == nil)") }
      }
      // In a group: commits in the background, and one that is plain.
      desk.work { realm in
        for number in 0..<6 {
          realm.beginAsyncWrite {
            realm.add(Person(name: "grouped \(number)"))
            if number == 3 {
              try! realm.commitWrite()
              order.add("3 true")
            } else {
              realm.commitAsyncWrite(allowGrouping: true) { error in
                order.add("\(number) \(error == nil)")
                if number == 5 { done.ring() }
              }
            }
          }
        }
      }
      #expect(done.wait())
      writing.end()
      // Behind all that the listener has begun.
      let last = Bell()
      desk.work {
        $0.writeAsync {
        } onComplete: { _ in
          last.ring()
        }
      }
      #expect(last.wait())
      let expected = ["alone true", "0 true", "1 true", "2 true", "3 true", "4 true", "5 true"]
      #expect(order.all.filter { $0 != "3 true" } == expected.filter { $0 != "3 true" })
      #expect(Set(order.all) == Set(expected) && order.all.count == expected.count)
      let rounds = desk.work { _ in writing.rounds }
      #expect(rounds > 0)
      let other = Desk(desk.configuration)
      let people = other.work { Set($0.objects(Person.self).map(\.name)) }
      let mine = Set((0..<6).map { "grouped \($0)" } + ["Ada", "alone"])
      let theirs = how == "cancel" ? [] : (1...rounds).map { "of listener \($0)" }
      #expect(people == mine.union(theirs))
      #expect(writing.told.all == (how.hasSuffix("ync") || how == "commitAsyncWrite" ? theirs : []))
    }
  }

  // home                             disk
  // commits A: 1 and 2
  //                                  flushes A
  // commits B: 3
  // hears of A: completion 1 writes
  //   and so waits for B
  @Test func `ASYNC-08: completions keep their order though one of them writes`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let scratch = Scratch()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      for round in 0..<20 {
        let (order, done) = (Noted<Int>(), Bell())
        desk.work { realm in
          for number in 0..<3 {
            realm.beginAsyncWrite {
              realm.add(Person(name: "\(round) \(number)"))
              realm.commitAsyncWrite(allowGrouping: true) { _ in
                order.add(number)
                if number == 0 { try! realm.write { realm.add(Person(name: "in between")) } }
              }
            }
          }
        }
        desk.work { realm in
          realm.beginWrite()
          realm.add(Person(name: "\(round) 3"))
          realm.commitAsyncWrite { _ in
            order.add(3)
            done.ring()
          }
        }
        #expect(done.wait())
        #expect(desk.work { _ in order.all } == [0, 1, 2, 3], "round \(round)")
      }
    }
  }

  // home                            disk
  // commits in the background
  //                                 has no room for it
  //   its listener hears, and writes
  @Test func `ASYNC-09: a listener that hears of a loss may write`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      let heard = Noted<Int>()
      let token = desk.work { realm in
        realm.observe { _, realm in
          // Once for the commit, and once it is gone.
          if !realm.objects(Person.self).where({ $0.name.starts(with: "lost") }).isEmpty { return }
          disks.heal()
          heard.add(realm.objects(Person.self).count)
          if heard.all.count > 2 { return }
          try! realm.write { realm.add(Person(name: "of the listener")) }
        }
      }
      let (done, failures) = (Bell(), Noted<Bool>())
      disks.fail(at: 0, .noSpace, sticky: true)
      desk.work { realm in
        realm.beginWrite()
        realm.add(Person(name: String(repeating: "lost", count: 50_000)))
        realm.commitAsyncWrite { error in
          failures.add(error != nil)
          done.ring()
        }
      }
      #expect(done.wait())
      desk.work { realm in
        #expect(failures.all == [true])
        #expect(!heard.all.isEmpty)
        #expect(realm.objects(Person.self).where { $0.name == "Ada" }.count == 1)
        #expect(realm.objects(Person.self).where { $0.name.starts(with: "lost") }.isEmpty)
        token.invalidate()
      }
    }
  }
}
