import EngineUnderTest
import Evidence
import Foundation

/// A row of the classic list: a string, the same indexed, a number, and no primary key.
final class ClassicRow: Object {
  @Persisted var name: String
  @Persisted(indexed: true) var tag: String
  @Persisted var number: Int

  convenience init(_ number: Int) {
    self.init()
    name = ClassicRow.name(of: number)
    tag = name
    self.number = number
  }

  /// A thousand different names.
  static func name(of number: Int) -> String { "name \(number % 1000)" }
}

/// What the classic list asks of a database, however it does it.
protocol ClassicTable: AnyObject {
  init(_ track: Track) throws
  func insert(_ numbers: Range<Int>) throws
  func clear() throws
  func count() throws -> Int
  func count(named name: String) throws -> Int
  /// Visits everyone and reads the name: the bytes of all names.
  func readNames() throws -> Int
  /// Visits everyone and writes the name.
  func writeNames(_ name: String) throws
  /// Deletes those with a smaller number, by one question.
  func deleteQuery(below number: Int) throws
  /// The same one by one.
  func deleteEach(below number: Int) throws
  func firstNumber(named name: String) throws -> Int?
  func firstNumber(tagged tag: String) throws -> Int?
  func count(namedIn names: [String]) throws -> Int
  /// Sorts everyone by name, then number, and reads the last number.
  func lastSorted() throws -> Int?
  func commit(_ number: Int) throws
}

extension ClassicTable {
  /// Times commits that each change the first row's number; returns the last one.
  func timeCommits(_ track: Track) throws -> Int {
    var number = 0
    try track.time { count in
      for _ in 0..<count {
        number += 1
        try commit(number)
      }
      return UInt64(number)
    }
    return number
  }
}

final class RealmClassicTable: ClassicTable {
  let realm: Realm
  private var rows: Results<ClassicRow> { realm.objects(ClassicRow.self) }

  init(_ track: Track) throws {
    realm = try Realm(configuration: RealmClassicTable.configuration(track))
  }

  static func configuration(_ track: Track) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: track.directory.appendingPathComponent("classic.realm"),
      objectTypes: [ClassicRow.self])
    _ = Engine.setDurability(Durability.twoPhase.rawValue, of: &configuration)
    return configuration
  }

  func insert(_ numbers: Range<Int>) throws {
    try realm.write { for number in numbers { realm.add(ClassicRow(number)) } }
  }

  func clear() throws { try realm.write { realm.deleteAll() } }
  func count() throws -> Int { rows.count }
  func count(named name: String) throws -> Int { rows.where { $0.name == name }.count }

  func readNames() throws -> Int {
    var bytes = 0
    for row in rows { bytes += row.name.utf8.count }
    return bytes
  }

  func writeNames(_ name: String) throws {
    try realm.write { for row in rows { row.name = name } }
  }

  func deleteQuery(below number: Int) throws {
    try realm.write { realm.delete(rows.where { $0.number < number }) }
  }

  func deleteEach(below number: Int) throws {
    try realm.write { for row in Array(rows) where row.number < number { realm.delete(row) } }
  }

  func firstNumber(named name: String) throws -> Int? {
    rows.where { $0.name == name }.first?.number
  }
  func firstNumber(tagged tag: String) throws -> Int? { rows.where { $0.tag == tag }.first?.number }
  func count(namedIn names: [String]) throws -> Int { rows.where { $0.name.in(names) }.count }

  func lastSorted() throws -> Int? {
    rows.sorted(by: [SortDescriptor(keyPath: "name"), SortDescriptor(keyPath: "number")]).last?
      .number
  }

  func commit(_ number: Int) throws {
    try realm.write { rows.first?.number = number }
  }
}

#if SQLite
import CSQLite

final class SQLiteClassicTable: ClassicTable {
  private let connection: SQLiteConnection
  private let store: SQLiteStore

  init(_ track: Track) throws {
    store = try SQLiteStore(directory: track.directory, durability: .twoPhase, keys: .integers)
    connection = try store.connect()
    try connection.run(
      "CREATE TABLE classic (name TEXT NOT NULL, tag TEXT NOT NULL, number INTEGER NOT NULL)")
    try connection.run("CREATE INDEX tags ON classic (tag)")
  }

