import Foundation

@testable import ReferenceEngine

/// Tells a story to the engine and to the model at once, and compares after every step.
///
/// A version is compared row by row when it is published and when it is let go. In between nothing
/// of it may change, so after every step each node of each version that somebody holds is compared
/// with its checksum.
struct Storyteller {
  /// Opens the file: twice, and again where the story says so.
  let open: () throws -> Coordinator

  struct Ending: Error, CustomStringConvertible {
    let step: Int
    let problem: String
    var description: String { "step \(step): \(problem)" }
  }

  private struct Held {
    let snapshot: Snapshot
    let model: StoryModel
    let nodes: [(ref: NodeRef, bytes: Int, checksum: UInt32)]
  }

  /// - Returns: how many comparisons of versions were made.
  @discardableResult
  func tell(_ story: [StoryStep]) throws(Ending) -> Int {
    var telling: Telling
    do { telling = try Telling(open) } catch { throw Ending(step: 0, problem: "\(error)") }
    for (number, step) in story.enumerated() {
      do {
        if let problem = try telling.take(step) { throw Ending(step: number, problem: problem) }
      } catch let ending as Ending {
        throw ending
      } catch {
        throw Ending(step: number, problem: "\(error)")
      }
    }
    do {
      if let problem = try telling.end() { throw Ending(step: story.count, problem: problem) }
    } catch let ending as Ending {
      throw ending
    } catch {
      throw Ending(step: story.count, problem: "\(error)")
    }
    return telling.comparisons
  }

  /// A short story that ends as badly as a long one: parts are left out as long as it does.
  func shortened(_ story: [StoryStep], limit: Duration = .seconds(60)) -> [StoryStep] {
    let deadline = ContinuousClock.now + limit
    func endsBadly(_ story: [StoryStep]) -> Int? {
      do { try tell(story) } catch { return error.step }
      return nil
    }
    guard let end = endsBadly(story) else { return story }
    var story = Array(story.prefix(end + 1))
    var size = max(1, story.count / 2)
    while ContinuousClock.now < deadline {
      var start = 0
      var isShorter = false
      while start < story.count, ContinuousClock.now < deadline {
        var candidate = story
        candidate.removeSubrange(start..<min(story.count, start + size))
        if let end = endsBadly(candidate) {
          story = Array(candidate.prefix(end + 1))
          isShorter = true
        } else {
          start += size
        }
      }
      if size == 1 && !isShorter { break }
      size = max(1, size / 2)
    }
    return story
  }

  /// The state of a telling.
  private struct Telling {
    let open: () throws -> Coordinator
    var writers: [Coordinator]
    var current = 0
    var write: (transaction: WriteTransaction, trees: StoryWriter)?
    /// What is published, what the sealed commits of a group made of it, and what the write does.
    var published = StoryModel()
    var sealed: StoryModel?
    var model = StoryModel()
    var held: [Held] = []
    var comparisons = 0
    var touched: [StoryStep] = []

    init(_ open: @escaping () throws -> Coordinator) throws {
      self.open = open
      writers = [try open(), try open()]
    }

    mutating func take(_ step: StoryStep) throws -> String? {
      switch step {
      case .commit(let how): return try commit(how)
      case .seal:
        guard let (transaction, trees) = write else { return nil }
        write = nil
        // Every way to the file: at once, with the others, and with those before it alone.
        let root = try transaction.seal(
          waits: transaction.version.number % 3 > 0, settle: trees.trees.settle(into:))
        if transaction.version.number % 4 == 0 { _ = try writers[current].place(root) }
        sealed = model
      case .cancel:
        write?.transaction.cancel()
        write = nil
        model = sealed ?? published
        touched = []
      case .hold: return try hold()
      case .release(let index):
        if held.isEmpty { return nil }
        let gone = held.remove(at: index % held.count)
        return compare(gone.snapshot.root, gone.model, "a version let go")
      case .changeWriter, .reopen:
        if let problem = try commit(.none) { return problem }
        current = 1 - current
        if step == .reopen { writers[current] = try open() }
      default:
        try begin().apply(step)
        model.apply(step)
        touched.append(step)
      }
      return nil
    }

