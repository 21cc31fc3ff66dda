import CoreFoundation

// How a run loop tells and is told: in C's words, and with owners that may end elsewhere.

/// A source that calls a function of its owner, which it does not keep alive.
func runLoopSource<Owner: AnyObject & Sendable>(
  for owner: Tie<Owner>, _ arrive: @escaping (Owner) -> Void
) -> CFRunLoopSource {
  let bell = Bell<Void> { owner.thing.map(arrive) }
  var context = CFRunLoopSourceContext()
  context.info = Unmanaged.passRetained(bell).toOpaque()
  context.release = { Unmanaged<Bell<Void>>.fromOpaque($0!).release() }
  context.retain = { UnsafeRawPointer(Unmanaged<Bell<Void>>.fromOpaque($0!).retain().toOpaque()) }
  context.perform = { Unmanaged<Bell<Void>>.fromOpaque($0!).takeUnretainedValue().ring(()) }
  let source = CFRunLoopSourceCreate(nil, 0, &context)!
  Unmanaged.passUnretained(bell).release()  // the source holds its own
  return source
}

/// What a loop does, as far as it matters to the work that turns it.
enum RunLoopActivity {
  case begins, ends
}

/// Calls a function of its owner, which it does not keep alive, whenever the loop is begun to be
/// turned, and when that ends.
func runLoopWatch<Owner: AnyObject & Sendable>(
  for owner: Tie<Owner>, _ note: @escaping (Owner, RunLoopActivity) -> Void
) -> CFRunLoopObserver {
  let bell = Bell<RunLoopActivity> { activity in owner.thing.map { note($0, activity) } }
  var context = CFRunLoopObserverContext()
  context.info = Unmanaged.passRetained(bell).toOpaque()
  context.release = { Unmanaged<Bell<RunLoopActivity>>.fromOpaque($0!).release() }
  context.retain = {
    UnsafeRawPointer(Unmanaged<Bell<RunLoopActivity>>.fromOpaque($0!).retain().toOpaque())
  }
  let watch = CFRunLoopObserverCreate(
    nil, CFRunLoopActivity.entry.rawValue | CFRunLoopActivity.exit.rawValue, true, 0,
    { _, activity, info in
      Unmanaged<Bell<RunLoopActivity>>.fromOpaque(info!).takeUnretainedValue()
        .ring(activity == .entry ? .begins : .ends)
    }, &context)!
  Unmanaged.passUnretained(bell).release()  // the observer holds its own
  return watch
}

/// A function with an address.
private final class Bell<Sign> {
  let ring: (Sign) -> Void
  init(_ ring: @escaping (Sign) -> Void) { self.ring = ring }
}
