import Foundation

/// The kinds of property whose values lie in their column as they are: what most of most objects is
/// made of.
///
/// `Persisted` is generic, and filling a row through it makes the runtime look up its metadata
/// value by value: more than all the rest of an insert costs. A kind says which of the known forms
/// the storage has, and nothing is looked up.
enum PlainKind: UInt8 {
  case int, int8, int16, int32, int64, bool, float, double, date, string
  case optionalInt, optionalInt8, optionalInt16, optionalInt32, optionalInt64, optionalBool
  case optionalFloat, optionalDouble, optionalDate, optionalString

  /// Nil for a type whose values are more than a value: links, collections, enumerations.
  init?(_ type: any _Persistable.Type) {
    switch ObjectIdentifier(type) {
    case ObjectIdentifier(Int.self): self = .int
    case ObjectIdentifier(Int?.self): self = .optionalInt
    case ObjectIdentifier(Int8.self): self = .int8
    case ObjectIdentifier(Int8?.self): self = .optionalInt8
    case ObjectIdentifier(Int16.self): self = .int16
    case ObjectIdentifier(Int16?.self): self = .optionalInt16
    case ObjectIdentifier(Int32.self): self = .int32
    case ObjectIdentifier(Int32?.self): self = .optionalInt32
    case ObjectIdentifier(Int64.self): self = .int64
    case ObjectIdentifier(Int64?.self): self = .optionalInt64
    case ObjectIdentifier(Bool.self): self = .bool
    case ObjectIdentifier(Bool?.self): self = .optionalBool
    case ObjectIdentifier(Float.self): self = .float
    case ObjectIdentifier(Float?.self): self = .optionalFloat
    case ObjectIdentifier(Double.self): self = .double
    case ObjectIdentifier(Double?.self): self = .optionalDouble
    case ObjectIdentifier(Date.self): self = .date
    case ObjectIdentifier(Date?.self): self = .optionalDate
    case ObjectIdentifier(String.self): self = .string
    case ObjectIdentifier(String?.self): self = .optionalString
    default: return nil
    }
  }

  /// The wrapper of such a property, and no search for what it takes to have one.
  var wrapper: any PersistedStorage.Type {
    switch self {
    case .int: PlainKind.wrapper(of: Int.self)
    case .int8: PlainKind.wrapper(of: Int8.self)
    case .int16: PlainKind.wrapper(of: Int16.self)
    case .int32: PlainKind.wrapper(of: Int32.self)
    case .int64: PlainKind.wrapper(of: Int64.self)
    case .bool: PlainKind.wrapper(of: Bool.self)
    case .float: PlainKind.wrapper(of: Float.self)
    case .double: PlainKind.wrapper(of: Double.self)
    case .date: PlainKind.wrapper(of: Date.self)
    case .string: PlainKind.wrapper(of: String.self)
    case .optionalInt: PlainKind.optionalWrapper(of: Int.self)
    case .optionalInt8: PlainKind.optionalWrapper(of: Int8.self)
    case .optionalInt16: PlainKind.optionalWrapper(of: Int16.self)
    case .optionalInt32: PlainKind.optionalWrapper(of: Int32.self)
    case .optionalInt64: PlainKind.optionalWrapper(of: Int64.self)
    case .optionalBool: PlainKind.optionalWrapper(of: Bool.self)
    case .optionalFloat: PlainKind.optionalWrapper(of: Float.self)
    case .optionalDouble: PlainKind.optionalWrapper(of: Double.self)
    case .optionalDate: PlainKind.optionalWrapper(of: Date.self)
    case .optionalString: PlainKind.optionalWrapper(of: String.self)
    }
  }

  // Never specialised: who knows the type asks the runtime for it by its name, and the runtime then
  // searches everything that is loaded for the conformance. Here it is handed over.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func wrapper<Value: _Persistable>(of _: Value.Type) -> any PersistedStorage.Type {
    Persisted<Value>.self
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func optionalWrapper<Value: _OptionalPersistable>(
    of _: Value.Type
  ) -> any PersistedStorage.Type { Persisted<Value?>.self }