    private mutating func begin() throws -> StoryWriter {
      if let write { return write.trees }
      let writer = writers[current]
      let transaction = try sealed == nil ? writer.beginWrite() : writer.continueGroup()
      let trees = StoryWriter(transaction)
      write = (transaction, trees)
      return trees
    }

    private mutating func commit(_ how: CommitProtocol) throws -> String? {
      let writer = writers[current]
      if let (transaction, trees) = write {
        write = nil
        _ = try transaction.commit(how, settle: trees.trees.settle(into:))
      } else if sealed != nil {
        _ = try writer.commitGroup(how)
      } else {
        return nil
      }
      sealed = nil
      published = model
      defer { touched = [] }
      return compareTouched(writer) ?? compareHeld()
    }

    private mutating func hold() throws -> String? {
      let snapshot = try writers[current].newestSnapshot(kind: .frozen)
      var nodes: [(ref: NodeRef, bytes: Int, checksum: UInt32)] = []
      try NodeWalk(space: snapshot.space, end: snapshot.root.end, tree: .trees)
        .each(from: snapshot.top, path: "story") { ref, header in
          nodes.append((ref, header.bytes, header.checksum))
          return true
        }
      held.append(Held(snapshot: snapshot, model: published, nodes: nodes))
      if held.count > 8 { held.removeFirst() }
      return compare(snapshot.root, published, "the newest version")
    }

    mutating func end() throws -> String? {
      write?.transaction.cancel()
      write = nil
      if sealed != nil { _ = try writers[current].commitGroup(CommitProtocol.none) }
      published = sealed ?? published
      for version in held {
        if let problem = compare(version.snapshot.root, version.model, "a held version") {
          return problem
        }
      }
      let writer = writers[current]
      try writer.checkEverything()
      let newest = try writer.newestSnapshot(kind: .live)
      return compare(newest.root, published, "the last version")
    }

    // MARK: comparing

    private mutating func compare(_ root: Root, _ model: StoryModel, _ what: String) -> String? {
      comparisons += 1
      let found = StoryWriter.model(of: root, in: writers[0].space)
      return found == model ? nil : "\(what), \(root.version), has another content"
    }

    /// The rows that the commit touched, as everybody sees them now.
    private mutating func compareTouched(_ writer: Coordinator) -> String? {
      comparisons += 1
      let top = Top(space: writer.space, ref: writer.board.newestRoot.top)
      var tables: [Int: Table] = [:]
      for step in touched {
        guard let (number, key) = step.row else { continue }
        let table = tables[number] ?? top.table(number)
        tables[number] = table
        let found = table?.rows.find(key).map { StoryWriter.row($0, writer.space) }
        if found != published.tables[number].rows[key] {
          return "row \(key) of table \(number) is \(String(describing: found))"
        }
      }
      for number in 0..<StoryStep.tables {
        let count = top.table(number)?.rows.count ?? 0
        if count != published.tables[number].rows.count {
          return "table \(number) has \(count) rows"
        }
      }
      return nil
    }

    private mutating func compareHeld() -> String? {
      for version in held {
        comparisons += 1
        let space = version.snapshot.space
        for node in version.nodes
        where Checksum.ofNode(
          space.node(node.ref), bytes: node.bytes, at: node.ref, of: space.file) != node.checksum
        {
          return "the node at \(node.ref.raw) of held version \(version.snapshot.version) changed"
        }
      }
      return nil
    }
  }
}

extension StoryStep {
  /// The row that a step touches.
  var row: (table: Int, key: Int64)? {
    switch self {
    case .insert(let table, let key, _, _), .delete(let table, let key),
      .setNumber(let table, let key, _), .setText(let table, let key, _),
      .addToList(let table, let key, _, _), .removeFromList(let table, let key, _):
      (table, key)
    default: nil
    }
  }
}
