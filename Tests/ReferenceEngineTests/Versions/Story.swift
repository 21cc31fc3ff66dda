@testable import ReferenceEngine

/// One step of a story about a file: what a writer does, or somebody who holds old versions.
///
/// Each makes sense after any other: a row that is not there is not deleted, a version that is not
/// held is not let go. So every part of a story is a story, which is what makes it possible to
/// shorten one that ends badly.
enum StoryStep: Hashable, Sendable {
  case insert(table: Int, key: Int64, number: Int64, text: Int)
  case delete(table: Int, key: Int64)
  case setNumber(table: Int, key: Int64, number: Int64)
  /// A text of so many bytes; null if negative.
  case setText(table: Int, key: Int64, text: Int)
  case addToList(table: Int, key: Int64, position: Int, number: Int64)
  case removeFromList(table: Int, key: Int64, position: Int)
  case addPair(table: Int, first: UInt64, second: UInt64)
  case removePair(table: Int, first: UInt64, second: UInt64)
  case commit(CommitProtocol)
  /// Ends the write as a member of a group, which the next commit ends.
  case seal
  case cancel
  case hold
  case release(Int)
  /// From now on the other of two openers writes, as another process would.
  case changeWriter
  /// The writer opens the file anew, knowing nothing.
  case reopen

  static let tables = 3

  /// A story that is told the same way for the same dice.
  static func story(_ count: Int, _ dice: inout Dice) -> [StoryStep] {
    (0..<count).map { _ in random(&dice) }
  }

  private static func random(_ dice: inout Dice) -> StoryStep {
    func below(_ limit: Int) -> Int { Int(dice.next() % UInt64(limit)) }
    let table = below(tables)
    // Dense keys, spread ones, and few.
    let key = Int64(table == 0 ? below(700) : table == 1 ? below(100) * 977 : below(40))
    let number = below(4) == 0 ? Int64(bitPattern: dice.next()) : Int64(below(100))
    let text = below(400) == 0 ? below(6_000) : below(30) - 3
    switch below(100) {
    case 0..<28: return .insert(table: table, key: key, number: number, text: text)
    case 28..<44: return .delete(table: table, key: key)
    case 44..<58: return .setNumber(table: table, key: key, number: number)
    case 58..<66: return .setText(table: table, key: key, text: text)
    case 66..<72:
      return .addToList(table: 2, key: Int64(below(40)), position: below(600), number: number)
    case 72..<75: return .removeFromList(table: 2, key: Int64(below(40)), position: below(600))
    case 75..<82:
      return .addPair(table: table, first: UInt64(below(90)), second: UInt64(below(9)))
    case 82..<87:
      return .removePair(table: table, first: UInt64(below(90)), second: UInt64(below(9)))
    case 87..<94:
      let how = below(50)
      return .commit(how == 0 ? .twoPhase : how == 1 ? .singleFlush : .none)
    case 94: return below(2) == 0 ? .seal : .cancel
    case 95: return below(3) > 0 ? .hold : .release(below(64))
    case 96: return below(8) == 0 ? .reopen : .changeWriter
    default: return .setNumber(table: table, key: key, number: number)
    }
  }
}

/// What a version holds, in plain Swift.
struct StoryModel: Equatable {
  struct Row: Equatable {
    var number: Int64
    var text: [UInt8]?
    var list: [Int64] = []
  }
  struct Table: Equatable {
    var rows: [Int64: Row] = [:]
    var pairs: Set<Pair> = []
  }

  var tables = [Table](repeating: Table(), count: StoryStep.tables)

  static func text(_ length: Int, _ key: Int64) -> [UInt8]? {
    length < 0 ? nil : [UInt8](repeating: UInt8(truncatingIfNeeded: key &+ 31), count: length)
  }

  mutating func apply(_ step: StoryStep) {
    switch step {
    case .insert(let table, let key, let number, let text):
      if tables[table].rows[key] == nil {
        tables[table].rows[key] = Row(number: number, text: StoryModel.text(text, key))
      }
    case .delete(let table, let key): tables[table].rows[key] = nil
    case .setNumber(let table, let key, let number): tables[table].rows[key]?.number = number
    case .setText(let table, let key, let text):
      tables[table].rows[key]?.text = StoryModel.text(text, key)
    case .addToList(let table, let key, let position, let number):
      guard let count = tables[table].rows[key]?.list.count else { return }
      tables[table].rows[key]?.list.insert(number, at: position % (count + 1))
    case .removeFromList(let table, let key, let position):
      guard let count = tables[table].rows[key]?.list.count, count > 0 else { return }
      tables[table].rows[key]?.list.remove(at: position % count)
    case .addPair(let table, let first, let second):
      tables[table].pairs.insert(Pair(first: first, second: second))
    case .removePair(let table, let first, let second):
      tables[table].pairs.remove(Pair(first: first, second: second))
    default: break
    }
  }
}

