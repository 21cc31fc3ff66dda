@testable import ReferenceEngine

/// One class of a leaving walk, and what should be in it.
protocol LeaverLane: AnyObject {
  var title: String { get }
  var count: Int { get }
  var serials: [Int] { get }
  /// Changes something in a write, or asks.
  func step(_ realm: Realm, _ walk: LeaverWalk)
  /// Asks in or outside a write.
  func peek(_ realm: Realm, _ walk: LeaverWalk)
  func compare(_ realm: Realm, _ walk: LeaverWalk, _ where: String)
  func object(_ serial: Int, _ realm: Realm) -> Object?
  func begin()
  func cancel()
  func allGone(_ walk: LeaverWalk)
  func hold(_ realm: Realm, _ walk: LeaverWalk)
  func lookAtHeld(_ walk: LeaverWalk, _ where: String)
  func letGo()
  func listen(_ realm: Realm, _ walk: LeaverWalk)
  /// Another one that has the same rows, for another realm.
  func twin() -> any LeaverLane
  func follow(_ other: any LeaverLane)
}
