/// Takes a value past the compiler, as a user does who marks it `nonisolated(unsafe)`.
struct Smuggling<Value>: @unchecked Sendable {
  // Unchecked on purpose: what happens when it is used on the wrong side is what the probes look
  // at.
  let value: Value

  init(_ value: Value) { self.value = value }
}
