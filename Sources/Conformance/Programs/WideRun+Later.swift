import EngineUnderTest
import Foundation
import Harness

// Writes that are not over when they are asked for, and commits that fail.
extension WideRun {
  /// What became of the asynchronous writes of one act.
  private final class Ledger {
    var ran: [Int] = []
    var completed: [Int] = []
    var mustRun: [Int] = []
    var mustComplete: [Int] = []
    var failures: [String] = []

    func complete(_ number: Int, _ error: (any Error)?) {
      completed.append(number)
      if let error { failures.append("the completion of \(number) was told of \(error)") }
    }
  }

  private enum Way: Int, CaseIterable {
    case whole, grouped, ungrouped, byCommit, cancelledInside, cancelledBefore, silent
  }

  func writeLater(_ act: WideProgram.Act, _ realm: Realm) throws -> String? {
    let ledger = Ledger()
    for number in 0..<(1 + act.value % 4) {
      let way = Way.allCases[(act.member + number * 5) % Way.allCases.count]
      if way != .cancelledBefore { ledger.mustRun.append(number) }
      if [.whole, .grouped, .ungrouped].contains(way) { ledger.mustComplete.append(number) }
      ask(way, number, act.asChange(number), realm, ledger)
      // One that does not wait for its turn.
      if act.salt % 5 == 0, number == 1 {
        try realm.write {
          here?.state = newest
          change(act.asChange(9), isHere: true)
        }
        wasCommitted()
      }
    }
    let limit = ContinuousClock.now + patience
    while ledger.ran.count < ledger.mustRun.count
      || ledger.completed.count < ledger.mustComplete.count
      || realm.isPerformingAsynchronousWriteOperations
    {
      if ContinuousClock.now > limit {
        return "asynchronous writes \(ledger.mustRun) were to run, \(ledger.ran) did, and "
          + "\(ledger.completed) of \(ledger.mustComplete) are complete"
      }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
    if ledger.ran != ledger.mustRun { return "asynchronous writes ran as \(ledger.ran)" }
    if ledger.completed != ledger.mustComplete {
      return "asynchronous writes \(ledger.mustComplete) were told of as \(ledger.completed)"
    }
    if let failure = ledger.failures.first { return failure }
    if realm.isInWriteTransaction { return "the realm is in a write after the asynchronous ones" }
    return nil
  }

  private func ask(
    _ way: Way, _ number: Int, _ change: WideProgram.Act, _ realm: Realm, _ ledger: Ledger
  ) {
    let work = { [unowned self] in
      ledger.ran.append(number)
      here?.state = newest
      isWriting = true
      self.change(change, isHere: true)
    }
    let complete = { (error: (any Error)?) in ledger.complete(number, error) }
    switch way {
    case .whole:
      realm.writeAsync(
        { [unowned self] in
          work()
          wasCommitted()
        }, onComplete: complete)
    case .grouped, .ungrouped:
      realm.beginAsyncWrite { [unowned self] in
        work()
        realm.commitAsyncWrite(allowGrouping: way == .grouped, complete)
        wasCommitted()
      }
    case .byCommit:
      realm.beginAsyncWrite { [unowned self] in
        work()
        do { try realm.commitWrite() } catch { ledger.failures.append("\(error)") }
        wasCommitted()
      }
    case .cancelledInside:
      realm.writeAsync { [unowned self] in
        work()
        realm.cancelWrite()
        wasCancelled()
      }
    case .cancelledBefore:
      let id = realm.beginAsyncWrite { ledger.failures.append("\(number) ran, cancelled") }
      do { try realm.cancelAsyncWrite(id) } catch { ledger.failures.append("\(error)") }
    case .silent:
      realm.beginAsyncWrite { [unowned self] in
        work()
        realm.commitAsyncWrite()
        wasCommitted()
      }
    }
  }

  /// The disk fails while a commit uses it: it throws, and nothing has come of the write.
  func failToCommit(_ act: WideProgram.Act, _ realm: Realm) throws -> String? {
    // A flush that failed is made good by the next write's begin, which cannot throw.
    guard let hooks = Backstage.hooks, touched.commits > commitsAtFailure else { return nil }
    defer { commitsAtFailure = touched.commits }
    let kind: DiskFault = act.value % 2 == 0 ? .writes : .flushes
    let passing = act.value / 2 % 2
    func write(_ realm: Realm, _ body: () -> Void) -> Bool {
      hooks.fail(kind, after: passing, times: 1)
      defer { hooks.fail(kind, after: 0, times: 0) }
      do {
        try realm.write(body)
        return true
      } catch {
        return false
      }
    }
    if act.isThere {
      let isDone = queue.sync { () -> Bool in
        guard let realm = there?.realm else { return true }
        there?.state = newest
        return write(realm) { change(act.asChange(0), isHere: false) }
      }
      if let state = there?.state, isDone { newest = state }
      there?.state = newest
      if isDone { touched.commit() } else { touched.cancel() }
      return isDone && passing == 0 ? "a commit whose disk fails does not throw" : nil
    }
    let isDone = write(realm) {
      here?.state = newest
      change(act.asChange(0), isHere: true)
    }
    if isDone { wasCommitted() } else { wasCancelled() }
    return isDone && passing == 0 ? "a commit whose disk fails does not throw" : nil
  }
}
