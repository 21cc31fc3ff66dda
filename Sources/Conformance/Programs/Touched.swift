/// Which properties of which rows were set, be it to what they held, and which rows came or went:
/// what may be told of, and nothing else may.
struct Touched {
  private var open: [Int: Set<Int>] = [:]
  /// How many writes were committed.
  private(set) var commits = 0
  /// By writes that were committed, since listeners were asked last: those here.
  private(set) var since: [Int: Set<Int>] = [:]
  /// The same for those of the realm on the queue.
  private var sinceThere: [Int: Set<Int>] = [:]
  /// The same for those on an actor.
  private var sinceOnActor: [Int: Set<Int>] = [:]

  mutating func add(_ birth: Int, _ member: Int) { open[birth, default: []].insert(member) }

  mutating func add(_ birth: Int, all kind: Kind) {
    open[birth, default: []].formUnion(kind.members.indices)
  }

  mutating func commit() {
    since.merge(open) { $0.union($1) }
    sinceThere.merge(open) { $0.union($1) }
    sinceOnActor.merge(open) { $0.union($1) }
    open = [:]
    commits += 1
  }

  mutating func cancel() { open = [:] }

  mutating func forget() { since = [:] }

  mutating func forgetThere() { sinceThere = [:] }

  mutating func forgetOnActor() { sinceOnActor = [:] }

  /// As listeners of the realm on the queue see it.
  var forThere: Touched {
    var touched = Touched()
    touched.since = sinceThere
    return touched
  }

  /// As listeners on an actor see it.
  var forActor: Touched {
    var touched = Touched()
    touched.since = sinceOnActor
    return touched
  }
}
