/// Things of which each model class has one, found by halves.
///
/// To make a dictionary of classes, the runtime searches everything that the process has loaded for
/// how one is hashed: once, when the first class is used, for a tenth of a millisecond and more.
struct ByClass<Value> {
  /// By ascending numbers.
  fileprivate(set) var all: [(id: ObjectIdentifier, value: Value)] = []

  var count: Int { all.count }
  var values: [Value] { all.map(\.value) }

  subscript(id: ObjectIdentifier) -> Value? {
    get {
      let place = place(of: id)
      return place < all.count && all[place].id == id ? all[place].value : nil
    }
    set {
      let place = place(of: id)
      let isThere = place < all.count && all[place].id == id
      switch newValue {
      case let value? where isThere: all[place].value = value
      case let value?: all.insert((id, value), at: place)
      case nil: if isThere { all.remove(at: place) }
      }
    }
  }

  /// The first place that has no smaller number.
  private func place(of id: ObjectIdentifier) -> Int {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if UInt(bitPattern: all[middle].id) < UInt(bitPattern: id) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  func mapValues<Other>(_ body: (Value) -> Other) -> ByClass<Other> {
    var others = ByClass<Other>()
    others.all = all.map { ($0.id, body($0.value)) }
    return others
  }
}
