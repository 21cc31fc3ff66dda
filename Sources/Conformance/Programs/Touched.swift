/// Which properties of which rows were set, be it to what they held, and which rows came or went:
/// what may be told of, and nothing else may.
struct Touched {
  private var open: [Int: Set<Int>] = [:]
  /// By writes that were committed, since listeners were asked last.
  private(set) var since: [Int: Set<Int>] = [:]

  mutating func add(_ birth: Int, _ member: Int) { open[birth, default: []].insert(member) }

  mutating func add(_ birth: Int, all kind: Kind) {
    open[birth, default: []].formUnion(kind.members.indices)
  }

  mutating func commit() {
    since.merge(open) { $0.union($1) }
    open = [:]
  }

  mutating func cancel() { open = [:] }

  mutating func forget() { since = [:] }
}
