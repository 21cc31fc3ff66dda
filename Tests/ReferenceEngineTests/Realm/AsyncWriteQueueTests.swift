import Testing

@testable import ReferenceEngine

@Suite struct AsyncWriteQueueTests {
  private typealias Queue = AsyncWriteQueue<Int, Int>

  @Test func `ASYNC-26: ids differ, for blocks and commits alike`() {
    var queue = Queue()
    var ids: Set<UInt32> = []
    for i in 0..<50 { ids.insert(queue.add(i)) }
    for i in 0..<50 { ids.insert(queue.seal(i, allowGrouping: true)) }
    #expect(ids.count == 100)
    #expect(!ids.contains(0))
  }

  @Test func `ASYNC-27: a cancelled block never runs, its neighbours do`() {
    var queue = Queue()
    let ids = (0..<3).map { queue.add($0) }
    queue.cancel(ids[1])
    let seen1 = queue.shouldRequest(inWrite: false)
    #expect(seen1)
    queue.granted()
    let seen2 = queue.next()?.block
    #expect(seen2 == 0)
    let seen3 = queue.next()?.block
    #expect(seen3 == 2)
    let seen4 = queue.next()
    #expect(seen4 == nil)
  }

  @Test func `ASYNC-28: cancelling a commit silences it and nothing else`() {
    var queue = Queue()
    _ = queue.seal(1, allowGrouping: true)
    let id = queue.seal(2, allowGrouping: true)
    _ = queue.seal(3, allowGrouping: true)
    queue.cancel(id)
    #expect(queue.isBusy)
    let seen5 = queue.synced().map(\.completion)
    #expect(seen5 == [1, 3])
  }

  @Test func `ASYNC-12: a commit that is refused is told behind those that were sealed before it`()
  {
    struct Full: Error {}
    var queue = Queue()
    for i in 1...3 { _ = queue.seal(i, allowGrouping: true) }
    let silenced = queue.refuse(4, Full())
    _ = queue.refuse(5, Full())
    _ = queue.seal(6, allowGrouping: true)
    queue.cancel(silenced)
    #expect(queue.isBusy)
    for told in [[1, 2], [3, 5], [6]] {
      let early = queue.takeRefused()
      #expect(early.isEmpty)
      let ended = queue.synced(told.filter { $0 != 5 }.count)
      #expect(ended.map(\.completion) == told)
      #expect(ended.allSatisfy { ($0.refusal != nil) == ($0.completion == 5) })
    }
    #expect(!queue.isBusy)
    _ = queue.refuse(7, Full())
    let alone = queue.takeRefused().map(\.completion)
    #expect(alone == [7])
    #expect(!queue.isBusy)
  }

  @Test func `ASYNC-29: cancelling what is unknown or done is nothing`() {
    var queue = Queue()
    let id = queue.add(0)
    _ = queue.shouldRequest(inWrite: false)
    queue.granted()
    _ = queue.next()
    queue.cancel(id)  // ASYNC-30: it runs right now
    queue.cancel(4711)
    _ = queue.seal(1, allowGrouping: false)
    let seen6 = queue.endTurn()
    #expect(seen6)
    let seen7 = queue.synced().map(\.completion)
    #expect(seen7 == [1])
    queue.cancel(id)
    #expect(!queue.isBusy)
  }

  @Test func `ASYNC-38: blocks queued in a write wait for its end`() {
    var queue = Queue()
    _ = queue.add(0)
    let seen8 = queue.shouldRequest(inWrite: true)
    #expect(!seen8)
    let seen9 = queue.shouldRequest(inWrite: false)
    #expect(seen9)
    let seen10 = queue.shouldRequest(inWrite: false)
    #expect(!seen10, "asked for once")
  }

  @Test func `ASYNC-45: at most twenty commits share a flush`() {
    var queue = Queue()
    for i in 0..<45 { _ = queue.add(i) }
    var turns: [Int] = []
    while queue.shouldRequest(inWrite: false) {
      queue.granted()
      while let next = queue.next() { _ = queue.seal(next.block, allowGrouping: true) }
      let seen11 = queue.endTurn()
      #expect(seen11)
      turns.append(queue.synced().count)
    }
    #expect(turns == [20, 20, 5])
  }

  @Test func `ASYNC-46: a commit without grouping is a barrier`() {
    var queue = Queue()
    for i in 0..<4 { _ = queue.add(i) }
    var turns: [[Int]] = []
    while queue.shouldRequest(inWrite: false) {
      queue.granted()
      while let next = queue.next() {
        _ = queue.seal(next.block, allowGrouping: next.block != 1)
      }
      let seen12 = queue.endTurn()
      #expect(seen12)
      turns.append(queue.synced().map(\.completion))
    }
    #expect(turns == [[0, 1], [2, 3]])
  }

  @Test func `ASYNC-18: what has not begun when the realm closes never runs`() {
    var queue = Queue()
    _ = queue.add(0)
    _ = queue.shouldRequest(inWrite: false)
    queue.dropWaiting()
    queue.granted()
    let seen13 = queue.next()
    #expect(seen13 == nil)
    let seen14 = queue.endTurn()
    #expect(!seen14)
    #expect(!queue.isBusy)
  }

  /// Everything that may happen to a queue, in every order up to a length.
  private enum Step: CaseIterable {
    case add, addTwo, cancelFirst, request, grant, run, runBarrier, end, sync
  }

  @Test func `ASYNC-11, ASYNC-12, ASYNC-14: every short history keeps order, once, and the flag`() {
    for length in 1...8 { explore(History(), length) }
  }

  private struct History {
    var queue = Queue()
    var added = 0
    var expected: [Int] = []
    var ran: [Int] = []
    var pending: [Int] = []
    var completed: [Int] = []
  }

  private func explore(_ history: History, _ left: Int) {
    guard left > 0 else { return }
    for step in Step.allCases {
      var next = history
      guard apply(step, &next) else { continue }
      #expect(next.ran == Array(next.expected.prefix(next.ran.count)))
      #expect(next.completed == Array(next.ran.prefix(next.completed.count)))
      #expect(next.completed + next.pending == next.ran)
      let isAtWork = next.ran.count < next.expected.count || !next.pending.isEmpty
      #expect(!isAtWork || next.queue.isBusy)
      explore(next, left - 1)
    }
  }

  /// Applies a step where the driver of the queue would; false if it cannot come now.
  private func apply(_ step: Step, _ history: inout History) -> Bool {
    switch step {
    case .add: add(&history)
    case .addTwo:
      add(&history)
      add(&history)
    case .cancelFirst:
      guard let first = history.queue.waiting.first else { return false }
      history.queue.cancel(first.id)
      history.expected.removeAll { $0 == first.block }
    case .request:
      guard history.queue.shouldRequest(inWrite: false) else { return false }
    case .grant:
      guard history.queue.phase == .requested else { return false }
      history.queue.granted()
    case .run, .runBarrier:
      guard let next = history.queue.next() else { return false }
      history.ran.append(next.block)
      history.pending.append(next.block)
      _ = history.queue.seal(next.block, allowGrouping: step == .run)
    case .end:
      guard history.queue.phase == .running else { return false }
      _ = history.queue.endTurn()
    case .sync:
      guard history.queue.phase == .syncing else { return false }
      history.completed += history.queue.synced().map(\.completion)
      history.pending = []
    }
    return true
  }

  private func add(_ history: inout History) {
    _ = history.queue.add(history.added)
    history.expected.append(history.added)
    history.added += 1
  }
}
