/// Where the world enters the engine: every decision and collaborator that a test may exchange.
///
/// Honest by default. Set once, before any realm opens, by the program's door or a test that runs alone.
package struct Seams: Sendable {
  package var rulings: any Rulings
  package var moments: any Moments
  package var schedulers: any Schedulers

  package init(
    rulings: any Rulings = HonestRulings(), moments: any Moments = PassingMoments(),
    schedulers: any Schedulers = HonestSchedulers()
  ) {
    self.rulings = rulings
    self.moments = moments
    self.schedulers = schedulers
  }

  package static let honest = Seams()

  // Unsafe without a lock because it is written only before any realm opens; a lock would be taken on the way
  // of every commit for the sake of tests.
  package nonisolated(unsafe) static var current = Seams.honest
}
