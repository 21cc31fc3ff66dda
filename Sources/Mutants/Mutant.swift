import ReferenceEngine

/// A broken engine: the engine itself, with one function, collaborator or declaration exchanged for
/// a wrong one.
///
/// Each names the rules that must catch it. A rule no mutant falls to has never been seen to fail;
/// a mutant that no rule catches shows what the suite is blind to.
///
/// Most are wrong functions: the folder `Wrong` holds functions that stand in the place of the
/// engine's, and `breaks(.thePromise)` says whether the wrong one is meant. Only a build with the
/// trait `Mutants` has them, for the compiler has to leave every function of the engine
/// exchangeable; the names and stories of all mutants are in every build.
public struct Mutant: Sendable {
  public let name: String
  /// What is broken in it.
  public let story: String
  /// The rules that must catch it.
  public let caughtBy: [String]
  /// Swift that hides or extends the engine's own declarations: what rules about compiling are put
  /// to instead.
  public let declarations: String
  /// Whether its fault is a function in the place of one of the engine's.
  let replacesFunctions: Bool
  private let breaks: @Sendable (inout Seams) -> Void

  init(
    _ name: String, _ story: String, caughtBy: [String], declarations: String = "",
    replacesFunctions: Bool = false, breaks: @escaping @Sendable (inout Seams) -> Void
  ) {
    self.name = name
    self.story = story
    self.caughtBy = caughtBy
    self.declarations = declarations
    self.replacesFunctions = replacesFunctions
    self.breaks = breaks
  }

  public static func named(_ name: String) -> Mutant? { (all + planted).first { $0.name == name } }

  /// Whether this build can be broken in this way.
  public var isInThisBuild: Bool { !replacesFunctions || Mutant.buildReplacesFunctions }

  /// Whether the engine of this build was compiled with functions that can be replaced.
  public static var buildReplacesFunctions: Bool {
    #if Mutants
    true
    #else
    false
    #endif
  }

  /// Puts the mutant in place, for the rest of this process. To be done before any realm opens.
  public func install() {
    var seams = Seams.given
    breaks(&seams)
    Seams.given = seams
  }

  /// Every mutant there is.
  public static let all: [Mutant] =
    forgiving + gates + storage + durability + schedulers + breaking + declaring

  /// The one that every run tries first: if it survives, the suite sees nothing and its verdicts
  /// are worthless. Every build has it, and two of its rules are enough.
  public static var canary: Mutant? {
    named("confines-nothing").map {
      Mutant($0.name, $0.story, caughtBy: ["CONFINE-02", "SEND-05"], breaks: $0.breaks)
    }
  }
}