/// The same step on the trees of a write.
struct StoryWriter {
  static let specs: [ColumnSpec] = [.int, .bytes.nullable, .refs]
  private static let pairs: UInt32 = 5

  let trees: TreeWriter
  private var space: NodeSpace { trees.arena.space }

  init(_ write: WriteTransaction) {
    trees = TreeWriter(arena: write.arena, base: Top(space: write.space, ref: write.base.top))
    trees.recorder = write.changes
    while trees.tableCount < StoryStep.tables { _ = trees.addTable(StoryWriter.specs) }
  }

  func apply(_ step: StoryStep) {
    switch step {
    case .insert(let table, let key, let number, let text):
      guard let writer = trees.table(table), let place = writer.insert(key) else { return }
      writer.setInt(place, 0, number)
      set(StoryModel.text(text, key), writer, place)
    case .delete(let table, let key):
      guard let writer = trees.table(table) else { return }
      if let place = writer.rows.find(key) {
        discardTree(place.ref(2, in: space), arena: trees.arena)
      }
      writer.delete(key)
    case .setNumber(let table, let key, let number):
      change(table, key, 0) { $0.setInt($1, 0, number) }
    case .setText(let table, let key, let text):
      change(table, key, 1) { set(StoryModel.text(text, key), $0, $1) }
    case .addToList(let table, let key, let position, let number):
      change(table, key, 2) { writer, place in
        changeList(writer, place) { $0.insert(.int(number), at: position % ($0.count + 1)) }
      }
    case .removeFromList(let table, let key, let position):
      change(table, key, 2) { writer, place in
        changeList(writer, place) { if $0.count > 0 { $0.remove(at: position % $0.count) } }
      }
    case .addPair(let table, let first, let second):
      changePairs(table) { $0.insert(Pair(first: first, second: second)) }
    case .removePair(let table, let first, let second):
      changePairs(table) { $0.remove(Pair(first: first, second: second)) }
    default: break
    }
  }

  private func set(_ text: [UInt8]?, _ writer: TableWriter, _ place: RowPlace) {
    guard let text else { return writer.setNull(place, 1) }
    text.withUnsafeBytes { writer.setBytes(place, 1, $0) }
  }

  private func change(
    _ table: Int, _ key: Int64, _ column: Int, _ body: (TableWriter, RowPlace) -> Void
  ) {
    guard let writer = trees.table(table), let place = writer.openRow(key) else { return }
    body(writer, place)
    writer.touch(key, column: column)
  }

  private func changeList(
    _ writer: TableWriter, _ place: RowPlace, _ body: (inout ListWriter) -> Void
  ) {
    var list = ListWriter(arena: trees.arena, root: place.ref(2, in: space), spec: .int)
    body(&list)
    writer.setRef(place, 2, list.root)
  }

  private func changePairs(_ table: Int, _ body: (inout PairWriter) -> Bool) {
    guard let writer = trees.table(table) else { return }
    var pairs = PairWriter(arena: trees.arena, root: writer.trees[StoryWriter.pairs] ?? .none)
    if body(&pairs) { writer.trees[StoryWriter.pairs] = pairs.root.isNone ? nil : pairs.root }
  }

  /// What a version holds.
  static func model(of root: Root, in space: NodeSpace) -> StoryModel {
    var model = StoryModel()
    let top = Top(space: space, ref: root.top)
    for number in 0..<min(StoryStep.tables, top.tableCount) {
      guard let table = top.table(number) else { continue }
      table.rows.forEachCluster { cluster, _ in
        for index in 0..<cluster.count {
          let place = RowPlace(cluster: cluster, index: index)
          model.tables[number].rows[cluster.key(index, in: space)] = row(place, space)
        }
        return true
      }
      PairTree(space: space, root: table.trees[pairs] ?? .none)
        .forEach(from: Pair(first: 0, second: 0)) {
          model.tables[number].pairs.insert($0)
          return true
        }
    }
    return model
  }

  static func row(_ place: RowPlace, _ space: NodeSpace) -> StoryModel.Row {
    var list: [Int64] = []
    let root = place.ref(2, in: space)
    ListTree(space: space, root: root, element: .int).forEachColumn { column, _ in
      for index in 0..<column.count { list.append(column.int(index)) }
      return true
    }
    return StoryModel.Row(
      number: place.int(0, in: space),
      text: place.isNull(1, in: space) ? nil : [UInt8](place.bytes(1, in: space)), list: list)
  }
}
