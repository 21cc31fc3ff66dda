/// Where nodes lie that a check has come by.
///
/// The first few are looked for one by one: those are all that opening a file comes by, and to make
/// a set the runtime searches everything that the process has loaded for how a number is hashed.
struct SeenNodes {
  private static let few = 64
  private var first: [UInt64] = []
  private var further: Set<UInt64>?

  var count: Int { further?.count ?? first.count }

  /// False if it was there.
  mutating func insert(_ place: UInt64) -> Bool {
    if further != nil { return further!.insert(place).inserted }
    if first.contains(place) { return false }
    first.append(place)
    if first.count > SeenNodes.few { further = Set(first) }
    return true
  }
}
