#if Mutants
import Synchronization
@_private(sourceFile: "RowWalk.swift") import ReferenceEngine

extension RLMIterator {
  @_dynamicReplacement(for:init(_:at:))
  init(wrong results: ResultsState, at positions: [Int]?) {
    RowWalk.isBeginning = true
    // Asked before what waits has come to its place.
    if breaks(.loopsWalkWhereRowsStay), positions == nil { RowWalk.asked = results.answer() }
    self.init(results, at: positions)
    (RowWalk.isBeginning, RowWalk.asked) = (false, nil)
    if breaks(.loopsWalkAsBegun), positions == nil, let walk {
      RowWalk.follow(results.question, by: walk)
    }
  }
}

extension RowWalk {
  @_dynamicReplacement(for:hasGone(_:))
  func wrongHasGone(_ key: Int64) -> Bool {
    if breaks(.cancelledMembersHaveNoHeirs) {
      return session.departures.have(key, of: table, after: startGeneration)
    }
    return hasGone(key) && !breaks(.successorsAreNoMembers)
  }

  /// Whether a loop begins. Unsafe without a lock because programs that walk a mutant's loops do so
  /// on one thread.
  nonisolated(unsafe) static var isBeginning = false
  /// What the loop that begins was asked for before anything was seen to.
  nonisolated(unsafe) fileprivate static var asked: Answer?

  /// What loops go through, to be asked again at every step.
  private static let followed = Mutex<[ObjectIdentifier: Question]>([:])

  fileprivate static func follow(_ question: Question, by walk: RowWalk) {
    followed.withLock { $0[ObjectIdentifier(walk)] = question }
  }

  @_dynamicReplacement(for:refill())
  private func wrongRefill() -> Bool {
    let question = RowWalk.followed.withLock { $0[ObjectIdentifier(self)] }
    guard clusters == nil, let asked = question?.asked(in: session) else { return refill() }
    keys = Array(asked.allKeys().prefix(listed + 1))
    return refill()
  }

  @_dynamicReplacement(for:movedAnew())
  private func wrongMovedAnew() -> Unmanaged<ObjectBase>? {
    guard breaks(.keptObjectsStayInWrites), session.isInWrite, let object,
      let place = placeInWrite(state.pointee.entry(state.pointee.next - 1).key)
    else { return movedAnew() }
    ObjectHeader.notePlace(
      object._header, state.pointee.entry(state.pointee.next - 1).key, place)
    return .passUnretained(object)
  }

  @_dynamicReplacement(for:placeInWrite(_:))
  private func wrongPlaceInWrite(_ key: Int64) -> RowPlace? {
    if breaks(.leavingRowsAreGone), let last = lastFound, let number = table.number,
      let writer = session.store.writer(number), writer.arrivals == nil,
      last.structure == writer.structure, last.write == session.writes.number
    {
      let (row, isFound) = last.cluster.place(of: key, in: writer.space)
      if isFound { return RowPlace(cluster: last.cluster, index: row) }
    }
    return placeInWrite(key)
  }
}

extension ResultsState {
  @_dynamicReplacement(for:answer())
  func wrongAnswerAtOnce() -> Answer {
    if let asked = RowWalk.asked { return asked }
    return answer()
  }
}

extension RowTree {
  @_dynamicReplacement(for:areWaiting)
  var wrongAreWaiting: Bool {
    if RowWalk.asked != nil { return false }
    return areWaiting
  }
}
#endif
