import CShims

/// How many turns several threads or processes have had, of which one at a time has its own, and
/// how long all of those were held up on purpose.
public final class SharedTurns: Sendable {
  public struct Count: Sendable {
    public var turns: UInt64 = 0
    /// Nanoseconds.
    public var delay: UInt64 = 0

    public init() {}
  }

  private let page: SharedPage

  /// Joins those who count in a file, which is made if there is none.
  public init(_ path: String) throws { page = try SharedPage(path) }

  private var words: UnsafeMutablePointer<UInt64> {
    page.bytes.assumingMemoryBound(to: UInt64.self)
  }

  /// Asked by whoever has its turn, so that nobody counts meanwhile.
  public var count: Count {
    var count = Count()
    (count.turns, count.delay) = (rb_load_seq_cst(words), rb_load_seq_cst(words + 1))
    return count
  }

  /// Counts a turn that was held up by so many nanoseconds, while it lasts.
  public func add(delay: UInt64) {
    _ = rb_add64(words, 1)
    _ = rb_add64(words + 1, delay)
  }
}
