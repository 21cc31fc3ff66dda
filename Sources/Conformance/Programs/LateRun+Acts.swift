import EngineUnderTest
import Foundation
import Harness

// What a program does at the realm's home.
extension LateRun {
  private struct Unwanted: Error {}

  /// Asks for an asynchronous write.
  func ask() {
    guard lastNumber < LateRun.mostJobs * 3, waiting.count < LateRun.mostJobs else { return }
    lastNumber += 1
    let number = lastNumber
    let (isWhole, isTold) = (draw(2) == 0, draw(4) > 0)
    let end = End.allCases[draw(End.allCases.count)]
    let id =
      isWhole
      ? realm.writeAsync(
        { [unowned self] in runBlock(number) },
        onComplete: isTold ? { [unowned self] in complete(number, $0) } : nil)
      : realm.beginAsyncWrite { [unowned self] in runBlock(number) }
    note("\(number) is asked for: \(isWhole ? "whole, " : "")\(end)")
    let others = waiting.map(\.id) + sealed.compactMap(\.id) + [running?.id].compactMap(\.self)
    expect(!others.contains(id), "\(number) has the id \(id), as others under way: \(others)")
    waiting.append(Job(number: number, id: id, isWhole: isWhole, isTold: isTold, end: end))
    if draft != nil, running == nil {
      jobsInOpenWrite += 1
      lookWhetherBusy("in a write", except: jobsInOpenWrite)
    } else {
      lookWhetherBusy("after a call")
    }
  }

  // MARK: Blocks

  private func runBlock(_ number: Int) {
    note("\(number) runs")
    guard let job = waiting.first, job.number == number else {
      return complain("block \(number) runs, of \(waiting.map(\.number))")
    }
    expect(draft == nil && running == nil, "block \(number) runs inside another write")
    waiting.removeFirst()
    running = job
    beginDraft("at the beginning of block \(number)")
    change()
    for _ in 0..<draw(3) {
      if draw(2) == 0 { ask() } else { cancelSome() }
    }
    change()
    look("in block \(number)")
    lookWhetherBusy("in block \(number)")
    end(job)
    running = nil
    usedUp.append(job.id)
  }

  private func end(_ job: Job) {
    switch job.end {
    case .left where job.isWhole:
      sealed.append(Sealed(number: job.number, id: nil, isTold: job.isTold, mustFail: false))
      keepDraft()
    case .left: dropDraft()
    case .grouped, .ungrouped, .untold: commitLater(job.end)
    case .plain: commitNow()
    case .cancelled: cancelNow()
    case .twice, .twiceGrouped:
      commitLater(job.end == .twice ? .ungrouped : .grouped)
      // Who waits for the rival here keeps it waiting for what is done here.
      if isRivalInside { return }
      realm.beginWrite()
      beginDraft("in the second write of block \(job.number)")
      change()
      switch draw(4) {
      case 0: commitNow()
      case 1: cancelNow()
      default: commitLater(draw(2) == 0 ? .grouped : .ungrouped)
      }
    }
  }

  /// Commits the write that is open in the background.
  private func commitLater(_ end: End) {
    lastNumber += 1
    let number = lastNumber
    let calls = realmCalls
    // Whoever is called from within the commit finds it made.
    let place = sealed.count
    sealed.append(Sealed(number: number, id: nil, isTold: end != .untold, mustFail: false))
    keepDraft()
    let id =
      end == .untold
      ? realm.commitAsyncWrite()
      : realm.commitAsyncWrite(allowGrouping: end == .grouped) { [unowned self] in
        complete(number, $0)
      }
    note("commit \(number), \(end)")
    let others =
      waiting.map(\.id) + sealed.compactMap(\.id) + [running?.id].compactMap(\.self)
    expect(!others.contains(id), "commit \(number) has the id \(id), as one of \(others)")
    if sealed.indices.contains(place), sealed[place].number == number {
      sealed[place] = Sealed(
        number: number, id: id, isTold: end != .untold, mustFail: false)
    }
    expect(
      realmToken == nil || realmCalls > calls, "a listener of the realm is not told of \(number)")
    look("after commit \(number)")
    lookWhetherBusy("after commit \(number)")
  }

  private func commitNow() {
    note("a plain commit")
    let calls = realmCalls
    keepDraft()
    do { try realm.commitWrite() } catch { complain("a plain commit threw \(error)") }
    wasCommitted(calls)
  }

  private func cancelNow() {
    note("a cancel")
    dropDraft()
    realm.cancelWrite()
    look("after a cancel")
  }

  /// All commits before a plain one are on the disk, and told of.
  private func wasCommitted(_ calls: Int) {
    expect(realmToken == nil || realmCalls > calls, "a listener of the realm is not told")
    hasFailed = false
    if depthOfCompletions == 0 {
      let late = sealed.filter(\.isTold).map(\.number)
      expect(late.isEmpty, "a plain commit returns before the completions of \(late)")
      usedUp += sealed.compactMap(\.id)
      sealed = []
    }
    look("after a plain commit")
  }

