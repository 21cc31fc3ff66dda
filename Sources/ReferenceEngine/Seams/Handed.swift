/// A value on its way to its own home; nobody touches it meanwhile.
struct Handed<Value>: @unchecked Sendable {
  // Sendable because only code that runs at the value's home opens it.
  let value: Value
  init(_ value: Value) { self.value = value }
}
