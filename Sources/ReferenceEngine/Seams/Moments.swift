/// A named instant in the life of a commit, a refresh or a lock.
///
/// A struct and not an enum, so that each floor names its own in an extension.
package struct Moment: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  package static let gateEntered = Moment("gateEntered")
  /// A thread that nobody waits for has found out what space is free.
  package static let spaceLearned = Moment("spaceLearned")
  package static let placesChosen = Moment("placesChosen")
  package static let dataWritten = Moment("dataWritten")
  package static let dataSynced = Moment("dataSynced")
  package static let slotWritten = Moment("slotWritten")
  package static let slotSynced = Moment("slotSynced")
  package static let published = Moment("published")
  package static let gateLeft = Moment("gateLeft")
  package static let announced = Moment("announced")
  package static let versionPinned = Moment("versionPinned")
  package static let versionReleased = Moment("versionReleased")
  package static let fileGrown = Moment("fileGrown")
  /// The lock file of what is opened or deleted is there, and nobody has been waited for yet.
  package static let lockOpened = Moment("lockOpened")
  /// Whoever makes, opens, replaces or removes a file does so alone from here on.
  package static let openingEntered = Moment("openingEntered")
  /// It is known who has the file open, and what is there has been made fresh if nobody has.
  package static let lookedAround = Moment("lookedAround")
  /// The newest version is published, and a place among the living taken.
  package static let joined = Moment("joined")
  /// Who begins to hear of other processes has been counted, and has not said yet that it listens.
  package static let listenerCounted = Moment("listenerCounted")
  /// Nobody has the file open that is to be deleted.
  package static let foundFree = Moment("foundFree")
  package static let fileRemoved = Moment("fileRemoved")
  package static let copyFlushed = Moment("copyFlushed")
  package static let copyNamed = Moment("copyNamed")
  package static let writeCancelled = Moment("writeCancelled")
  package static let ownerRecovered = Moment("ownerRecovered")
  /// A reader has stored its pin and not yet looked whether the version still is the newest; see
  /// `Seams.readersPause`.
  package static let pinStored = Moment("pinStored")
  /// A home is about to wait for the gate that another thread enters for it.
  package static let gateAwaited = Moment("gateAwaited")
  /// Somebody is about to wait for nodes that another thread writes.
  package static let writingAwaited = Moment("writingAwaited")
  /// Somebody is about to wait for others who make, open, replace or remove the file.
  package static let openingAwaited = Moment("openingAwaited")
  /// A thread is about to wait for another one of this process that opens the same file.
  package static let openerAwaited = Moment("openerAwaited")
  /// A home is about to wait for a flush under way.
  package static let flushAwaited = Moment("flushAwaited")

  /// All that are named above.
  package static let all: [Moment] = [
    gateEntered, spaceLearned, placesChosen, dataWritten, dataSynced, slotWritten, slotSynced,
    published, gateLeft, announced, versionPinned, versionReleased, fileGrown, copyFlushed,
    copyNamed, writeCancelled, ownerRecovered, pinStored, gateAwaited, writingAwaited, flushAwaited,
    lockOpened, openingEntered, lookedAround, joined, foundFree, fileRemoved, openingAwaited,
    openerAwaited, listenerCounted,
  ]
}

/// Is told when a moment is reached: to stop a thread there, to end the process there, or to note
/// that a rule really passed this way. No access to an object ever reaches one.
package protocol Moments: Sendable {
  func reach(_ moment: Moment)

  /// Is told before a thread blocks until something is so. The engine waits by itself afterwards;
  /// whoever decides which thread goes on must not let this one go on before.
  func wait(at moment: Moment, until isSo: @escaping () -> Bool)

  /// The same before a thread waits for a while only: it may go on without that, too, as one that
  /// has waited for long, if something else is so.
  func wait(
    at moment: Moment, until isSo: @escaping () -> Bool, orLate mayGoOn: @escaping () -> Bool)
}

extension Moments {
  package func wait(at moment: Moment, until isSo: @escaping () -> Bool) {}
  package func wait(
    at moment: Moment, until isSo: @escaping () -> Bool, orLate mayGoOn: @escaping () -> Bool
  ) {}
}

/// Lets every moment pass.
package struct PassingMoments: Moments {
  package init() {}
  package func reach(_ moment: Moment) {}
}
