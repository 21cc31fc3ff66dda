/// Things of which each file, or whatever else a path names, has one. A process has few files open,
/// and they are looked for one by one.
///
/// To make a dictionary of paths, the runtime searches everything that the process has loaded for
/// how one is hashed: once, when the first realm is opened, for a tenth of a millisecond and more.
struct ByPath<Value> {
  private(set) var all: [(path: PathKey, value: Value)] = []

  var count: Int { all.count }

  subscript(path: PathKey) -> Value? {
    get { all.first { $0.path == path }?.value }
    set {
      let place = all.firstIndex { $0.path == path }
      switch (place, newValue) {
      case (let place?, let value?): all[place].value = value
      case (let place?, nil): all.remove(at: place)
      case (nil, let value?): all.append((path, value))
      case (nil, nil): break
      }
    }
  }

  /// Changes what a path has, or what it gets if it has nothing.
  mutating func change(_ path: PathKey, orElse standard: Value, _ body: (inout Value) -> Void) {
    let place = all.firstIndex { $0.path == path } ?? all.count
    if place == all.count { all.append((path, standard)) }
    body(&all[place].value)
  }

  /// Changes all, and lets go of those that are not wanted any more.
  mutating func keep(where isWanted: (inout Value) -> Bool) {
    var kept = 0
    for place in all.indices where isWanted(&all[place].value) {
      all.swapAt(kept, place)
      kept += 1
    }
    all.removeLast(all.count - kept)
  }
}
