import CRealmCore
import Foundation

/// A single value between Swift and realm-core.
enum StoredValue: Hashable, @unchecked Sendable {
  // Sendable but for `object`, which never leaves the thread that made it.
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case objectId(ObjectId)
  case uuid(UUID)
  case decimal(Decimal128)
  /// A row of the realm that is asked.
  case link(RowLink)
  /// An object on its way into the realm: in it already, or to be added first.
  case object(ObjectBase)
}

/// A row by realm-core's keys of its class and its own.
struct RowLink: Hashable, Sendable {
  let table: UInt32
  let key: Int64
}

/// A value, and the session that resolves its links.
public struct _Stored {
  let value: StoredValue
  let session: Session?

  init(_ value: StoredValue, _ session: Session? = nil) {
    self.value = value
    self.session = session
  }

  /// The object at the end of a link, as a class; nil if there is none.
  func object(as type: ObjectBase.Type) -> ObjectBase? {
    switch value {
    case .object(let object): return object
    case .link(let link):
      guard let session else { return nil }
      return session.object(at: link, as: type)
    default: return nil
    }
  }
}

extension StoredValue {
  /// What realm-core gave.
  init(_ raw: rc_value) {
    switch Int(raw.type) {
    case Int(rc_int): self = .int(raw.integer)
    case Int(rc_bool): self = .bool(raw.boolean)
    case Int(rc_string):
      self = .string(
        raw.bytes.data.map {
          String(
            decoding: UnsafeRawBufferPointer(start: $0, count: raw.bytes.size), as: UTF8.self)
        } ?? "")
    case Int(rc_binary):
      self = .data(raw.bytes.data.map { Data(bytes: $0, count: raw.bytes.size) } ?? Data())
    case Int(rc_timestamp):
      self = .date(
        Date(
          timeIntervalSince1970: Double(raw.timestamp.seconds)
            + Double(raw.timestamp.nanoseconds) / 1e9))
    case Int(rc_float): self = .float(raw.fnum)
    case Int(rc_double): self = .double(raw.dnum)
    case Int(rc_decimal): self = .decimal(Decimal128(high: raw.decimal.1, low: raw.decimal.0))
    case Int(rc_object_id):
      self = .objectId(withUnsafeBytes(of: raw.id) { ObjectId(bytes: $0) })
    case Int(rc_uuid):
      self = .uuid(withUnsafeBytes(of: raw.uuid) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case Int(rc_link): self = .link(RowLink(table: raw.link.table, key: raw.link.key))
    default: self = .null
    }
  }

  /// The value as realm-core takes it, as long as the call lasts. An object has to be a link by
  /// now.
  func withCore<R>(_ body: (rc_value) -> R) -> R {
    var raw = rc_value()
    switch self {
    case .null: raw.type = Int32(rc_null)
    case .int(let value):
      raw.type = Int32(rc_int)
      raw.integer = value
    case .bool(let value):
      raw.type = Int32(rc_bool)
      raw.boolean = value
    case .float(let value):
      raw.type = Int32(rc_float)
      raw.fnum = value
    case .double(let value):
      raw.type = Int32(rc_double)
      raw.dnum = value
    case .string(let value):
      var text = value
      return text.withUTF8 { bytes in
        raw.type = Int32(rc_string)
        // An empty text has an address all the same: none would be null.
        return withUnsafeBytes(of: 0) { none in
          let place = bytes.baseAddress.map { UnsafeRawPointer($0) } ?? none.baseAddress!
          raw.bytes = rc_bytes(data: place.assumingMemoryBound(to: CChar.self), size: bytes.count)
          return body(raw)
        }
      }
    case .data(let value):
      return value.withUnsafeBytes { bytes in
        raw.type = Int32(rc_binary)
        return withUnsafeBytes(of: 0) { none in
          let place = bytes.baseAddress ?? none.baseAddress!
          raw.bytes = rc_bytes(data: place.assumingMemoryBound(to: CChar.self), size: bytes.count)
          return body(raw)
        }
      }
    case .date(let value):
      raw.type = Int32(rc_timestamp)
      let whole = value.timeIntervalSince1970
      // Both parts have the same sign, as realm-core wants them.
      let seconds = whole.rounded(.towardZero)
      raw.timestamp.seconds = Int64(seconds)
      raw.timestamp.nanoseconds = Int32(((whole - seconds) * 1e9).rounded(.towardZero))
    case .objectId(let value):
      raw.type = Int32(rc_object_id)
      withUnsafeMutableBytes(of: &raw.id) { value.write(to: $0) }
    case .uuid(let value):
      raw.type = Int32(rc_uuid)
      withUnsafeMutableBytes(of: &raw.uuid) { $0.storeBytes(of: value.uuid, as: uuid_t.self) }
    case .decimal(let value):
      raw.type = Int32(rc_decimal)
      raw.decimal = (value.low, value.high)
    case .link(let link):
      raw.type = Int32(rc_link)
      raw.link.table = link.table
      raw.link.key = link.key
    case .object(let object):
      guard let handle = object.handle else {
        Facade.refuse("an object becomes a link before realm-core gets it")
      }
      raw.type = Int32(rc_link)
      raw.link.table = core.realm_object_get_table(handle)
      raw.link.key = core.realm_object_get_key(handle)
    }
    return body(raw)
  }

  /// The value as a number, if it is one.
  var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.doubleValue
    default: nil
    }
  }
}

extension ObjectId {
  convenience init(bytes: UnsafeRawBufferPointer) {
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
  }

  func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
    bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt32.self)
  }
}
