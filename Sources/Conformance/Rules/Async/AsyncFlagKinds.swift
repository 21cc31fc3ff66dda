import EngineUnderTest
import Foundation
import Harness

/// What the flag of asynchronous work says, at each home, by each call.
enum AsyncFlagKinds {
  /// Plain writes are none of it, whatever was before and whoever looks.
  static let plain: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe("the flag is false in each plain write, on \(kind.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try stage.stocked() }
      let home = RealmHome(kind)
      var realm: Realm! = try home.open(stage)
      for round in 1...3 {
        try home.work {
          var flags: [Bool] = []
          func look() {
            flags.append(realm.isPerformingAsynchronousWriteOperations)
            flags.append(realm.account(1).realm!.isPerformingAsynchronousWriteOperations)
          }
          look()
          let token = realm.observe { _, _ in look() }
          try realm.write {
            look()
            realm.account(1).balance = round
            look()
          }
          realm.beginWrite()
          look()
          realm.account(1).balance = 10 * round
          try realm.commitWrite()
          look()
          realm.beginWrite()
          realm.account(3).balance = -1
          look()
          realm.cancelWrite()
          look()
          try realm.write {
            try realm.commitWrite()
            look()
            realm.beginWrite()
            look()
          }
          look()
          struct Unwanted: Error {}
          do {
            try realm.write { () -> Void in
              look()
              throw Unwanted()
            }
          } catch is Unwanted {}
          look()
          token.invalidate()
          stage.equal(Set(flags), [false], "the flags in plain writes, round \(round)")
          stage.expect(flags.count >= 24, "who looked, round \(round)")
        }
        // Asynchronous work that has ended is none.
        var isDone = false
        home.work {
          _ = realm.writeAsync(
            { realm.account(2).balance = round }, onComplete: { _ in isDone = true })
        }
        try stage.spin(until: { home.work { isDone } }, "the asynchronous write")
        try stage.spin(
          until: { home.work { !realm.isPerformingAsynchronousWriteOperations } }, "its end")
      }
      home.work { realm = nil }
    }
  }

  /// What is asked for in a plain write counts from its end on, whichever that is.
  static let within: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe("what is begun in a plain write counts once that has ended, on \(kind.rawValue)") {
      stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try stage.stocked() }
      let home = RealmHome(kind)
      var realm: Realm! = try home.open(stage)
      for verb in ["beginAsyncWrite", "writeAsync", "both"] {
        for end in ["commitWrite", "cancelWrite", "write", "a write that throws"] {
          var done = 0
          let what = "\(verb), \(end)"
          func begin() {
            if verb != "writeAsync" {
              realm.beginAsyncWrite {
                realm.account(2).balance += 1
                realm.commitAsyncWrite { _ in done += 1 }
              }
            }
            if verb != "beginAsyncWrite" {
              realm.writeAsync({ realm.account(2).balance += 1 }, onComplete: { _ in done += 1 })
            }
          }
          try home.work {
            switch end {
            case "write": try realm.write { begin() }
            case "a write that throws":
              struct Unwanted: Error {}
              do {
                try realm.write { () -> Void in
                  begin()
                  throw Unwanted()
                }
              } catch is Unwanted {}
            default:
              realm.beginWrite()
              begin()
              if end == "commitWrite" { try realm.commitWrite() } else { realm.cancelWrite() }
            }
            stage.equal(
              realm.isPerformingAsynchronousWriteOperations, true, "the flag after it, \(what)")
            stage.equal(done, 0, "what was done when the write ended, \(what)")
          }
          try stage.spin(
            until: { home.work { done == (verb == "both" ? 2 : 1) } }, "the completions, \(what)")
        }
      }
      stage.equal(try stage.seen { $0.account(2).balance }, 200 + 16, "the balance in the end")
      home.work { realm = nil }
    }
  }
}
