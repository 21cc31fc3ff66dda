import Foundation

// A value of any type in a column of bytes: one byte for the type, then the value. What
// AnyRealmValue keeps.

extension StoredValue {
  private enum Tag: UInt8 {
    /// How many bytes follow; nil if any number may.
    var size: Int? {
      switch self {
      case .null: 0
      case .bool: 1
      case .float: 4
      case .int, .double, .date: 8
      case .objectId: 12
      case .uuid, .decimal, .link: 16
      case .string, .data, .list, .dictionary: nil
      }
    }

    case null = 0
    case int = 1
    case bool = 2
    case float = 3
    case double = 4
    case string = 5
    case data = 6
    case date = 7
    case objectId = 8
    case uuid = 9
    case decimal = 10
    case link = 11
    case list = 12
    case dictionary = 13
  }

  /// What every decimal begins with.
  static let tagOfDecimals = Tag.decimal.rawValue

  /// The value with its type in front. An object must have become a link before.
  var taggedBytes: [UInt8] {
    func bytes<T>(_ tag: Tag, _ value: T) -> [UInt8] {
      [tag.rawValue] + withUnsafeBytes(of: value) { Array($0) }
    }
    switch self {
    case .null, .instance: return [Tag.null.rawValue]
    case .int(let value): return bytes(.int, value.littleEndian)
    case .bool(let value): return [Tag.bool.rawValue, value ? 1 : 0]
    case .float(let value): return bytes(.float, value.bitPattern.littleEndian)
    case .double(let value): return bytes(.double, value.bitPattern.littleEndian)
    case .string(let value): return [Tag.string.rawValue] + Array(value.utf8)
    case .data(let value): return [Tag.data.rawValue] + Array(value)
    case .date(let value):
      return bytes(.date, value.timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    case .objectId(let value): return [Tag.objectId.rawValue] + value.fixedBytes
    case .uuid(let value): return bytes(.uuid, value.uuid)
    case .decimal(let value):
      return bytes(.decimal, (value.low.littleEndian, value.high.littleEndian))
    case .link(let value):
      return bytes(.link, (Int64(value.table).littleEndian, value.key.littleEndian))
    case .nested(let value): return [(value.isList ? Tag.list : .dictionary).rawValue] + value.bytes
    }
  }

  /// Reads what `taggedBytes` wrote; nil for what it never writes. Nothing at all is what a column
  /// has for rows from before it.
  ///
  /// - Parameter level: How many collections are around it.
  init?(tagged bytes: UnsafeRawBufferPointer, level: Int = 0) {
    guard let first = bytes.first else {
      self = .null
      return
    }
    guard let tag = Tag(rawValue: first), (tag.size ?? bytes.count - 1) == bytes.count - 1 else {
      return nil
    }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    func word(_ offset: Int = 0) -> UInt64 {
      UInt64(littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    switch tag {
    case .null: self = .null
    case .int: self = .int(Int64(bitPattern: word()))
    case .bool: self = .bool(rest.first == 1)
    case .float:
      self = .float(
        Float(bitPattern: UInt32(littleEndian: rest.loadUnaligned(as: UInt32.self))))
    case .double: self = .double(Double(bitPattern: word()))
    case .string: self = .string(String(decoding: rest, as: UTF8.self))
    case .data: self = .data(Data(rest))
    case .date: self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word())))
    case .objectId: self = .objectId(ObjectId(fixed: rest.baseAddress))
    case .uuid: self = .uuid(UUID(uuid: rest.loadUnaligned(as: uuid_t.self)))
    case .decimal: self = .decimal(Decimal128(high: word(8), low: word()))
    case .link:
      self = .link(
        RowLink(table: Int(Int64(bitPattern: word())), key: Int64(bitPattern: word(8))))
    case .list, .dictionary:
      guard let nested = NestedValue(bytes: rest, hasKeys: tag == .dictionary, level: level + 1)
      else { return nil }
      self = .nested(nested)
    }
  }
}

// Values of a fixed size as they lie in a column.

extension ObjectId {
  var fixedBytes: [UInt8] {
    withUnsafeBytes(of: high.bigEndian) { Array($0) }
      + withUnsafeBytes(of: low.bigEndian) { Array($0) }
  }

  convenience init(fixed bytes: UnsafeRawPointer?) {
    guard let bytes else {
      self.init()
      return
    }
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
  }
}

extension Decimal128 {
  var fixedBytes: [UInt8] {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { Array($0) }
  }

  init(fixed bytes: UnsafeRawPointer?) {
    guard let bytes else {
      // A column of nothing but zero bytes is not there; zero bytes are 0E-6176.
      self.init(high: 0, low: 0)
      return
    }
    self.init(
      high: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
      low: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
  }
}

extension UUID {
  var fixedBytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

  init(fixed bytes: UnsafeRawPointer?) {
    self.init(
      uuid: bytes?.loadUnaligned(as: uuid_t.self)
        ?? (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}
