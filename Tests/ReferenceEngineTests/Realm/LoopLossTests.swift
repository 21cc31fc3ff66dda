import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Losses that are told on a thread which runs a loop: nobody visits it, and whoever is called
/// there may turn the loop once more.
@Suite struct LoopLossTests {
  /// A thread whose realm is told of all in its loop, and what happens to it.
  private final class Home: @unchecked Sendable {
    // Sendable because the thread alone touches it while it runs.
    let scene = LossScene()
    var told: [String] = []
    var tokens: [NotificationToken] = []
    private(set) var isOver = false

    /// Runs code in the loop of a thread of its own, which turns until `end` is called.
    func run(_ body: @escaping (Realm) -> Void) {
      let start = Smuggled(body)
      let thread = JoinedThread { [self] in
        let realm = try! Realm(configuration: scene.configuration)
        let home = Smuggled(realm)
        let timer = Timer(timeInterval: 0, repeats: false) { _ in start.value(home.value) }
        RunLoop.current.add(timer, forMode: .default)
        turn { isOver }
        for token in tokens { token.invalidate() }
        tokens = []
      }
      thread.join()
    }

    func end() { isOver = true }

    /// Turns the loop of the thread, wherever it is.
    func turn(until isSo: () -> Bool) {
      while !isSo() {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
      }
    }

    func flush() {
      let flushes = scene.flushes
      DispatchQueue.global().async { flushes.work() }
    }

    func lose() {
      scene.disks.fail(at: 0, .refused, sticky: false)
      flush()
    }

    func names(_ realm: Realm) -> [String] {
      realm.objects(Keyed.self).sorted(byKeyPath: "id").map(\.name)
    }
  }

