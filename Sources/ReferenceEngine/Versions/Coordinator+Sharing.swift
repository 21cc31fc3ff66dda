import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How the synchronous commits of several threads share a flush.
///
/// Who is inside the gate touches what is the writer's as ever. One thing comes from outside: who
/// waits for a flush, and sees that the one inside takes long over its write, brings to the disk
/// what is sealed by then. So while commits are shared, who is inside seals, and ends, under the
/// lock "shared flush" (`alone`), and a write remembers what it was begun on (`flush`).
extension Coordinator {
  private var limits: SharingLimits { seams.sharing }

  /// Whether there is a flush to be shared, and nothing to be looked at between one write and the
  /// next.
  private var sharesFlushes: Bool {
    configuration.commitProtocol != .none && !disk.isMemory
  }

  // MARK: beginning

  /// Waits until nobody else writes, and begins a write on the newest version, or on what others of
  /// this process have sealed and is on its way to the disk: nobody but who writes may see of it
  /// before it has got there (`WriteTransaction.settleBase`).
  func beginSharedWrite() throws -> WriteTransaction {
    guard sharesFlushes else { return try beginWrite() }
    try requireWritable()
    let write =
      if let otherDied = gate.enterBehind() {
        try begin(GateHold(inside: gate, otherDied: otherDied))
      } else {
        try beginBehind()
      }
    write.mayShare = true
    return write
  }

  /// Begins a write inside a gate that was passed on; if it throws, it has left.
  private func beginBehind() throws -> WriteTransaction {
    moments.reach(.gateEntered)
    let (flush, sealed) = alone { () -> (SharedFlush?, Root?) in
      guard let flush = writer.shared else { return (nil, nil) }
      if mayBuild(on: flush) { return (flush, sealedLast) }
      bring(flush)
      return (nil, nil)
    }
    do {
      guard let flush, let sealed else {
        return WriteTransaction(coordinator: self, base: try baseOfNextWrite())
      }
      try lookAtItsName()
      return WriteTransaction(coordinator: self, base: sealed, on: flush)
    } catch {
      leaveBehind(flush)
      throw error
    }
  }

  /// What the next write goes out from.
  private var sealedLast: Root? { writer.group.last?.root }

  /// A realm finds out which rows have gone from what is published, and does so once. So nobody
  /// begins on top of commits that have deleted rows and are not published yet.
  private func mayBuild(on flush: SharedFlush) -> Bool {
    !flush.mayLackRows
  }

  // MARK: committing

  /// Seals a write that was begun on what is on its way to the disk.
  ///
  /// - Returns: what was sealed, and whether it shares that flush; else the flush has ended before.
  func sealBehind(
    _ flush: SharedFlush, _ write: WriteTransaction, _ requested: CommitProtocol?, isApart: Bool,
    pinning pin: Pin? = nil
  ) throws -> (sealed: SealedCommit, isShared: Bool) {
    do {
      return try alone {
        if isApart, !flush.hasEnded { bring(flush) }
        if flush.hasEnded, let failure = flush.failure { throw failure }
        let sealed = try sealInside(write, requested)
        if !flush.hasEnded { flush.add(sealed, pinning: pin) }
        return (sealed, !flush.hasEnded)
      }
    } catch {
      leaveBehind(flush)
      throw error
    }
  }

  /// Whether a commit that was sealed inside the gate is to be shared.
  func isShared(_ write: WriteTransaction) -> Bool {
    write.mayShare && writer.group.count == 1 && writer.waiting == nil
      && (writer.company > 0 || gate.hasOneBehind)
  }

  /// The commit that is sealed is the first of several.
  func share(_ sealed: SealedCommit, pinning pin: Pin? = nil) -> SharedFlush {
    let flush = SharedFlush()
    flush.add(sealed, pinning: pin)
    writer.shared = flush
    return flush
  }

  /// Returns when all that was sealed is durable and published, and the gate is left: lets in who
  /// is next and waits for it, or brings all to the disk.
  func commit(through flush: SharedFlush) throws {
    if mayGrow(flush), hasCompany(for: flush), pass(on: flush) {
      wait(for: flush)
    } else {
      // Counted before: who waits outside may bring it to the disk.
      writer.company = flush.members - 1
      leaveBehind(flush)
    }
    if let failure = flush.failure { throw failure }
    // Each of them, because others hear of a commit before it returns.
    tell()
  }

  /// Lets in who is next. Who that is may end the flush at once, without a commit of its own, and
  /// has to know that somebody sleeps until then.
  private func pass(on flush: SharedFlush) -> Bool {
    flush.expectToWait()
    return gate.pass()
  }

  private func mayGrow(_ flush: SharedFlush) -> Bool {
    flush.members < limits.commits && flush.bytes < limits.bytes
      && rb_uptime() &- flush.began < limits.gathering
  }

  /// Whether somebody is next. Those who shared the last flush are just coming back from it, most
  /// of the time with another write, and take less time for that than another flush would: they are
  /// waited for. If they do not come they are not waited for the next time.
  private func hasCompany(for flush: SharedFlush) -> Bool {
    if gate.hasOneBehind { return true }
    guard flush.members <= writer.company else { return false }
    let limit = rb_uptime() + limits.company
    repeat {
      sched_yield()
      if gate.hasOneBehind { return true }
    } while rb_uptime() < limit
    return false
  }

  /// Waits outside the gate.
  private func wait(for flush: SharedFlush) {
    while !flush.hasEnded {
      moments.wait(at: .flushAwaited) {
        flush.hasEnded
      } orLate: { [self] in
        !writer.isBringing
      }
      flush.wait(milliseconds: limits.patience)
      if flush.hasEnded { return }
      // Who is inside takes long over its write, and may be waiting for this very thread.
      _ = writer.sharing.withLockIfAvailable { _ in
        _ = noting { if !flush.hasEnded { bring(flush) } }
      }
    }
  }

  // MARK: ending

  /// Ends a turn inside the gate: nobody is left who would bring it to the disk.
  func leaveBehind(_ flush: SharedFlush?) {
    if let flush { settle(flush) }
    leaveGate()
    moments.reach(.gateLeft)
  }

  /// Returns when what was sealed is durable and published, or lost. Who has sealed it tells of it.
  func settle(_ flush: SharedFlush) {
    alone { if !flush.hasEnded { bring(flush) } }
  }

  /// Brings to the disk what is sealed. Under the lock, by whoever it is.
  private func bring(_ flush: SharedFlush) {
    invariant(writer.shared === flush, "a flush is made that is none of the writer's")
    let group = writer.group
    do {
      _ = try Commit(file: self, requested: nil).becomeDurable()
      writer.shared = nil
      flush.end(nil)
    } catch {
      writer.shared = nil
      flush.end(error, losing: group.flatMap { $0.changes.filter { $0.kind == .inserted } })
    }
  }

  /// Lock "shared flush" of docs/CONCURRENCY.md.
  private func alone<Success, Failure: Error>(
    _ body: () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    var outcome: Result<Success, Failure>?
    let isFirst: Void? = writer.sharing.withLockIfAvailable { _ in outcome = noting(body) }
    if isFirst == nil {
      moments.wait(at: .flushAwaited) { [self] in !writer.isBringing }
      writer.sharing.withLock { _ in outcome = noting(body) }
    }
    guard let outcome else { broken("what was to be done alone was not done") }
    return try outcome.get()
  }

  private func noting<Success, Failure: Error>(
    _ body: () throws(Failure) -> Success
  ) -> Result<Success, Failure> {
    writer.isBringing = true
    defer { writer.isBringing = false }
    do { return .success(try body()) } catch { return .failure(error) }
  }
}
