/// A class as one session knows it, or several frozen ones: its layout in Swift, and its table in
/// the file once there is one.
///
/// A class may be bound before its table is there: reading it finds nothing, and the first write
/// that needs the table makes it. A property without a column reads as its default until then; its
/// wrapper holds the field's number with `absent` set.
@usableFromInline
final class BoundClass {
  let layout: ClassLayout
  /// The number of its table in the file, nil before the first write that needs the table.
  @exclusivity(unchecked) private(set) var number: Int?
  /// What each property's wrapper holds: its column, or the field's number with `absent` set.
  @exclusivity(unchecked) private(set) var columns: [UInt32]
  /// How each column is stored; nil for numbers that no property of the class uses.
  @exclusivity(unchecked) private(set) var stored: [StoredColumn?] = []
  @exclusivity(unchecked) private var fieldOfColumn: [Int] = []
  /// Whether a column's values are nothing but values: no key, no link, no index, so that setting
  /// one touches nothing else.
  @exclusivity(unchecked) private(set) var isPlain: [Bool] = []
  /// Whether table and columns are all there.
  @exclusivity(unchecked) private(set) var isReady = false
  /// The number of the primary key's column, -1 while there is none.
  @exclusivity(unchecked) private(set) var keyColumn = -1

  /// What is written into an instance's wrappers: plain memory, as every accessor made copies it.
  private let stamps: UnsafeMutablePointer<(offset: Int, word: UInt64)>
  private let stampCount: Int

  /// How a new row takes the values of a free object: the plain ones in one go, the other fields
  /// one by one.
  @exclusivity(unchecked) private var plainSteps:
    [(offset: Int32, column: UInt32, kind: PlainKind)] = []
  @exclusivity(unchecked) private(set) var otherFields: [Int] = []

  @usableFromInline static var absent: UInt32 { 1 << 31 }

  init(_ layout: ClassLayout) {
    self.layout = layout
    columns = layout.fields.indices.map { UInt32($0) | BoundClass.absent }
    stampCount = layout.offsets.count { $0 >= 0 }
    stamps = .allocate(capacity: max(stampCount, 1))
    stamp()
  }

  deinit { stamps.deallocate() }

  private func stamp() {
    var next = 0
    for (index, offset) in layout.offsets.enumerated() where offset >= 0 {
      stamps[next] = (
        offset, UInt64(columns[index]) | UInt64(layout.fields[index].managedAttributes) << 32
      )
      next += 1
    }
  }

  var name: String { layout.name }
  var isEmbedded: Bool { layout.isEmbedded }

  /// Whether this and another one of the session are views of one table: a class by name alone may
  /// be known in an older form, too.
  @inline(never)
  func isSame(as other: BoundClass?) -> Bool {
    if self === other { return true }
    guard let other, let number else { return false }
    return number == other.number && layout.type == other.layout.type
  }

  /// Looks up the class's columns in the file's schema.
  func connect(to schema: StoredSchema) {
    defer { stamp() }
    number = schema.index(of: layout.name)
    columns = layout.fields.indices.map { UInt32($0) | BoundClass.absent }
    isReady = number != nil
    keyColumn = -1
    guard let number else {
      stored = []
      fieldOfColumn = []
      isPlain = []
      return
    }
    let table = schema.tables[number]
    let count = table.columns.count
    stored = Array(repeating: nil, count: count)
    fieldOfColumn = Array(repeating: -1, count: count)
    isPlain = Array(repeating: false, count: count)
    for (index, field) in layout.fields.enumerated() where field.property.isStored {
      guard let column = table.column(named: field.property.columnName) else {
        isReady = false
        continue
      }
      columns[index] = UInt32(column.number)
      if index == layout.primaryKey { keyColumn = column.number }
      stored[column.number] = column
      fieldOfColumn[column.number] = index
      isPlain[column.number] =
        column.shape == .single && column.type != .object && column.type != .any
        && !column.isIndexed && !column.isPrimaryKey
    }
    planFilling()
  }

  private func planFilling() {
    plainSteps = []
    otherFields = []
    for (index, field) in layout.fields.enumerated() where index != layout.primaryKey {
      let column = columns[index]
      if let kind = field.plain, column & BoundClass.absent == 0, isPlain[Int(column)] {
        plainSteps.append((Int32(field.offset), column, kind))
      } else {
        otherFields.append(index)
      }
    }
  }

  /// Writes the plain values of a free object to its new row.
  @inline(__always)
  func fillPlain(from raw: UnsafeMutableRawPointer, _ table: TableWriter, _ place: RowPlace) {
    for step in plainSteps {
      step.kind.fill(from: raw + Int(step.offset), table, place, Int(step.column))
    }
  }

  /// Tells an instance's wrappers their columns.
  @inline(__always)
  func writeColumns(into raw: UnsafeMutableRawPointer) {
    for index in 0..<stampCount {
      let stamp = stamps[index]
      raw.storeBytes(of: stamp.word, toByteOffset: stamp.offset, as: UInt64.self)
    }
  }

  /// The field that a wrapper's column number means.
  func field(ofColumn column: UInt32) -> Int {
    column & BoundClass.absent != 0
      ? Int(column & ~BoundClass.absent) : fieldOfColumn[Int(column)]
  }

  /// The property that a wrapper's column number means.
  func property(ofColumn column: UInt32) -> Property {
    layout.fields[field(ofColumn: column)].property
  }

  /// The table's number, if all of it is there and a column of it is a plain one.
  @inline(__always)
  func number(ofPlain column: Int) -> Int? {
    isReady && column < isPlain.count && isPlain[column] ? number : nil
  }

  /// The column that a wrapper's number stands for now: a wrapper may be older than the column.
  func column(_ column: UInt32) -> StoredColumn? {
    let number = columns[field(ofColumn: column)]
    return number & BoundClass.absent != 0 ? nil : stored[Int(number)]
  }

  /// The column of a property by name.
  func column(named name: String) -> StoredColumn? {
    layout.index(of: name).flatMap { column(columns[$0]) }
  }

  /// The column of the primary key.
  var primaryKey: StoredColumn? { layout.primaryKey.flatMap { column(columns[$0]) } }
}
