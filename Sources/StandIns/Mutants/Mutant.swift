import ReferenceEngine

/// A broken engine: the engine itself, with one decision or one collaborator exchanged for a wrong one.
///
/// Each names the rules that must catch it. A rule no mutant falls to has never been seen to fail; a mutant that no
/// rule catches shows what the suite is blind to.
public struct Mutant: Sendable {
  public let name: String
  /// What is broken in it.
  public let story: String
  /// The rules that must catch it.
  public let caughtBy: [String]
  /// Swift that hides or extends the engine's own declarations: what rules about compiling are put to instead.
  public let declarations: String
  private let breaks: @Sendable (inout Seams) -> Void

  init(
    _ name: String, _ story: String, caughtBy: [String], declarations: String = "",
    breaks: @escaping @Sendable (inout Seams) -> Void
  ) {
    self.name = name
    self.story = story
    self.caughtBy = caughtBy
    self.declarations = declarations
    self.breaks = breaks
  }

  /// A mutant that only decides wrongly.
  init(_ name: String, _ story: String, caughtBy: [String], rulings: any Rulings) {
    self.init(name, story, caughtBy: caughtBy) { $0.rulings = rulings }
  }

  public static func named(_ name: String) -> Mutant? { (all + planted).first { $0.name == name } }

  /// Puts the mutant in place, for the rest of this process. To be done before any realm opens.
  public func install() {
    var seams = Seams.current
    breaks(&seams)
    Seams.current = seams
  }

  /// Every mutant there is.
  public static let all: [Mutant] =
    forgiving + gates + storage + durability + schedulers + breaking + declaring

  /// The one that every run tries first: if it survives, the suite sees nothing and its verdicts are worthless.
  public static var canary: Mutant? { named("reads-anywhere") }
}
