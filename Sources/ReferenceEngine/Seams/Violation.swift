/// Something that Realm forbids, in Realm's own words.
///
/// A struct and not an enum, so that each floor adds its own in an extension beside the code that
/// refuses.
package struct Violation: Hashable, Sendable {
  /// Realm's sentence; users search for it, so not one letter is ours.
  package let sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}

/// The act during which a violation was noticed.
package struct Entry: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }
}

/// Stops the program, as Realm does. The guard before it is a bare comparison.
///
/// It never returns; not `Never`, because whoever replaces this function leaves out guards by
/// returning.
@inline(never)
package func refuse(_ violation: Violation, at entry: Entry) {
  fatalError(violation.sentence)
}

/// Stops the program where nothing that follows would have a meaning.
@inline(never)
package func refuse(_ violation: Violation) -> Never {
  fatalError(violation.sentence)
}

/// What must hold if the engine itself is right; stays on in release builds, because the engine
/// would rather stop than write a file that is wrong.
@inline(__always)
package func invariant(_ condition: Bool, _ message: @autoclosure () -> String) {
  if _slowPath(!condition) { broken(message()) }
}

@inline(never)
func broken(_ message: String) -> Never {
  fatalError("the engine is wrong: " + message)
}