  // listener                       disk
  // is told of what is sealed
  // turns the loop                 refuses that
  //   is told of the loss there
  // goes on
  @Test(arguments: [false, true])
  func `NOTIFY-07, NOTIFY-32: a loss is told in a loop that a listener turns`(isDeep: Bool) async {
    await #expect(processExitsWith: .success) { [isDeep = isDeep as Bool] in
      let home = Home()
      home.run { realm in
        var turns = false
        let all = realm.objects(Keyed.self).sorted(byKeyPath: "id")
        var mirrors = [[String]](repeating: [], count: 2)
        func listen(_ number: Int) -> NotificationToken {
          all.observe { change in
            let now = all.map(\.name)
            if case .update(_, let deletions, let insertions, let modifications) = change {
              let places = ToldPlaces(
                deletions: deletions, insertions: insertions, modifications: modifications)
              let faults = places.faults(from: mirrors[number], to: Array(now), isSame: ==)
              #expect(faults.isEmpty, "\(faults)")
            }
            mirrors[number] = Array(now)
            home.told.append("\(number) \(now[0])")
            guard turns, number == 0 else { return }
            turns = false
            home.lose()
            home.turn { home.told.contains("completion") }
            #expect(home.names(realm) == ["old", "kept"])
            if isDeep {
              try! realm.write { LossScene.keyed(realm, 8)!.name = "later" }
            }
          }
        }
        home.tokens = [listen(0), listen(1)]
        home.turn { home.told == ["0 old", "1 old"] }
        home.told = []
        turns = true
        realm.beginWrite()
        LossScene.replace(realm, "lost")
        realm.commitAsyncWrite { error in
          #expect(error != nil)
          #expect(home.names(realm) == ["old", "kept"])
          home.told.append("completion")
        }
        home.turn { mirrors == [[String]](repeating: home.names(realm), count: 2) && !turns }
        #expect(home.names(realm) == ["old", isDeep ? "later" : "kept"])
        home.turn { !realm.isPerformingAsynchronousWriteOperations }
        #expect(home.told.first == "0 lost" && home.told.contains("completion"))
        home.end()
      }
    }
  }

  // completion                     another realm
  // is told of the loss
  // turns the loop                 commits
  //   is told of that
  @Test(arguments: [false, true], [false, true])
  func `ASYNC-12, REFRESH-09: what others commit arrives in a loop that a completion turns`(
    invalidates: Bool, writes: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [invalidates = invalidates as Bool, writes = writes as Bool] in
      let home = Home()
      home.run { realm in
        let old = LossScene.keyed(realm)!
        home.tokens = [
          realm.objects(Keyed.self).sorted(byKeyPath: "id").observe { _ in
            home.told.append("listener \(home.names(realm))")
          }
        ]
        home.turn { home.told.count == 1 }
        home.told = []
        func seal(_ number: Int, _ completion: @escaping () -> Void = {}) {
          realm.beginAsyncWrite {
            LossScene.replace(realm, "lost \(number)")
            realm.commitAsyncWrite(allowGrouping: number == 1) { error in
              #expect(error != nil)
              home.told.append("\(number)")
              completion()
            }
          }
        }
        seal(1) {
          #expect(home.names(realm) == ["old", "kept"] && !old.isInvalidated)
          home.scene.other.commit { LossScene.keyed($0, 8)!.name = "other" }
          home.turn { home.names(realm) == ["old", "other"] }
          if writes { try! realm.write { LossScene.keyed(realm, 8)!.name = "own" } }
          if invalidates {
            realm.invalidate()
            #expect(old.isInvalidated)
          }
        }
        seal(2) { #expect(home.told.filter { $0.count == 1 } == ["1", "2"]) }
        home.turn { home.scene.flushes.count > 0 }
        home.told = []
        home.lose()
        home.turn { home.told.contains("2") && !realm.isPerformingAsynchronousWriteOperations }
        #expect(old.isInvalidated == invalidates)
        #expect(home.names(realm) == ["old", writes ? "own" : "other"])
        if !invalidates {
          let last = "listener \(home.names(realm))"
          home.turn { home.told.contains(last) }
        }
        home.end()
      }
    }
  }

  // block
  // seals one of a group
  // turns the loop
  //   invalidates, or writes, or commits without room
  @Test(arguments: ["invalidates", "writes", "fails", "cancels"])
  func `ASYNC-17, ASYNC-40: in a loop that a block turns its group may end`(how: String) async {
    await #expect(processExitsWith: .success) { [how = how as String] in
      let home = Home()
      home.run { realm in
        let old = LossScene.keyed(realm)!
        let isLost = how != "writes" && how != "cancels"
        var lost: Keyed?
        home.tokens = [realm.observe { _, realm in home.told.append("\(home.names(realm)[0])") }]
        func inLoop(_ body: @escaping () -> Void) {
          var isDone = false
          let work = Smuggled({
            body()
            isDone = true
          })
          let timer = Timer(timeInterval: 0, repeats: false) { _ in work.value() }
          RunLoop.current.add(timer, forMode: .default)
          home.turn { isDone }
        }
        realm.beginAsyncWrite {
          LossScene.replace(realm, "first")
          lost = LossScene.keyed(realm)
          realm.commitAsyncWrite(allowGrouping: true) { error in
            #expect((error != nil) == isLost)
            home.told.append("completion")
          }
          inLoop {
            if isLost { home.scene.disks.fail(at: 0, .refused, sticky: true) }
            switch how {
            case "invalidates":
              realm.invalidate()
              #expect(old.isInvalidated && lost!.isInvalidated)
            case "cancels":
              realm.beginWrite()
              LossScene.replace(realm, "cancelled")
              realm.cancelWrite()
            default:
              realm.beginWrite()
              LossScene.replace(realm, "second")
              #expect((try? realm.commitWrite()) == nil || how == "writes")
            }
            home.scene.disks.heal()
            if how != "cancels" { #expect(home.told.contains("completion")) }
          }
        }
        // Only a group that may go on waits for that.
        realm.beginAsyncWrite { realm.cancelWrite() }
        home.turn {
          lost != nil && !realm.isPerformingAsynchronousWriteOperations
            || {
              home.flush()
              return false
            }()
        }
        let name = ["writes": "second", "cancels": "first"][how] ?? "old"
        #expect(home.names(realm) == [name, "kept"])
        #expect(lost!.isInvalidated == (how != "cancels"))
        #expect(old.isInvalidated == (how != "fails"))
        #expect(home.told.filter { $0 == "completion" }.count == 1)
        home.end()
      }
    }
  }
}
