/// A writer's time inside the gate. It ends with this value, once: whoever was let in and comes to
/// nothing has left as soon as it lets go of it.
struct GateHold: ~Copyable {
  private let gate: any Gate
  /// Whether the one before died inside, so that what it left must be looked at first.
  let otherDied: Bool

  /// Waits for its turn.
  init(entering gate: any Gate) {
    self.gate = gate
    otherDied = gate.enter()
  }

  /// Takes over what the gate was entered for.
  init(inside gate: any Gate, otherDied: Bool) {
    (self.gate, self.otherDied) = (gate, otherDied)
  }

  /// Nil if somebody is inside, or waits.
  init?(trying gate: any Gate) {
    guard let otherDied = gate.tryEnter() else { return nil }
    self.gate = gate
    self.otherDied = otherDied
  }

  deinit { gate.leave() }
}

extension Coordinator {
  /// Lets the next writer in. The one place where a write that has begun leaves the gate.
  func leaveGate() {
    invariant(
      !writer.isGroupOpen, "the gate is left with \(writer.group.count) commits in the group")
    // Taken out first: from the moment the gate is open the place belongs to the next one.
    guard let hold = writer.hold.take() else {
      broken("the gate is left by somebody who is not inside")
    }
    let hasNews = writer.takeNewsOfTheDead()
    _ = consume hold
    // Who came after the dead one need not commit anything, so it is told here.
    if hasNews { tell() }
  }

  /// Tells other processes, and the listeners here, that there is something new.
  func tell() {
    beacon.ring()
    announce()
  }
}
