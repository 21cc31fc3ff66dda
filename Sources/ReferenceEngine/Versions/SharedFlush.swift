import CShims

/// Synchronous commits of several threads of a process that go to the disk together.
///
/// A thread that has sealed its commit while another one waits for the gate passes the gate on: the
/// other writes on top of what was sealed, and so on; the last of them brings all to the disk, or
/// who waits for it if that takes long. Until then nobody sees any of it but who writes on top, in
/// its write. docs/CONCURRENCY.md tells what this stands on.
///
/// Made when the first one passes the gate on, so that a writer alone pays nothing.
final class SharedFlush: @unchecked Sendable {
  // Sendable because `members` and `bytes` belong to who is inside the gate, and the rest is
  // written before the word says that it has ended, and read after that.

  /// When the first commit was sealed, as `rb_uptime` counts.
  let began = rb_uptime()
  /// How many commits there are.
  private(set) var members = 0
  /// How many bytes they have written.
  private(set) var bytes = 0
  /// Whether a row of the version before is missing, as far as is known.
  private(set) var mayLackRows = false
  /// For each commit the pin of the realm that made it, and the version of that commit. All are
  /// published together as the last one; each realm goes on reading its own.
  private var pins: [(pin: Pin, root: Root)] = []
  /// Whether somebody waits for its end, or is about to. Set once, before anybody else comes.
  private(set) var isAwaited = false
  /// Why none of the commits came to anything.
  private(set) var failure: (any Error)?
  /// The rows that the lost commits had added.
  private(set) var lostRows: [RowChange] = []

  /// Whether it has ended.
  private let ended: UnsafeMutablePointer<UInt32>

  init() {
    ended = .allocate(capacity: 1)
    ended.initialize(to: 0)
  }

  deinit { ended.deallocate() }

  var hasEnded: Bool { rb_load32(ended) != 0 }

  /// Whether what was sealed is lost.
  var isLost: Bool { hasEnded && failure != nil }

  func add(_ commit: SealedCommit, pinning pin: Pin? = nil) {
    invariant(!hasEnded, "version \(commit.root.version) comes too late for a flush")
    members += 1
    bytes += commit.runs.reduce(0) { $0 + $1.bytes }
    if !commit.keepsRows { mayLackRows = true }
    if let pin { pins.append((pin, commit.root)) }
  }

  /// Pins each commit's version for the realm that made it. Called when all are published: their
  /// threads still wait in their commits, so they do not use their pins, and no later write can
  /// have reused space that these versions need.
  func adopt() {
    for (pin, root) in pins { pin.adopt(root) }
    pins = []
  }

  /// Somebody will wait for the end.
  func expectToWait() { if !isAwaited { isAwaited = true } }

  /// All is durable and published, or lost. Wakes whoever waits for that.
  func end(_ failure: (any Error)?, losing rows: [RowChange] = []) {
    invariant(!hasEnded, "\(members) commits are brought to the disk twice")
    (self.failure, lostRows) = (failure, rows)
    rb_store32(ended, 1)
    if isAwaited { rb_futex_wake(ended, Int32.max) }
  }

  /// Waits for the end, but not for ever.
  func wait(milliseconds: Int64) { _ = rb_futex_wait(ended, 0, milliseconds) }
}
