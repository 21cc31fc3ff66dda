import Foundation

/// What a listener of sections is told. Paths are of two: the section's position and the member's
/// within it.
///
/// A section that goes takes its members with it: they are not among the deletions.
@frozen public enum SectionedResultsChange<Collection> {
  /// The first call: the sections can be used.
  case initial(Collection)
  /// Sections or members have come, gone or changed; insertions and sections to insert are places
  /// after the change, all else before it.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}