  /// Of a type's name as images have it, without the end of the name of the wrapper that it is
  /// for; nil for all that are not known by their names.
  init?(mangled name: Substring) {
    switch name {
    case "Si": self = .int
    case "SiSg": self = .optionalInt
    case "s4Int8V": self = .int8
    case "s4Int8VSg": self = .optionalInt8
    case "s5Int16V": self = .int16
    case "s5Int16VSg": self = .optionalInt16
    case "s5Int32V": self = .int32
    case "s5Int32VSg": self = .optionalInt32
    case "s5Int64V": self = .int64
    case "s5Int64VSg": self = .optionalInt64
    case "Sb": self = .bool
    case "SbSg": self = .optionalBool
    case "Sf": self = .float
    case "SfSg": self = .optionalFloat
    case "Sd": self = .double
    case "SdSg": self = .optionalDouble
    case "SS": self = .string
    case "SSSg": self = .optionalString
    default: return nil
    }
  }

  /// Writes the value of a free object into a row that is new, so that its columns hold zeros and
  /// nulls.
  @inline(__always)
  func fill(
    from raw: UnsafeMutableRawPointer, _ table: TableWriter, _ place: RowPlace, _ column: Int
  ) {
    let target = NewValue(
      raw: raw, table: .passUnretained(table), place: place, column: column)
    switch self {
    case .int: target.put(0) { Int64($0 as Int) }
    case .int8: target.put(0) { Int64($0 as Int8) }
    case .int16: target.put(0) { Int64($0 as Int16) }
    case .int32: target.put(0) { Int64($0 as Int32) }
    case .int64: target.put(0) { $0 as Int64 }
    case .bool: target.put(false) { $0 ? 1 : 0 }
    case .float: target.put(0) { Int64(($0 as Float).bitPattern) }
    case .double: target.put(0) { Int64(bitPattern: ($0 as Double).bitPattern) }
    case .date: target.put(Date(timeIntervalSince1970: 0), word)
    case .string: target.putText()
    case .optionalInt: target.putPresent { Int64($0 as Int) }
    case .optionalInt8: target.putPresent { Int64($0 as Int8) }
    case .optionalInt16: target.putPresent { Int64($0 as Int16) }
    case .optionalInt32: target.putPresent { Int64($0 as Int32) }
    case .optionalInt64: target.putPresent { $0 as Int64 }
    case .optionalBool: target.putPresent { ($0 as Bool) ? 1 : 0 }
    case .optionalFloat: target.putPresent { Int64(($0 as Float).bitPattern) }
    case .optionalDouble: target.putPresent { Int64(bitPattern: ($0 as Double).bitPattern) }
    case .optionalDate: target.putPresent(word)
    case .optionalString: target.putPresentText()
    }
  }

  @inline(__always)
  private func word(_ date: Date) -> Int64 {
    Int64(bitPattern: date.timeIntervalSinceReferenceDate.bitPattern)
  }
}

/// A value on its way from an object's storage into a new row.
private struct NewValue {
  let raw: UnsafeMutableRawPointer
  /// Whoever fills a row has it: to count it for each value was a fortieth of an insertion.
  let table: Unmanaged<TableWriter>
  let place: RowPlace
  let column: Int

  @inline(__always)
  private func wrapper<Value>(_: Value.Type) -> UnsafeMutablePointer<Persisted<Value>> {
    raw.assumingMemoryBound(to: Persisted<Value>.self)
  }

  @inline(__always)
  func put<Value: _Persistable>(_ standard: Value, _ word: (Value) -> Int64) {
    let word = word(wrapper(Value.self).pointee.value ?? standard)
    if word != 0 { set(word) }
  }

  @inline(__always)
  func putPresent<Value: _OptionalPersistable>(_ word: (Value) -> Int64) {
    if case .some(.some(let value)) = wrapper(Value?.self).pointee.value { set(word(value)) }
  }

  @inline(__always)
  private func set(_ word: Int64) {
    table._withUnsafeGuaranteedRef { $0.setInt(place, column, word) }
  }

  @inline(__always)
  func putText() {
    let wrapper = wrapper(String.self)
    guard var text = wrapper.pointee.value else { return }
    // Let go of: the row has it.
    wrapper.pointee.value = nil
    if !text.isEmpty { write(&text) }
  }

  @inline(__always)
  func putPresentText() {
    let wrapper = wrapper(String?.self)
    guard case .some(.some(var text)) = wrapper.pointee.value else { return }
    wrapper.pointee.value = nil
    write(&text)
  }

  @inline(__always)
  private func write(_ text: inout String) {
    text.withUTF8 { text in
      LongValues.verify(text: text.count)
      table._withUnsafeGuaranteedRef {
        $0.setBytes(place, column, UnsafeRawBufferPointer(text))
      }
    }
  }
}
