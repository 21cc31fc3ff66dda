/// How far some work has gone into itself, as deep as a caller's data do, and what of it waits.
///
/// Objects link to objects, and values describe objects within objects, in chains that no stack is
/// as deep as. So many levels the work calls itself, which keeps the order of things; what lies
/// deeper is put off until it is back where it began, and goes on from there.
struct Descent {
  /// A level may take some kilobytes of a thread's stack, of which there may be 512.
  static let mostLevels = 16

  private(set) var level = 0
  private var due: [() -> Void] = []

  /// Goes one level down; false where that is too deep, and what is there is to be put off.
  @inline(__always)
  mutating func enter() -> Bool {
    if _slowPath(level == Descent.mostLevels) { return false }
    level += 1
    return true
  }

  mutating func putOff(_ work: @escaping () -> Void) { due.append(work) }

  /// Whether something waits for the work to be back where it began, which it is.
  @inline(__always)
  var mustGoOn: Bool { level == 1 && !due.isEmpty }

  mutating func next() -> (() -> Void)? { due.popLast() }

  @inline(__always)
  mutating func leave() { level -= 1 }
}
