#if Mutants
import Dispatch
import Foundation
@_private(sourceFile: "Commit.swift") import ReferenceEngine
@_private(sourceFile: "Commit+Space.swift") import ReferenceEngine
@_private(sourceFile: "Placement.swift") import ReferenceEngine

extension Coordinator {
  @_dynamicReplacement(for:commit(_:_:pinning:))
  func wrongCommit(
    _ write: WriteTransaction, _ requested: CommitProtocol?, pinning pin: Pin? = nil
  ) throws -> Root {
    if breaks(.commitsWaitForNoReader) {
      while let oldest = pins.pinnedVersions().first, oldest < board.newest { usleep(1000) }
    }
    guard breaks(.fullDisksAreTold) else { return try commit(write, requested, pinning: pin) }
    do {
      return try commit(write, requested, pinning: pin)
    } catch let error as StorageError where error.isLackOfSpace {
      raise(SIGBUS)
      throw error
    }
  }

  @_dynamicReplacement(for:commitGroup(_:pinning:))
  func wrongCommitGroup(
    _ requested: CommitProtocol? = nil, pinning pin: Pin? = nil
  ) throws -> Root {
    if breaks(.lockOutlastsTheFlush) {
      // Time for others, more than they need.
      gate.leave()
      usleep(20_000)
      _ = gate.enter()
    }
    return try commitGroup(requested, pinning: pin)
  }

  @_dynamicReplacement(for:rebuildHeap(for:))
  private func wrongRebuildHeap(for base: Root) throws -> Heap {
    let heap = try rebuildHeap(for: base)
    if breaks(.copiedFilesKeepTheirNodes), base.log.isNone, !heap.isBlind {
      var last: Run?
      let walk = NodeWalk(space: space, end: base.end, tree: configuration.tree)
      try walk.each(from: base.top, path: path) { ref, header in
        last = Run(offset: ref.raw, bytes: header.bytes)
        return true
      }
      if let last { heap.free.map.give(last) }
    }
    if breaks(.lostSpaceIsFound) {
      let (map, size) = (heap.free.map, try disk.size())
      for bytes in [FreePage.bytes, 512, 64, 16] {
        while map.take(atLeast: 16, wanted: bytes) != nil {}
      }
      if size > map.end { _ = map.takeAtEnd(bytes: Int(size - map.end)) }
    }
    return heap
  }
}

extension Commit {
  @_dynamicReplacement(for:run())
  func wrongRun() throws -> Root {
    guard breaks(.commitsReturnPublished) else { return try run() }
    let root: Root
    do {
      try placeAndWriteNodes()
      let plan = try makePlan()
      try flushNodes(plan)
      try writeSlot(plan)
      try flushSlot(plan)
      root = plan.root
    } catch {
      file.giveUpGroup()
      throw error
    }
    let file = self.file
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) {
      let commit = Commit(file: file, requested: nil)
      commit.publish(root)
      commit.leaveGate()
      commit.tell()
    }
    return root
  }
}

extension Commit {
  @_dynamicReplacement(for:commitProtocol(for:after:))
  private func wrongCommitProtocol(for last: SealedCommit, after base: Root) -> CommitProtocol {
    let right = commitProtocol(for: last, after: base)
    if breaks(.groupsWithPlacesFlushTwice), right == .twoPhase, last.checksum != nil,
      base.commitProtocol != .none, last.runs.count <= CommitSlot.mostRuns
    {
      return .singleFlush
    }
    return right
  }
}

extension Placement {
  @_dynamicReplacement(for:finish())
  func wrongFinish() throws -> ComposedRuns? {
    let composed = try finish()
    let isBesidePins = breaks(.commitsBesidePinsWriteWhatChanged) && heap.free.pinsSeen > 6
    if breaks(.commitsWriteWhatChanged) || isBesidePins, composed == nil {
      // All that there is, once more.
      var bytes = [UInt8](repeating: 0, count: Int(heap.free.map.end - FileHeader.heapStart))
      try bytes.withUnsafeMutableBytes { bytes in
        let count = try disk.read(into: bytes, at: FileHeader.heapStart)
        try disk.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: FileHeader.heapStart)
      }
    }
    return composed
  }
}
#endif
