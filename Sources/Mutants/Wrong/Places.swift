#if Mutants
import CShims
@_private(sourceFile: "QueueScheduler.swift") import ReferenceEngine
@_private(sourceFile: "ActorScheduler.swift") import ReferenceEngine
@_private(sourceFile: "Beacon.swift") import ReferenceEngine

@_silgen_name("dispatch_queue_get_label")
private func label(_ queue: UnsafeRawPointer?) -> UnsafePointer<CChar>?

extension QueueScheduler {
  @_dynamicReplacement(for:isHere)
  var wrongIsHere: Bool {
    let here = rb_queue_current()
    if breaks(.queuesAreThemselves) {
      return here != nil && label(here).map { String(cString: $0) } == queue.label
    }
    if breaks(.mainThreadVisitsQueues), rb_thread_is_main() { return false }
    if breaks(.targetedQueuesAreHome) { return here == UnsafeRawPointer(bitPattern: address) }
    return isHere
  }

  @_dynamicReplacement(for:home)
  var wrongHome: Home {
    breaks(.queuesAreThemselves) ? .queue(UInt(bitPattern: queue.label.hashValue)) : home
  }
}

extension ActorScheduler {
  @_dynamicReplacement(for:isHere)
  var wrongIsHere: Bool {
    if breaks(.ownExecutorsAreChecked), !executor.isDefault { return true }
    return isHere
  }
}

extension FutexBeacon {
  @_dynamicReplacement(for:ring())
  func wrongRing() {
    if breaks(.loneListenersAreWoken) {
      _ = rb_add32(word, 1)
      if rb_load32(listeners) > 1 { rb_futex_wake(word, Int32.max) }
      return
    }
    guard breaks(.everyProcessHears) else { return ring() }
    _ = rb_add32(word, 1)
    if rb_load32(listeners) > rb_load32(listening) { rb_futex_wake(word, 1) }
  }
}
#endif
