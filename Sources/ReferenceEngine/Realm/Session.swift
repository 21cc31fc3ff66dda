import CShims
import Foundation

/// The state behind a `Realm`: who may use it, the version it shows, the write it is in.
///
/// Everything but `configuration` and `isFrozen` is touched only where the session is at home.
@usableFromInline
final class Session {
  let configuration: Realm.Configuration
  /// Where the session lives.
  let scheduler: any Scheduler
  let isFrozen: Bool
  /// Shared with all objects of the session; freed with it.
  @usableFromInline let hot: UnsafeMutablePointer<HotWord>

  /// Whether new versions arrive by themselves.
  var autorefresh = true
  /// The lives of the session: `invalidate` begins a new one, and objects of older ones are invalid.
  var epoch: UInt32 = 1
  /// The running write's number, 0 outside writes.
  var writeNumber: UInt32 = 0

  var classes: [ObjectIdentifier: BoundClass] = [:]
  var classesByName: [String: BoundClass] = [:]

  init(configuration: Realm.Configuration, scheduler: any Scheduler, isFrozen: Bool) {
    self.configuration = configuration
    self.scheduler = scheduler
    self.isFrozen = isFrozen
    hot = .allocate(capacity: 1)
    hot.initialize(
      to: HotWord(
        token: scheduler.threadToken, mask: isFrozen ? 0 : .max, base: UnsafeRawPointer(hot),
        generation: 1))
  }

  deinit { hot.deallocate() }

  /// Stops whoever uses the session away from its home.
  @inline(__always)
  func verify(at entry: Entry) {
    if _slowPath((UInt(rb_token_get()) ^ hot.pointee.token) & hot.pointee.mask != 0) {
      verifySlowly(at: entry)
    }
  }

  @inline(never)
  private func verifySlowly(at entry: Entry) {
    if !scheduler.isHere { refuse(.wrongThread, at: entry) }
  }
}

/// A class as one session knows it: its layout in Swift, and its table in the file once there is one.
@usableFromInline
final class BoundClass {
  let layout: ClassLayout
  unowned let session: Session
  /// The table's number in the file, nil before the first write that needs it.
  var table: Int?
  /// The class's property that each column of the table holds.
  var fieldOfColumn: [Int] = []

  init(_ layout: ClassLayout, session: Session) {
    self.layout = layout
    self.session = session
  }
}

extension BoundClass {
  /// The property that a column of the table holds.
  func property(ofColumn column: UInt32) -> Property {
    layout.fields[fieldOfColumn[Int(column)]].property
  }
}
