/// Things of which each home has one: the sessions of a file, say. They are few, and are looked for
/// one by one.
///
/// To make a dictionary of homes, the runtime searches everything that the process has loaded for
/// how a home is hashed: once, when the first realm is opened, and for 30 µs.
struct ByHome<Value> {
  private(set) var all: [(home: Home, value: Value)] = []

  var count: Int { all.count }
  var isEmpty: Bool { all.isEmpty }
  var values: [Value] { all.map(\.value) }

  subscript(home: Home) -> Value? {
    get { all.first { $0.home == home }?.value }
    set {
      let place = all.firstIndex { $0.home == home }
      switch (place, newValue) {
      case (let place?, let value?): all[place].value = value
      case (let place?, nil): all.remove(at: place)
      case (nil, let value?): all.append((home, value))
      case (nil, nil): break
      }
    }
  }

  /// Lets go of those that are not wanted any more.
  mutating func keep(where isWanted: (Value) -> Bool) { all.removeAll { !isWanted($0.value) } }
}
