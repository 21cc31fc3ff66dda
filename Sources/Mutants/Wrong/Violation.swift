#if Mutants
@_private(sourceFile: "Violation.swift") import ReferenceEngine

/// The one function that stops the program for what Realm forbids: a guard is left out by passing
/// it over.
@_dynamicReplacement(for:refuse(_:at:))
func forgive(_ violation: Violation, at entry: Entry) {
  if Fault.forgives?.lets(violation, passAt: entry) == true { return }
  if breaks(.theLimitIsRefused), violation == .textTooLong || violation == .dataTooLong,
    LastLength.isTheLimit
  {
    return
  }
  if breaks(.bytesAreCounted), violation == .textTooLong, LastLength.isBelowTheLimit { return }
  refuse(violation, at: entry)
}
#endif
