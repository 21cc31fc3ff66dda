/// How what failed is made smaller: each try is a child that runs a shorter text.
struct Shortening: Sendable {
  /// So many tries at most.
  let tries: Int
  /// How often each is run: what threads decide fails only now and then.
  let runs: Int
  /// What to try instead of a text, the shortest first; nothing for a text that is none.
  let shorter: @Sendable (String) -> [String]
}

extension Array {
  /// What is left when a run of elements is taken out; smaller and smaller runs, to be tried in
  /// this order.
  var shorter: [[Element]] {
    var size = count / 2
    var found: [[Element]] = []
    while size >= 1 {
      for start in stride(from: 0, to: count, by: size) {
        var rest = self
        rest.removeSubrange(start..<Swift.min(count, start + size))
        found.append(rest)
      }
      size /= 2
    }
    return found
  }
}
