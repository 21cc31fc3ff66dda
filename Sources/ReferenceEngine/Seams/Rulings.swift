/// Every rule of the engine that is a decision: a yes or no, or which version.
///
/// Each has the right answer here; a stand-in that answers one of them wrongly is a broken engine in three
/// lines. A floor adds its own as a requirement here with its answer in the extension below.
package protocol Rulings: Sendable {
  /// May an act that Realm forbids be refused?
  func refuses(_ violation: Violation, at entry: Entry) -> Bool

  /// May the space of a node be written again, which version `born` wrote and version `freed` no longer
  /// reaches, while `blocking` is the newest pinned version in between, if there is one?
  func mayReuse(born: VersionID, freed: VersionID, blocking: VersionID?) -> Bool

  /// Which of the two slots does an opener follow, if both are whole?
  func newer(_ first: VersionID, _ second: VersionID) -> Bool

  /// May a writer begin while so many versions are alive?
  func mayBegin(activeVersions: Int, limit: UInt) -> Bool

  /// Is the promise kept? Asked once for each, when the rulings come into force.
  func keeps(_ promise: Promise) -> Bool
}

extension Rulings {
  package func refuses(_ violation: Violation, at entry: Entry) -> Bool { true }

  package func mayReuse(born: VersionID, freed: VersionID, blocking: VersionID?) -> Bool {
    blocking == nil
  }

  package func newer(_ first: VersionID, _ second: VersionID) -> Bool { first > second }

  package func mayBegin(activeVersions: Int, limit: UInt) -> Bool { activeVersions <= limit }

  package func keeps(_ promise: Promise) -> Bool { true }
}

/// The right answers.
package struct HonestRulings: Rulings {
  package init() {}
}
