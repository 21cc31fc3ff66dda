/// What one listener of a collection will be told, and the members it will know.
final class ForeseenMembers: @unchecked Sendable {
  // Sendable because the worker writes it before the forecast is handed home, where it is read.
  private(set) var isKnown = false
  private(set) var difference: Difference?
  private(set) var members = Answer.keys([])

  func tell(_ difference: Difference?, _ members: Answer) {
    (self.difference, self.members, isKnown) = (difference, members, true)
  }
}
