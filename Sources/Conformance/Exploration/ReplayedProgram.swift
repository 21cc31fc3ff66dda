/// A random program whose text says everything, so that it can be run again.
protocol ReplayedProgram: SendableMetatype {
  /// Nil if the text is no program.
  init?(_ text: String)
}

extension ReplayedProgram {
  @Sendable static func canRead(_ text: String) -> Bool { Self(text) != nil }

  /// The program of a text that somebody asks for.
  init(replaying text: String) throws {
    guard let read = Self(text) else {
      throw ExploreRequest.Misunderstood("'\(text)' is no program")
    }
    self = read
  }
}

extension AsyncProgram: ReplayedProgram {}
extension ModelProgram: ReplayedProgram {}
extension NewsProgram: ReplayedProgram {}
