/// The schema as the file keeps it: what each table's columns mean.
///
/// A table's number is its place in the list and never changes; a column's number is its place in
/// the table's rows. A dropped column leaves its number unused, so that the others keep theirs.
struct StoredSchema: Equatable, Sendable {
  /// What `Realm.Configuration.schemaVersion` was when the file was last brought into shape; nil
  /// for a new file.
  var version: UInt64?
  var tables: [StoredTable] = []

  func index(of className: String) -> Int? {
    tables.firstIndex { $0.name == className && !$0.isDropped }
  }

  /// The tables whose rows have whole numbers as keys that their objects were given.
  var tablesOfReusedKeys: Set<UInt32> {
    Set(tables.indices.filter { tables[$0].primaryKey?.type == .int }.map { UInt32($0) })
  }
}

/// One class in the file.
struct StoredTable: Equatable, Sendable {
  var name: String
  var isEmbedded: Bool
  var isDropped = false
  var columns: [StoredColumn] = []

  var primaryKey: StoredColumn? { columns.first { $0.isPrimaryKey && !$0.isDropped } }

  func column(named name: String) -> StoredColumn? {
    columns.first { $0.name == name && !$0.isDropped }
  }
}

/// One property in the file.
struct StoredColumn: Equatable, Sendable {
  var name: String
  /// The column's number in the table's rows.
  var number: Int
  var type: PropertyType
  var shape: PropertyShape
  var isOptional: Bool
  var isIndexed: Bool
  var isPrimaryKey: Bool
  var target: String?
  var isDropped = false

  init(_ property: Property, number: Int) {
    name = property.columnName
    self.number = number
    type = property.type
    shape = property.shape
    isOptional = property.isOptional
    isIndexed = property.isIndexed
    isPrimaryKey = property.isPrimaryKey
    target = property.objectClassName
  }

  /// Whether values of the property fit into this column as they are.
  func holds(_ property: Property) -> Bool {
    type == property.type && shape == property.shape && isOptional == property.isOptional
      && isPrimaryKey == property.isPrimaryKey && target == property.objectClassName
  }

  /// The column as a property for code that knows no class.
  var property: Property {
    Property(
      name: name, type: type, shape: shape, isOptional: isOptional, isIndexed: isIndexed,
      isPrimaryKey: isPrimaryKey, objectClassName: target)
  }
}

// MARK: - Bytes

extension StoredSchema {
  private static let format: UInt8 = 1

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.put(StoredSchema.format)
    writer.put(version == nil ? 0 : 1)
    writer.put(number: version ?? 0)
    writer.put(number: UInt64(tables.count))
    for table in tables {
      writer.put(table.name)
      writer.put((table.isEmbedded ? 1 : 0) | (table.isDropped ? 2 : 0))
      writer.put(number: UInt64(table.columns.count))
      for column in table.columns {
        writer.put(column.name)
        writer.put(number: UInt64(column.number))
        writer.put(UInt8(column.type.rawValue))
        writer.put(column.shape.rawValue)
        writer.put(
          (column.isOptional ? 1 : 0) | (column.isIndexed ? 2 : 0)
            | (column.isPrimaryKey ? 4 : 0) | (column.isDropped ? 8 : 0))
        writer.put(column.target ?? "")
      }
    }
    return writer.bytes
  }

  /// Reads what `bytes` wrote; nil for anything else.
  init?(bytes: [UInt8]) {
    if bytes.isEmpty {
      self.init()
      return
    }
    var reader = ByteReader(bytes)
    guard reader.byte() == StoredSchema.format, let known = reader.byte(), known < 2,
      let number = reader.number(), let count = reader.number()
    else { return nil }
    self.init(version: known == 1 ? number : nil)
    for _ in 0..<count {
      guard let table = StoredTable(&reader) else { return nil }
      tables.append(table)
    }
    let names = tables.lazy.filter { !$0.isDropped }.map(\.name)
    guard reader.isAtEnd, Set(names).count == names.count else { return nil }
  }

  /// What in it is not as the file's tables are, so that values would be read as what they are not;
  /// nil if nothing is.
  ///
  /// - Parameter specs: what the columns of a table are; nil for one that has never been written.
  func flaw(among tableCount: Int, specs: (Int) -> [ColumnSpec]?) -> String? {
    if tables.count != tableCount {
      return "its schema has \(tables.count) classes, it has \(tableCount) tables"
    }
    for (number, table) in tables.enumerated() where !table.isDropped {
      guard let specs = specs(number) else { continue }
      for column in table.columns where !column.isDropped {
        let wanted = column.physical
        guard column.number < specs.count, !specs[column.number].isRemoved,
          specs[column.number].type == wanted.type, specs[column.number].size == wanted.size
        else {
          return "its schema says of '\(table.name).\(column.name)' what its table does not"
        }
      }
    }
    return nil
  }
}

extension StoredTable {
  fileprivate init?(_ reader: inout ByteReader) {
    guard let name = reader.string(), let flags = reader.byte(), let count = reader.number()
    else { return nil }
    self.init(name: name, isEmbedded: flags & 1 != 0, isDropped: flags & 2 != 0)
    for number in 0..<count {
      // A column's number is its place in the list, dropped ones included.
      guard let column = StoredColumn(&reader), UInt64(column.number) == number else { return nil }
      columns.append(column)
    }
    let live = columns.filter { !$0.isDropped }
    guard !name.isEmpty, flags < 4, Set(live.map(\.name)).count == live.count,
      live.count(where: \.isPrimaryKey) < 2
    else { return nil }
  }
}

extension StoredColumn {
  fileprivate init?(_ reader: inout ByteReader) {
    guard let name = reader.string(), let number = reader.number(), number <= UInt64(UInt16.max),
      let type = reader.byte().flatMap({ PropertyType(rawValue: Int($0)) }),
      let shape = reader.byte().flatMap(PropertyShape.init(rawValue:)),
      let flags = reader.byte(), flags < 16, let target = reader.string()
    else { return nil }
    // Keys are single values, and links alone have a target.
    let isLink = type == .object
    guard flags & 4 == 0 || shape == .single && !isLink, isLink != target.isEmpty,
      type != .linkingObjects
    else { return nil }
    self.name = name
    self.number = Int(number)
    self.type = type
    self.shape = shape
    isOptional = flags & 1 != 0
    isIndexed = flags & 2 != 0
    isPrimaryKey = flags & 4 != 0
    isDropped = flags & 8 != 0
    self.target = target.isEmpty ? nil : target
  }
}

private struct ByteWriter {
  var bytes: [UInt8] = []
  mutating func put(_ byte: UInt8) { bytes.append(byte) }
  mutating func put(number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
  mutating func put(_ string: String) {
    put(number: UInt64(string.utf8.count))
    bytes.append(contentsOf: string.utf8)
  }
}

private struct ByteReader {
  private let bytes: [UInt8]
  private var place = 0
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func number() -> UInt64? {
    guard bytes.count - place >= 8 else { return nil }
    defer { place += 8 }
    return (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }

  mutating func string() -> String? {
    guard let count = number(), count <= bytes.count - place else { return nil }
    defer { place += Int(count) }
    return String(validating: bytes[place..<place + Int(count)], as: UTF8.self)
  }
}
