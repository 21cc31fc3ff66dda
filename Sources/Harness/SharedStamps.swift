import CShims

/// One counter for several processes: the order of what happened in all of them.
public final class SharedStamps: Sendable {
  private let page: SharedPage

  /// Joins the counter in a file, which is made if there is none.
  public init(_ path: String) throws { page = try SharedPage(path) }

  /// Draws the next number. Numbers start at 1.
  public func draw() -> UInt64 { UInt64(rb_add32(page.words, 1)) + 1 }
}
