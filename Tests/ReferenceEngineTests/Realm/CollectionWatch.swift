@testable import ReferenceEngine

/// A listener that says what its collection has from what it was told alone.
final class CollectionWatch {
  let desk: Int
  let label: String
  var token: NotificationToken?
  var mirror: [String]?
  var hasEnded = false
  /// What it has now; nil if it is invalid.
  let now: () -> [String]?
  var wrong: String?
  var told = 0

  init(_ desk: Int, _ label: String, _ now: @escaping () -> [String]?) {
    (self.desk, self.label, self.now) = (desk, label, now)
  }

  func begin() {
    told += 1
    mirror = now()
  }

  func update(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
    told += 1
    guard let new = now() else {
      hasEnded = true
      mirror = nil
      return
    }
    guard let mirror else {
      wrong = "an update before the first call"
      return
    }
    let told = ToldPlaces(
      deletions: deletions, insertions: insertions, modifications: modifications)
    if let fault = told.faults(from: mirror, to: new, isSame: ==).first {
      wrong = "-\(deletions) +\(insertions) ~\(modifications) of \(mirror) to \(new): \(fault)"
    }
    self.mirror = new
  }

  func check() {
    if wrong != nil || hasEnded { return }
    guard let mirror, let new = now() else { return }
    if mirror != new { wrong = "knows \(mirror), and there is \(new)" }
  }
}
