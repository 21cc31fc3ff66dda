import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// A variable that any thread may read, and what was put into it.
struct Variable {
  let held: any Held
  /// The value for whoever asks.
  let read: () -> (any Held)?
}

// Other threads, other files, and what goes from one to another.
extension WideRun {
  private static let mostVariables = 5

  /// Opens the file on a new thread, looks at it, reads all variables, writes, and lets go.
  func goAway(_ act: WideProgram.Act) throws -> String? {
    // Nobody else does anything meanwhile.
    nonisolated(unsafe) let body: () -> String? = { [unowned self] in away(act) }
    let said = Mutex<String?>(nil)
    let end = Latch("a thread")
    let thread = Thread {
      let complaint = body()
      said.withLock { $0 = complaint }
      end.open()
    }
    thread.stackSize = 8 << 20
    thread.start()
    if end.wait(patience) { return said.withLock { $0 } }
    return "a thread that reads and writes does not end"
  }

  private func away(_ act: WideProgram.Act) -> String? {
    do {
      var dice = SplitMix(seed: UInt64(act.salt) << 8 | UInt64(act.value))
      let realm = try Realm(configuration: configuration)
      var reader = Reader(name: "a realm on a thread", realm: realm, state: newest)
      if let complaint = difference(of: reader, questions: 1, &dice) { return complaint }
      if let complaint = readVariables(reader, &dice) { return complaint }
      if act.value % 3 == 0 { return nil }
      try realm.write { change(act.asChange(0), by: &reader) }
      newest = reader.state
      touched.commit()
      return difference(of: reader, questions: 1, &dice)
    } catch {
      return "on another thread it threw: \(error)"
    }
  }

  /// Makes one, or reads all.
  func variable(_ act: WideProgram.Act, _ realm: Realm) -> String? {
    guard let here else { return nil }
    var dice = SplitMix(seed: UInt64(act.salt))
    let all = keepsakes.filter { keepsake in
      keepsake.frozenState == nil && keepsake.held.isThere(in: here.state)
        && (!isWriting || keepsake.held is any HeldRow)
    }
    if act.value % 2 == 0, !all.isEmpty {
      let held = all.oneOfTheLast(act.member).held
      guard let read = held.variable() else { return nil }
      if variables.count == WideRun.mostVariables { variables.removeFirst() }
      variables.append(Variable(held: held, read: read))
      if !isWriting { return nil }
    }
    if !isWriting {
      realm.refresh()
      self.here?.state = newest
      if let complaint = attended() { return complaint }
    }
    return self.here.flatMap { readVariables($0, &dice) }
  }

  /// Each is read twice, by whoever is on the newest version.
  private func readVariables(_ reader: Reader, _ dice: inout SplitMix) -> String? {
    for variable in variables {
      // What a write has added nobody else can find, and what it asks for is no question to
      // others.
      if reader.realm.isInWriteTransaction, !(variable.held is any HeldRow) { continue }
      let isThere = variable.held.isThere(in: reader.state)
      for _ in 0..<2 {
        comparisons += 1
        guard let value = variable.read() else {
          if isThere { return "\(reader.name): a variable with \(variable.held.name) is nil" }
          continue
        }
        if isThere {
          if let complaint = value.complaint(reader.finder, &dice) {
            return "\(reader.name), by a variable: \(complaint)"
          }
        } else if variable.held.tellsItsEnd {
          return "\(reader.name): a variable with \(variable.held.name), deleted, is not nil"
        }
      }
    }
    return nil
  }
}
