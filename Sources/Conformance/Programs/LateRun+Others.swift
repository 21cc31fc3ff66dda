import EngineUnderTest
import Foundation
import Harness

// Listeners, other writers and disks that fail.
extension LateRun {
  private static let mostWritesOfListeners = 12

  func listen() {
    guard draft == nil else { return }
    switch draw(4) {
    case 0:
      if let token = tokens.popLast() {
        token.invalidate()
        told.removeValue(forKey: told.keys.max()!)
      }
    case 1:
      if let token = realmToken {
        token.invalidate()
        realmToken = nil
      } else {
        realmToken = realm.observe { [unowned self] _, _ in realmCalls += 1 }
      }
    default:
      if tokens.count < 3 { addListener() }
    }
  }

  private func addListener() {
    lastListener += 1
    let number = lastListener
    note("listener \(number)")
    // It has not been told yet of anything.
    told[number] = [-1: -1]
    tokens.append(
      realm.objects(Account.self).observe { [unowned self] change in
        switch change {
        case .initial(let all): tell(number, all)
        case .update(let all, _, _, _): tell(number, all)
        case .error: complain("listener \(number) is told of an error")
        }
      })
  }

  private func tell(_ number: Int, _ all: Results<Account>) {
    var now: [Int: Int] = [:]
    for account in all { now[account.id] = account.balance }
    note("listener \(number) is told")
    expect(told[number] != nil, "listener \(number) is told, which has ended")
    told[number] = now
    // Who fails shows what was before, and its completion says so a little later.
    if draft == nil, !isBehind, beforeFailure == nil {
      expect(now == newest, "listener \(number) is shown \(now), not \(newest)")
    }
    guard draft == nil, beforeFailure == nil, !realm.isInWriteTransaction, !isRivalInside,
      writesOfListeners < LateRun.mostWritesOfListeners
    else { return }
    switch draw(5) {
    case 0, 1:
      writesOfListeners += 1
      plainWrite("a listener")
    case 2 where depthOfCompletions == 0:
      writesOfListeners += 1
      ask()
    default: break
    }
  }

  // MARK: Others

  /// Somebody else commits while nothing is under way here, where everybody waits for it.
  func foreignWrite() {
    lastNumber += 1
    let (number, id, configuration) = (lastNumber, lastNumber % 7, configuration)
    note("a foreign commit \(number)")
    isBehind = true
    do {
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write {
          other.create(Account.self, value: ["id": id, "balance": number], update: .all)
        }
      }
    } catch { complain("a foreign commit threw \(error)") }
    newest[id] = number
  }

  /// Somebody else is in a write while blocks are asked for; it ends, and they run.
  func rival() {
    var found: Int?
    drain { [self] in
      (isRivalInside, isBehind) = (true, true)
      lastNumber += 1
      note("a rival writes \(lastNumber)")
      found = lastNumber
    }
    guard let number = found else { return }
    let (held, release) = (Latch("the rival's write"), Latch("its end"))
    let (id, configuration) = (number % 7, configuration)
    let patience = stage.patience
    let thread = stage.thread("rival") {
      let other = try Realm(configuration: configuration)
      other.beginWrite()
      other.create(Account.self, value: ["id": id, "balance": number], update: .all)
      held.open()
      _ = release.wait(patience)
      try other.commitWrite()
    }
    _ = held.wait(patience)
    atHome {
      let before = lastNumber
      for _ in 0...draw(3) { ask() }
      if draw(2) == 0 { cancelSome() }
      if draw(3) == 0 { ask() }
      note("\(lastNumber - before) asked for meanwhile")
      // Nobody else comes before it.
      newest[id] = number
    }
    if home == .main { turn() } else { queue.sync {} }
    atHome { isRivalInside = false }
    release.open()
    do { try stage.join(thread) } catch { atHome { complain("the rival: \(error)") } }
  }

  /// The disk fails under the only commit that is under way.
  func fail() {
    // A flush that failed is made good by the next commit, which must not fail.
    guard let hooks = Backstage.hooks, draft == nil, !hasFailed, !isRivalInside else { return }
    let kind: DiskFault = draw(2) == 0 ? .writes : .flushes
    note("the disk fails")
    realm.refresh()
    isBehind = false
    usedUp += sealed.compactMap(\.id)
    sealed = []
    realm.beginWrite()
    beginDraft("before a failure")
    change()
    let before = newest
    hasFailed = true
    if home != .main || draw(2) == 0 {
      dropDraft()
      hooks.fail(kind, after: 0, times: 1)
      do {
        try realm.commitWrite()
        complain("a commit whose disk fails does not throw")
      } catch { comparisons += 1 }
      hooks.fail(kind, after: 0, times: 0)
      look("after a commit that failed")
    } else {
      lastNumber += 1
      let number = lastNumber
      sealed.append(Sealed(number: number, id: nil, isTold: true, mustFail: true))
      keepDraft()
      beforeFailure = before
      hooks.fail(kind, after: 0, times: 1)
      var isOver = false
      realm.commitAsyncWrite { [unowned self] error in
        hooks.fail(kind, after: 0, times: 0)
        isOver = true
        complete(number, error)
      }
      // Nothing else is asked for before it is known.
      let limit = ContinuousClock.now + stage.patience
      while !isOver {
        if ContinuousClock.now > limit { return complain("a commit that failed is not told of") }
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
      }
    }
    // What the realm can do then.
    plainWrite("what comes after a failure")
  }
}
