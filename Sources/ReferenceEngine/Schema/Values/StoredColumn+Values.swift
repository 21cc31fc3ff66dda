import Foundation

// How Realm's types lie in the file's columns, and the way of a value there and back.

extension StoredColumn {
  /// The column of the row itself: the values, or the roots of the collections.
  var physical: ColumnSpec { shape == .single ? element : .refs }

  /// Whether its values may be links.
  var mayLink: Bool { type == .object || type == .any }

  /// A single value: of the row, or of a collection's elements.
  var element: ColumnSpec {
    let plain: ColumnSpec =
      switch type {
      // Floating point numbers and dates by their bits.
      case .int, .bool, .float, .double, .date, .object, .linkingObjects: .int
      // A mixed value says itself that it is null.
      case .string, .data, .any: .bytes
      case .objectId: .fixed(12)
      case .UUID, .decimal128: .fixed(16)
      }
    return isElementNullable ? plain.nullable : plain
  }

  private var isElementNullable: Bool {
    type == .object ? shape == .single || shape == .map : isOptional && type != .any
  }

  /// Whether values are the same exactly if they lie the same in the file: not where 0 and -0 or
  /// 1.0 and 1.00 are, and not where a value is not even itself.
  var isComparedByBytes: Bool {
    switch type {
    case .float, .double, .decimal128, .any, .linkingObjects: false
    case .int, .bool, .string, .data, .date, .objectId, .UUID, .object: true
    }
  }

  /// A row's value where it lies.
  @inline(__always)
  func value(_ place: RowPlace, _ space: NodeSpace) -> StoredValue {
    let ref = place.cluster.column(number)
    // A column that is not there holds nulls, or zeros.
    if ref.isNone { return isElementNullable ? .null : property.zero }
    return value(Column(space.node(ref)), place.index, space)
  }

  /// The word under which an index finds a row's value; of a text without making one.
  func indexWord(at place: RowPlace, _ space: NodeSpace) -> UInt64 {
    if type == .string {
      let ref = place.cluster.column(number)
      if !ref.isNone, !Column(space.node(ref)).isNull(place.index) {
        return StoredValue.hash(Column(space.node(ref)).bytes(place.index, in: space))
      }
    }
    return value(place, space).indexWord
  }

  /// A value in a column, of rows or of a collection.
  func value(_ column: Column, _ index: Int, _ space: NodeSpace) -> StoredValue {
    if column.isNull(index) { return .null }
    switch type {
    case .int: return .int(column.int(index))
    case .bool: return .bool(column.int(index) != 0)
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: column.int(index))))
    case .double: return .double(Double(bitPattern: UInt64(bitPattern: column.int(index))))
    case .date:
      let bits = UInt64(bitPattern: column.int(index))
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
    case .string: return .string(SmallString.make(column.bytes(index, in: space)))
    case .data: return .data(Data(column.bytes(index, in: space)))
    case .any:
      guard let value = StoredValue(tagged: column.bytes(index, in: space)) else {
        space.damaged(space.ref(to: column.node), "has a mixed value of no type")
      }
      return value
    case .objectId: return .objectId(ObjectId(fixed: column.fixed(index).baseAddress))
    case .UUID: return .uuid(UUID(fixed: column.fixed(index).baseAddress))
    case .decimal128: return .decimal(Decimal128(fixed: column.fixed(index).baseAddress))
    case .object: return .link(RowLink(table: -1, key: column.int(index)))
    case .linkingObjects: return .null
    }
  }

  /// Writes a row's value; an object must have become a link.
  func set(_ value: StoredValue, _ table: TableWriter, _ place: RowPlace) {
    value.verifyLength()
    if type == .any {
      value.taggedBytes.withUnsafeBytes { table.setBytes(place, number, $0) }
      return
    }
    switch value {
    case .null, .instance: table.setNull(place, number)
    case .string(var text):
      text.withUTF8 { table.setBytes(place, number, UnsafeRawBufferPointer($0)) }
    case .data(let data): data.withUnsafeBytes { table.setBytes(place, number, $0) }
    case .objectId(let id): id.fixedBytes.withUnsafeBytes { table.setFixed(place, number, $0) }
    case .uuid(let id): id.fixedBytes.withUnsafeBytes { table.setFixed(place, number, $0) }
    case .decimal(let decimal):
      decimal.fixedBytes.withUnsafeBytes { table.setFixed(place, number, $0) }
    default: table.setInt(place, number, value.word)
    }
  }

  /// A value as an element of a collection's tree.
  func cell(_ value: StoredValue) -> Cell {
    value.verifyLength()
    if type == .any { return .bytes(value.taggedBytes) }
    let value = shape == .set ? value.canonical : value
    switch value {
    case .null, .instance: return .null
    case .string(let text): return .bytes(Array(text.utf8))
    case .data(let data): return .bytes(Array(data))
    case .objectId(let id): return .fixed(id.fixedBytes)
    case .uuid(let id): return .fixed(id.fixedBytes)
    case .decimal(let decimal): return .fixed(decimal.fixedBytes)
    default: return .int(value.word)
    }
  }
}

extension Property {
  /// What zeros in a column mean.
  var zero: StoredValue {
    switch type {
    case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
    case .decimal128: .decimal(Decimal128(fixed: nil))
    default: missing
    }
  }
}

extension StoredValue {
  /// The same for equal numbers, which a set has once however they are written: 0 and -0, 1.0 and
  /// 1.00.
  fileprivate var canonical: StoredValue {
    switch self {
    case .float(let value) where value == 0: .float(0)
    case .double(let value) where value == 0: .double(0)
    case .decimal(let value): .decimal(value.canonical)
    default: self
    }
  }

  /// A value of a column of whole numbers.
  var word: Int64 {
    switch self {
    case .int(let value): value
    case .bool(let value): value ? 1 : 0
    case .float(let value): Int64(value.bitPattern)
    case .double(let value): Int64(bitPattern: value.bitPattern)
    case .date(let value):
      Int64(bitPattern: value.timeIntervalSinceReferenceDate.bitPattern)
    case .link(let value): value.key
    default: 0
    }
  }

  /// The word under which an index finds the value. Equal values have equal words; others may, too.
  var indexWord: UInt64 {
    switch self {
    case .null, .instance: return 0x9E37_79B9_7F4A_7C15
    case .float(let value): return value == 0 ? 0 : UInt64(value.bitPattern)
    case .double(let value): return value == 0 ? 0 : value.bitPattern
    case .string(var value): return value.withUTF8 { StoredValue.hash(UnsafeRawBufferPointer($0)) }
    case .data(let value): return value.withUnsafeBytes(StoredValue.hash)
    case .objectId(let value): return value.fixedBytes.withUnsafeBytes(StoredValue.hash)
    case .uuid(let value): return value.fixedBytes.withUnsafeBytes(StoredValue.hash)
    case .decimal(let value): return value.canonical.fixedBytes.withUnsafeBytes(StoredValue.hash)
    case .int, .bool, .date, .link: return UInt64(bitPattern: word)
    // Found by whoever looks for a collection, which nobody can ask an index for.
    case .nested: return 0x51AF_D7ED_558C_CD77
    }
  }

  /// A hash that is written to the file, so it must never change.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    var place = 0
    while place + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      hash = (hash ^ word) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash >> 32
      place += 8
    }
    while place < bytes.count {
      hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01B3
      place += 1
    }
    hash ^= hash >> 29
    hash = hash &* 0xBF58_476D_1CE4_E5B9
    return hash ^ hash >> 32
  }
}
