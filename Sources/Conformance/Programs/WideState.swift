import EngineUnderTest

/// What a version must hold, in plain Swift: rows of all classes, by the numbers of their births.
struct WideState {
  struct Row: Equatable {
    let kind: Kind
    let key: Worth
    var contents: [Content]
  }

  private struct Name: Hashable {
    let kind: Kind
    let key: Worth
  }

  private(set) var rows: [Int: Row] = [:]
  private var keys: [Name: Int] = [:]
  /// The rows of each class, the oldest first.
  private var births: [[Int]] = Kind.allCases.map { _ in [] }

  func births(of kind: Kind) -> [Int] { births[kind.rawValue] }
  func birth(_ kind: Kind, _ key: Worth) -> Int? { keys[Name(kind: kind, key: key)] }

  func content(_ birth: Int, _ member: Int) -> Content? { rows[birth]?.contents[member] }

  mutating func add(_ birth: Int, _ kind: Kind, _ key: Worth, _ contents: [Content]) {
    var contents = contents
    contents[0] = .single(.int(birth))
    contents[1] = .single(key)
    rows[birth] = Row(kind: kind, key: key, contents: contents)
    keys[Name(kind: kind, key: key)] = birth
    births[kind.rawValue].append(birth)
  }

  mutating func set(_ birth: Int, _ member: Int, _ content: Content) {
    rows[birth]?.contents[member] = content
  }

  mutating func edit(_ birth: Int, _ member: Int, _ edit: Edit) {
    guard var content = rows[birth]?.contents[member] else { return }
    edit.apply(to: &content)
    rows[birth]?.contents[member] = content
  }

  /// Takes rows away, and them out of everything that held them.
  mutating func delete(_ gone: Set<Int>) {
    for birth in gone {
      guard let row = rows.removeValue(forKey: birth) else { continue }
      keys[Name(kind: row.kind, key: row.key)] = nil
    }
    for kind in Kind.allCases { births[kind.rawValue].removeAll(where: gone.contains) }
    for (birth, row) in rows {
      for (place, content) in row.contents.enumerated() {
        let targets = content.targets
        if targets.isEmpty || !targets.contains(where: gone.contains) { continue }
        let isMixed = row.kind.members[place].isMixed
        rows[birth]?.contents[place] = content.without(gone, isMixed: isMixed)
      }
    }
  }

  mutating func deleteAll() { self = WideState() }

  /// Who links to a row through a property, as often as it does.
  func linkers(_ birth: Int, _ kind: Kind, _ member: Int) -> [Int] {
    births(of: kind).flatMap { linker in
      let number = content(linker, member)?.targets.count { $0 == birth } ?? 0
      return Array(repeating: linker, count: number)
    }
  }
}

extension Content {
  /// What is left when rows are gone.
  fileprivate func without(_ gone: Set<Int>, isMixed: Bool) -> Content {
    func isGone(_ worth: Worth) -> Bool {
      if case .row(let birth) = worth { gone.contains(birth) } else { false }
    }
    func emptied(_ worth: Worth) -> Worth {
      switch worth {
      case .box(let parts): .box(parts.map(emptied))
      case .many(let all): .many(all.map(emptied))
      case .named(let all): .named(all.mapValues(emptied))
      default: isGone(worth) ? .null : worth
      }
    }
    switch self {
    case .single(let worth): return .single(emptied(worth))
    case .map(let all): return .map(all.mapValues(emptied))
    case .set(let all): return .set(all.filter { !isGone($0) })
    case .list(let all):
      return .list(isMixed ? all.map(emptied) : all.filter { !isGone($0) }.map(emptied))
    }
  }
}

/// Finds what a model speaks of in a realm.
struct Finder {
  let realm: Realm
  let state: WideState
  /// Which of several calls that do the same is taken.
  var lot = 0

  func object(_ birth: Int) -> (any Wide)? {
    guard let row = state.rows[birth] else { return nil }
    return row.kind.type.find(row.key, birth, self)
  }
}
