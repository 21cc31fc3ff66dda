import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The living and the dead. The system alone knows which is which; what stands in the table is only
/// where to look.
extension LockFile {
  /// Each life has a byte from here on.
  private static let lifeStart: UInt64 = 1 << 41

  /// How many places were ever taken, as far as the table can be believed.
  var processCount: Int {
    min(Int(rb_load32(half(LockFile.processCountOffset))), LockFile.processes)
  }

  /// How many pins were ever claimed, as far as the table can be believed.
  var pinCount: Int { min(Int(rb_load32(half(LockFile.pinCountOffset))), LockFile.pins) }

  static func isPlace(_ place: Int) -> Bool { place >= 0 && place < processes }

  /// When the process at a place began to wait for the gate, 0 if it does not.
  func waitingSince(_ place: Int) -> UnsafeMutablePointer<UInt64> {
    (UnsafeMutableRawPointer(process(place)) + 16).assumingMemoryBound(to: UInt64.self)
  }

  private func lifeByte(_ name: GateName) -> UInt64 {
    LockFile.lifeStart + UInt64(name.place) * UInt64(GateName.lives) + UInt64(name.life)
  }

  /// Whether somebody of that name lives who is not we.
  ///
  /// Once it does not it never will again, however the place goes on.
  func lives(_ name: GateName) -> Bool {
    LockFile.isPlace(name.place) && rb_byte_held(descriptor, lifeByte(name), 1) != 0
  }

  /// Whether the process at a place has ended without saying so.
  func isDead(_ place: Int) -> Bool {
    place != self.place && rb_byte_held(descriptor, LockFile.livenessStart + UInt64(place), 1) == 0
  }

  // MARK: joining

  /// Takes a process's place if nobody alive has it, and clears what a dead one left there.
  func take(place: Int) -> Bool {
    guard rb_byte_try(descriptor, LockFile.livenessStart + UInt64(place)) == 0 else { return false }
    clear(place)
    while true {
      let count = rb_load32(half(LockFile.processCountOffset))
      if count > place { break }
      if rb_swap32(half(LockFile.processCountOffset), count, UInt32(place) + 1) != 0 { break }
    }
    let entry = process(place)
    rb_store32(entry + 1, UInt32(getpid()))
    rb_store32(entry, 1)
    return true
  }

  /// Begins a life that nobody has had at the place, which must be taken.
  func beginLife(at place: Int) throws -> UInt32 {
    let counter = process(place) + 3
    let atGate = GateName(rb_load32(half(LockFile.gateOffset)))
    var life = (rb_load32(counter) &+ 1) % GateName.lives
    // Only where a stranger has written into the table can it come to that.
    if atGate.place == place, atGate.life == life { life = (life + 1) % GateName.lives }
    let code = rb_byte_try(descriptor, lifeByte(GateName(place: place, life: life)))
    guard code == 0 else { throw StorageError.system("lock", path, code: code) }
    rb_store32(counter, life)
    return life
  }

  // MARK: clearing

  /// Clears what processes that have died left, and returns how many that were.
  ///
  /// Takes the dead one's byte meanwhile, so that no newcomer can take the place while we clear it.
  @discardableResult
  func clearTheDead() -> Int { clearing.withLock { _ in clearEach() } }

  private func clearEach() -> Int {
    var count = 0
    for place in 0..<processCount where place != self.place && rb_load32(process(place)) != 0 {
      guard rb_byte_try(descriptor, LockFile.livenessStart + UInt64(place)) == 0 else { continue }
      clear(place)
      rb_store32(process(place), 0)
      _ = rb_byte_unlock(descriptor, LockFile.livenessStart + UInt64(place))
      count += 1
    }
    return count
  }

  /// Clears what the last one left at a place, by whoever holds its byte. Its name at the gate
  /// stays: it keeps nobody out.
  private func clear(_ place: Int) {
    rb_store_seq_cst(waitingSince(place), 0)
    clearPins(of: place)
    stopListening(of: place)
  }

  private func stopListening(of place: Int) {
    if rb_exchange32(process(place) + 2, 0) != 0 {
      _ = rb_add32(half(LockFile.beaconOffset + 4), UInt32.max)
    }
  }

  private func clearPins(of place: Int) {
    for index in 0..<pinCount {
      let pin = pin(index)
      let owner = pin.assumingMemoryBound(to: UInt32.self)
      guard rb_load32(owner) == UInt32(place) + 1 else { continue }
      rb_store_seq_cst((pin + 8).assumingMemoryBound(to: UInt64.self), 0)
      rb_store32(owner, 0)
    }
    // Last: who sees it finds all places that have no owner any more.
    _ = rb_add32(half(LockFile.clearingsOffset), 1)
  }
}