  private func inTransaction(_ body: () throws -> Void) throws {
    try connection.run("BEGIN IMMEDIATE")
    try body()
    try connection.run("COMMIT")
  }

  func insert(_ numbers: Range<Int>) throws {
    let insert = try connection.prepare("INSERT INTO classic VALUES (?, ?, ?)")
    try inTransaction {
      for number in numbers {
        let name = ClassicRow.name(of: number)
        SQLitePeople.bind(insert, 1, name)
        SQLitePeople.bind(insert, 2, name)
        sqlite3_bind_int64(insert, 3, Int64(number))
        try connection.step(insert)
      }
    }
  }

  func clear() throws { try connection.run("DELETE FROM classic") }
  func count() throws -> Int { try one("SELECT count(*) FROM classic") ?? 0 }

  func count(named name: String) throws -> Int {
    try one("SELECT count(*) FROM classic WHERE name = ?", name) ?? 0
  }

  func readNames() throws -> Int {
    let names = try connection.prepare("SELECT name FROM classic")
    defer { sqlite3_reset(names) }
    var bytes = 0
    while sqlite3_step(names) == SQLITE_ROW {
      bytes += sqlite3_column_text(names, 0).map { String(cString: $0).utf8.count } ?? 0
    }
    return bytes
  }

  func writeNames(_ name: String) throws {
    let update = try connection.prepare("UPDATE classic SET name = ?")
    SQLitePeople.bind(update, 1, name)
    try inTransaction { try connection.step(update) }
  }

  func deleteQuery(below number: Int) throws {
    try connection.run("DELETE FROM classic WHERE number < \(number)")
  }

  func deleteEach(below number: Int) throws {
    let find = try connection.prepare("SELECT rowid FROM classic WHERE number < \(number)")
    let delete = try connection.prepare("DELETE FROM classic WHERE rowid = ?")
    try inTransaction {
      var rows: [Int64] = []
      while sqlite3_step(find) == SQLITE_ROW { rows.append(sqlite3_column_int64(find, 0)) }
      sqlite3_reset(find)
      for row in rows {
        sqlite3_bind_int64(delete, 1, row)
        try connection.step(delete)
      }
    }
  }

  func firstNumber(named name: String) throws -> Int? {
    try one("SELECT number FROM classic WHERE name = ? LIMIT 1", name)
  }

  func firstNumber(tagged tag: String) throws -> Int? {
    try one("SELECT number FROM classic WHERE tag = ? LIMIT 1", tag)
  }

  func count(namedIn names: [String]) throws -> Int {
    let marks = Array(repeating: "?", count: names.count).joined(separator: ",")
    let statement = try connection.prepare("SELECT count(*) FROM classic WHERE name IN (\(marks))")
    for (place, name) in names.enumerated() { SQLitePeople.bind(statement, Int32(place + 1), name) }
    return first(statement) ?? 0
  }

  func lastSorted() throws -> Int? {
    let sorted = try connection.prepare("SELECT number FROM classic ORDER BY name, number")
    defer { sqlite3_reset(sorted) }
    var last: Int?
    while sqlite3_step(sorted) == SQLITE_ROW { last = Int(sqlite3_column_int64(sorted, 0)) }
    return last
  }

  func commit(_ number: Int) throws {
    let update = try connection.prepare(
      "UPDATE classic SET number = ? WHERE rowid = (SELECT min(rowid) FROM classic)")
    sqlite3_bind_int64(update, 1, Int64(number))
    try inTransaction { try connection.step(update) }
  }

  private func one(_ sql: String, _ text: String? = nil) throws -> Int? {
    let statement = try connection.prepare(sql)
    if let text { SQLitePeople.bind(statement, 1, text) }
    return first(statement)
  }

  private func first(_ statement: OpaquePointer) -> Int? {
    defer { sqlite3_reset(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
    return Int(sqlite3_column_int64(statement, 0))
  }
}
#endif
