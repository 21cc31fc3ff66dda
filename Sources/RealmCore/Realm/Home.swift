import CRealmCore
import CShims
import CoreFoundation
import Dispatch
import Foundation
import Synchronization

/// Where a realm lives: realm-core asks its host for that, and on Apple's systems RealmSwift
/// supplies it.
///
/// realm-core keeps the work itself; a home only says whether code runs there and comes to do the
/// work when it is called. It lives as long as the process, because a call may be on its way
/// whenever it would end: one for each thread, queue or actor.
final class Home: @unchecked Sendable {
  // Sendable because all is constant after init, but for the weak actor, which the runtime guards.
  enum Place {
    case main
    case thread
    case queue(DispatchQueue)
    case actor
  }

  let place: Place
  private(set) weak var actor: (any Actor)?
  private(set) var scheduler: Handle!
  private let executor: (UInt, UInt)?
  private let loop: CFRunLoop?
  private var source: CFRunLoopSource?
  private let pending = Mutex<UInt>(0)

  private init(_ place: Place, actor: (any Actor)? = nil) {
    self.place = place
    self.actor = actor
    executor = actor.map { unsafeBitCast($0.unownedExecutor, to: (UInt, UInt).self) }
    switch place {
    case .main: loop = CFRunLoopGetMain()
    case .thread: loop = CFRunLoopGetCurrent()
    case .queue, .actor: loop = nil
    }
    if let loop {
      var context = CFRunLoopSourceContext()
      context.info = Unmanaged.passRetained(self).toOpaque()
      context.perform = { Unmanaged<Home>.fromOpaque($0!).takeUnretainedValue().work() }
      let source = CFRunLoopSourceCreate(nil, 0, &context)!
      CFRunLoopAddSource(loop, source, kCFRunLoopCommonModes)
      self.source = source
    }
    scheduler = check(
      core.realm_scheduler_new(
        Unmanaged.passRetained(self).toOpaque(),
        { _ in },
        { home, queue in Unmanaged<Home>.fromOpaque(home!).takeUnretainedValue().call(queue) },
        { home in Unmanaged<Home>.fromOpaque(home!).takeUnretainedValue().isHere },
        { one, other in one == other },
        { home in Unmanaged<Home>.fromOpaque(home!).takeUnretainedValue().canDeliver }))
  }

  // MARK: Finding them

  static let main = Home(.main)

  /// The home of the calling thread, where no queue or actor is named.
  static func here() -> Home { isMain ? main : current() }

  /// Whether code runs on the main thread, or in a block of the main queue, which may leave the
  /// main thread: it does under `dispatchMain`.
  private static var isMain: Bool { rb_thread_is_main() || rb_queue_current() == rb_queue_main() }

  private static let slot: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { known in
      guard let known else { return }
      // The thread ends: its loop will not turn again.
      if let source = Unmanaged<Home>.fromOpaque(known).takeUnretainedValue().source {
        CFRunLoopSourceInvalidate(source)
      }
    }
    return key
  }()

  private static func current() -> Home {
    if let known = pthread_getspecific(slot) {
      return Unmanaged<Home>.fromOpaque(known).takeUnretainedValue()
    }
    let made = Home(.thread)
    pthread_setspecific(slot, Unmanaged.passRetained(made).toOpaque())
    return made
  }

  private static let key = DispatchSpecificKey<Home>()
  private static let lock = NSLock()  // one home for each queue

  static func of(_ queue: DispatchQueue) -> Home {
    if queue.label == "com.apple.main-thread" { return main }
    return lock.withLock {
      if let known = queue.getSpecific(key: key) { return known }
      let made = Home(.queue(queue))
      queue.setSpecific(key: key, value: made)
      return made
    }
  }

  private static let actors = Mutex<[WeakActor]>([])

  private struct WeakActor: @unchecked Sendable {
    // Sendable because the runtime guards weak references.
    weak var actor: (any Actor)?
    let home: Home
  }

  static func of(_ actor: any Actor) -> Home {
    if actor === MainActor.shared { return main }
    return actors.withLock { actors in
      actors.removeAll { $0.actor == nil }
      if let known = actors.first(where: { $0.actor === actor }) { return known.home }
      let made = Home(.actor, actor: actor)
      actors.append(WeakActor(actor: actor, home: made))
      return made
    }
  }

  // MARK: What realm-core asks

  var isHere: Bool {
    switch place {
    case .main: return Home.isMain
    case .thread:
      return pthread_getspecific(Home.slot) == Unmanaged.passUnretained(self).toOpaque()
    case .queue: return DispatchQueue.getSpecific(key: Home.key) === self
    case .actor:
      guard let executor, let actor else { return false }
      return withExtendedLifetime(actor) {
        rb_executor_is_current(UnsafeRawPointer(bitPattern: executor.0), executor.1)
      }
    }
  }

  /// A thread delivers as long as it runs its loop.
  var canDeliver: Bool {
    switch place {
    case .main, .queue, .actor: return true
    case .thread: return loop.map { CFRunLoopCopyCurrentMode($0) != nil } ?? false
    }
  }

  /// Whether asynchronous functions of Swift can wait here.
  var isActorIsolated: Bool {
    switch place {
    case .main, .actor: true
    case .thread, .queue: false
    }
  }

  private func call(_ queue: UnsafeMutableRawPointer) {
    let address = UInt(bitPattern: queue)
    pending.withLock { $0 = address }
    switch place {
    case .queue(let queue): queue.async { self.work() }
    case .actor:
      guard let actor else { return }
      Task { await self.work(on: actor) }
    case .main, .thread:
      CFRunLoopSourceSignal(source)
      CFRunLoopWakeUp(loop)
      if case .main = place { DispatchQueue.main.async { self.work() } }
    }
  }

  private func work(on actor: isolated any Actor) { work() }

  /// Does what realm-core has to do here: all of it at once, so that a call too many finds nothing.
  private func work() {
    let queue = pending.withLock { $0 }
    guard queue != 0 else { return }
    core.realm_scheduler_perform_work(UnsafeMutableRawPointer(bitPattern: queue)!)
  }
}

extension DispatchQueue {
  /// Whether blocks of the queue run one after the other.
  ///
  /// No interface tells. The first word of a queue names its class, which serial queues share.
  var isSerial: Bool {
    let word = classWord
    return word == DispatchQueue.serialClass || word == DispatchQueue.mainClass
  }

  /// Why a queue that is not serial cannot be a home.
  var refusal: String {
    "Invalid queue '\(label)' (OS_dispatch_queue_concurrent): "
      + "Realms can only be confined to serial queues or the main queue."
  }

  private var classWord: UInt {
    // The wrapper has one field behind its header: libdispatch's own object.
    let queue = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()).load(
      fromByteOffset: 16, as: UnsafeRawPointer.self)
    return queue.load(as: UInt.self)
  }

  private static let serialClass = DispatchQueue(label: "realm.serial").classWord
  private static let mainClass = DispatchQueue.main.classWord
}
