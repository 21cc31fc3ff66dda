import CoreFoundation

/// Work on its way to a run loop, where it arrives through a source: at the beginning of a turn, in
/// order. A loop that nobody runs delivers nothing.
///
/// The loop knows it for as long as it lives, and keeps nothing of it alive.
final class RunLoopInbox: @unchecked Sendable {
  // Sendable because its fields are constant once it is made; the loop, its source and its watch
  // are only used through the calls that CoreFoundation allows from any thread.
  private let loop: CFRunLoop
  private let inbox = SchedulerInbox()
  private let tie = Tie<RunLoopInbox>()
  private var source: CFRunLoopSource!
  private var watch: CFRunLoopObserver!

  init(of loop: CFRunLoop) {
    self.loop = loop
    source = runLoopSource(for: tie) { inbox in inbox.arrive() }
    watch = runLoopWatch(for: tie) { inbox, activity in inbox.note(activity) }
    tie.bind(self)
    CFRunLoopAddSource(loop, source, kCFRunLoopCommonModes)
    CFRunLoopAddObserver(loop, watch, kCFRunLoopCommonModes)
  }

  deinit { tie.cut() }

  /// Adds work; true if the loop has been told, and whoever else may run it has to be.
  @discardableResult
  func add(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard inbox.add(work) else { return false }
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(loop)
    return true
  }

  /// Runs what waits, in order.
  func arrive() { inbox.drain() }

  /// The loop's thread is gone: lets go of what waits, and takes in nothing more.
  func close() {
    CFRunLoopSourceInvalidate(source)
    CFRunLoopObserverInvalidate(watch)
    inbox.close()
  }

  /// Whether somebody runs the loop just now.
  var isRunning: Bool { CFRunLoopCopyCurrentMode(loop) != nil }

  private func note(_ activity: RunLoopActivity) {
    switch activity {
    // It comes to its sources before it sleeps, and need not be woken.
    case .begins: if inbox.loopBegins() { CFRunLoopSourceSignal(source) }
    case .ends: inbox.loopEnds()
    }
  }
}