  // MARK: Completions

  func complete(_ number: Int, _ error: (any Error)?) {
    note("\(number) is told")
    guard let place = sealed.firstIndex(where: { $0.number == number }) else {
      return complain("commit \(number) is told of, of \(sealed.map(\.number))")
    }
    let commit = sealed[place]
    expect(commit.isTold, "commit \(number) is told of, which was cancelled")
    let earlier = sealed[..<place].filter(\.isTold).map(\.number)
    expect(earlier.isEmpty, "commit \(number) is told of before \(earlier)")
    usedUp += sealed[...place].compactMap(\.id)
    sealed.removeFirst(place + 1)
    if commit.mustFail {
      expect(error != nil, "commit \(number), whose disk fails, is told of as done")
      if let beforeFailure { newest = beforeFailure }
      beforeFailure = nil
    } else {
      expect(error == nil, "commit \(number) is told of with \(error.map { "\($0)" } ?? "")")
    }
    depthOfCompletions += 1
    look("in the completion of \(number)")
    switch draw(6) {
    case 0: plainWrite("the completion of \(number)")
    case 1: cancelSome()
    default: break
    }
    depthOfCompletions -= 1
  }

  // MARK: Plain writes

  func plainWrite(_ place: String) {
    guard draft == nil, !isRivalInside, !realm.isInWriteTransaction else { return }
    let mayAsk = depthOfCompletions == 0
    // A completion must not cancel the write that it has begun.
    let end = mayAsk ? draw(6) : [0, 2, 3][draw(3)]
    note("a plain write in \(place), \(end)")
    let calls = realmCalls
    do {
      try realm.write {
        beginDraft("in a plain write in \(place)")
        change()
        if mayAsk, draw(3) == 0 { ask() }
        if draw(4) == 0 { cancelSome() }
        look("later in that plain write")
        switch end {
        case 0:
          dropDraft()
          throw Unwanted()
        case 1:
          dropDraft()
          realm.cancelWrite()
          look("after a cancel in a plain write")
        case 2:
          keepDraft()
          try realm.commitWrite()
          look("after a commit in a plain write")
        default: keepDraft()
        }
      }
      if end != 1 { wasCommitted(calls) }
    } catch is Unwanted {
      look("after a plain write that threw")
    } catch {
      complain("a plain write in \(place) threw \(error)")
    }
  }

  func handOver() {
    guard draft == nil, !isRivalInside else { return }
    realm.beginWrite()
    beginDraft("after beginWrite")
    change()
    if draw(3) == 0 { ask() }
    commitLater([.grouped, .ungrouped, .untold][draw(3)])
  }

  // MARK: Cancelling

  func cancelSome() {
    // Completions may be called several in a row, which nobody stops in between.
    let all = waiting.map(\.id) + (depthOfCompletions > 0 ? [] : sealed.compactMap(\.id))
    let id: AsyncTransactionId
    switch draw(5) {
    case 0: id = (all + usedUp).max().map { $0 &+ 1_000 } ?? 77
    case 1:
      guard let over = drawOne(of: usedUp) else { return }
      id = over
    case 2:
      guard let running else { return }
      id = running.id
    default:
      guard let some = drawOne(of: all) else { return }
      id = some
    }
    note("cancels \(id)")
    do { try realm.cancelAsyncWrite(id) } catch { complain("cancelAsyncWrite threw \(error)") }
    if let place = waiting.firstIndex(where: { $0.id == id }) {
      note("that is block \(waiting[place].number)")
      if draft != nil, running == nil, waiting.count - place <= jobsInOpenWrite {
        jobsInOpenWrite -= 1
      }
      waiting.remove(at: place)
      usedUp.append(id)
    } else if let place = sealed.firstIndex(where: { $0.id == id }) {
      note("that is commit \(sealed[place].number)")
      sealed[place].isTold = false
    }
    lookWhetherBusy("after a cancelled id", except: jobsInOpenWrite)
  }

  func invalidate() {
    guard draft == nil, !isRivalInside, Engine.offersReins else { return }
    for token in tokens { token.invalidate() }
    (tokens, told) = ([], [:])
    note("invalidate")
    realm.invalidate()
    let late = sealed.filter(\.isTold).map(\.number)
    expect(late.isEmpty, "invalidate() returns before the completions of \(late)")
    usedUp += sealed.compactMap(\.id) + waiting.map(\.id)
    (sealed, waiting, isBehind) = ([], [], false)
    expect(
      !realm.isPerformingAsynchronousWriteOperations, "after invalidate() something is under way")
    look("after invalidate()")
  }
}
