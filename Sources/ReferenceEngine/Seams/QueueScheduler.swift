import CShims
import Dispatch
import Synchronization

/// The home of a realm that was opened for a serial queue, whichever thread runs the queue's
/// blocks.
package final class QueueScheduler: Scheduler, @unchecked Sendable {
  // Both properties are constants, and queues are safe to use from any thread.
  private let queue: DispatchQueue
  private let address: UInt

  /// Nil for a concurrent queue: its blocks may run side by side, so nothing can be confined to it.
  package init?(_ queue: DispatchQueue) {
    guard queue.isSerial else { return nil }
    self.queue = queue
    address = queue.address
    rb_queue_mark(UnsafeRawPointer(bitPattern: address))
  }

  package var threadToken: UInt { .max }

  package var isHere: Bool {
    let pointer = UnsafeRawPointer(bitPattern: address)
    return rb_queue_current() == pointer || rb_queue_covers_here(pointer)
  }

  package var canDeliver: Bool { true }
  package var isAlive: Bool { true }
  package var home: Home { .queue(address) }
  package var sign: HomeSign { .queue(address) }
  package var isActorIsolated: Bool { false }

  package func run(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  package func visit(_ work: () -> Void) -> Bool {
    guard Visitors.enter() else { return false }
    queue.sync(execute: work)
    Visitors.leave()
    return true
  }
}

/// The threads that wait for queues, or run their blocks: few, because each may wait for long, and
/// the threads that all queues of the process share are not many.
private enum Visitors {
  private static let most = 4
  private static let count = Atomic(0)

  static func enter() -> Bool {
    if count.wrappingAdd(1, ordering: .relaxed).newValue <= most { return true }
    leave()
    return false
  }

  static func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}

extension DispatchQueue {
  /// The address of libdispatch's own queue object, which Swift's class wraps.
  ///
  /// The wrapper has one field behind its header; that the main queue's field holds the main queue
  /// is checked once, so that another layout stops the process rather than confining nothing.
  var address: UInt {
    invariant(
      DispatchQueue.layoutIsKnown, "DispatchQueue no longer holds its queue at byte 16")
    return wrappedAddress
  }

  private var wrappedAddress: UInt {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()).load(
      fromByteOffset: 16, as: UInt.self)
  }

  private static let layoutIsKnown =
    DispatchQueue.main.wrappedAddress == UInt(bitPattern: rb_queue_main())

  /// Whether it is the main queue; every `DispatchQueue.main` is another wrapper of it.
  var isMain: Bool { address == UInt(bitPattern: rb_queue_main()) }

  /// Whether blocks of the queue run one after the other.
  ///
  /// No interface says so. The first word of a queue names its class, which serial queues share.
  var isSerial: Bool {
    let kind = classWord
    return kind == DispatchQueue.serialClass || kind == DispatchQueue.mainClass
  }

  private var classWord: UInt {
    UnsafeRawPointer(bitPattern: address)!.load(as: UInt.self)
  }

  private static let serialClass = DispatchQueue(label: "realm.serial").classWord
  private static let mainClass = DispatchQueue.main.classWord
}
