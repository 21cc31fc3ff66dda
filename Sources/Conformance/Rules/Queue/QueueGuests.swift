import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Ways in which a thread runs blocks of a queue while it waits for them.
  private static let visits:
    [(name: String, visit: @Sendable (Stage, () throws -> Void) throws -> Void)] = [
      ("a serial queue", { _, look in try DispatchQueue(label: "serial").sync(execute: look) }),
      (
        "a concurrent queue",
        { _, look in
          try DispatchQueue(label: "concurrent", attributes: .concurrent).sync(execute: look)
        }
      ),
      ("a global queue", { _, look in try DispatchQueue.global().sync(execute: look) }),
      (
        "a queue that stands on another",
        { _, look in
          let below = DispatchQueue(label: "below")
          try DispatchQueue(label: "above", target: below).sync(execute: look)
        }
      ),
      (
        "a queue within another's block",
        { _, look in
          try DispatchQueue(label: "outer").sync {
            try DispatchQueue(label: "inner").sync(execute: look)
          }
        }
      ),
      (
        "a queue that has a realm of the file",
        { stage, look in
          let queue = DispatchQueue(label: "home")
          var realm: Realm? = try queue.sync {
            try Realm(configuration: stage.configuration(), queue: queue)
          }
          try queue.sync {
            use(realm!.account(1).balance)
            try look()
            use(realm!.account(1).balance)
          }
          queue.sync { realm = nil }
        }
      ),
      (
        "a work item of a queue",
        { _, look in
          try withoutActuallyEscaping(look) { look in
            var trouble: (any Error)?
            let item = DispatchWorkItem { do { try look() } catch { trouble = error } }
            DispatchQueue(label: "serial").sync(execute: item)
            if let trouble { throw trouble }
          }
        }
      ),
    ]

  /// In a queue's block a thread is itself, too: what it opens there without a queue is its own.
  static let threadsOnQueues: [Probe] = visits.flatMap { name, visit in
    ["the main thread", "another thread"].map { place in
      Probe("\(place) has its own realm in a block of \(name)") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        func run() throws {
          Realm.Configuration.defaultConfiguration = stage.configuration()
          // Opened there first, and then outside; and the other way round.
          for opensInside in [true, false] {
            var first: Realm?
            if opensInside { try visit(stage) { first = try stage.open() } }
            let own = try stage.open()
            if let first { stage.expect(first == own, "the realm that was opened in the block") }
            try visit(stage) {
              stage.expect(try stage.open() == own, "the realm that is opened in the block")
              stage.expect(try Realm() == own, "the default one that is opened in the block")
            }
            own.beginWrite()
            own.account(1).balance = 7
            try visit(stage) {
              let again = try stage.open()
              stage.equal(again.isInWriteTransaction, true, "whether it is in the thread's write")
              stage.equal(again.account(1).balance, 7, "what it shows of the thread's write")
              again.account(2).balance = 8
            }
            try own.commitWrite()
            stage.equal(own.account(2).balance, 8, "what was written in the block")
            try visit(stage) {
              try own.write { own.account(2).balance = 9 }
              stage.equal(try stage.open().account(2).balance, 9, "what is found in the block")
            }
            first = nil
          }
        }
        if place == "the main thread" { try run() } else { try stage.elsewhere { try run() } }
      }
    }
  }
}
