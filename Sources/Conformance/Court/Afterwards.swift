import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// What every probe is asked when its body has held: whether each file it had can still be used.
///
/// A rule asks for what it is about. What else went wrong meanwhile, a write turn that was not
/// given back, a version that somebody keeps, a listener that hears nothing any more, a file that
/// is not sound, shows here: a thread that has had no part in it opens the file, writes, is seen,
/// is heard and leaves. It does so with a class of its own, so that it need not know what the file
/// is for.
///
/// A probe that leaves a file which cannot be used says so (`Probe.leaves`).
final class Afterwards: Sendable {
  private static let begun = Atomic(false)
  /// Whether what this process does is no more the probe's own.
  static var hasBegun: Bool { begun.load(ordering: .relaxed) }

  /// Of probes with more files than these some are asked, with another seed others.
  static let mostFiles = 3

  private let stage: Stage
  private let file: URL
  /// What is asked just now: how the sentence goes on that begins with the file.
  private let question = Mutex("")

  private init(_ stage: Stage, _ file: URL) { (self.stage, self.file) = (stage, file) }

  /// Asks the files that are still there, until one cannot be used.
  static func ask(_ stage: Stage) {
    let files = stage.ownFiles.filter(isOrdinary)
    guard !files.isEmpty else { return }
    begun.store(true, ordering: .relaxed)
    if let hooks = Backstage.hooks {
      // What the probe had the disk do, it had it do for itself.
      hooks.stop()
      hooks.skipFlushes()
      hooks.beforeFlush(nil)
      for kind in [DiskFault.writes, .flushes] { hooks.fail(kind, after: 0, times: 0) }
    }
    var chance = stage.chance
    let chosen = files.count > mostFiles ? Array(files.shuffled(using: &chance)) : files
    for file in chosen.prefix(mostFiles) {
      guard Afterwards(stage, file).isWell() else { return }
    }
  }

  /// Whether there is a file that its owner may write.
  private static func isOrdinary(_ file: URL) -> Bool {
    var found = stat()
    return lstat(file.path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
      && found.st_mode & S_IWUSR != 0
  }

  private func isWell() -> Bool {
    let user = stage.thread("afterwards") { try self.use() }
    do {
      guard try user.join(Self.rest) || comes({ user.isDone }) else {
        return complain("it did not come")
      }
      _ = try user.join(.zero)
      guard let hooks = Backstage.hooks else { return true }
      ask("is sound")
      var keepers = try hooks.verify(file.path)
      ask("has no version that somebody keeps")
      // Who has ended lets go of what it had, but maybe a moment later.
      let isFree =
        try keepers.isEmpty
        || comes {
          keepers = try hooks.verify(file.path)
          return keepers.isEmpty
        }
      return isFree || complain(keepers.joined(separator: "; "))
    } catch { return complain("\(error)") }
  }

  /// Uses the file as anybody would.
  private func use() throws {
    ask("opens")
    var configuration = Realm.Configuration(
      fileURL: file, schemaVersion: try schemaVersionAtURL(file), objectTypes: [])
    do {
      // Without a class there is nothing that the opening had to write.
      let realm = try Realm(configuration: configuration)
      ask("lets a write begin")
      realm.beginWrite()
      realm.cancelWrite()
    }
    ask("takes one class more")
    configuration.objectTypes = [Afterthought.self]
    let (listener, reader) = (DispatchQueue(label: "listener"), DispatchQueue(label: "reader"))
    let (began, heard) = (Latch("its first call"), Latch("its call"))
    // Each is used on its own queue, and this thread waits meanwhile.
    var listening: (realm: Realm, token: NotificationToken)?
    var reading: Realm?
    try listener.sync {
      let realm = try Realm(configuration: configuration, queue: listener)
      let token = realm.objects(Afterthought.self).observe { change in
        if case .initial = change { began.open() } else { heard.open() }
      }
      listening = (realm, token)
    }
    let before = try reader.sync {
      let realm = try Realm(configuration: configuration, queue: reader)
      reading = realm
      return realm.objects(Afterthought.self).count
    }
    ask("calls a listener for the first time")
    wait(for: began)
    let realm = try Realm(configuration: configuration)
    ask("takes a commit")
    try realm.write { realm.add(Afterthought()) }
    ask("shows a commit to another realm that refreshes")
    let seen = reader.sync {
      reading?.refresh()
      return reading?.objects(Afterthought.self).count
    }
    guard seen == before + 1 else {
      throw Complaint(description: "\(seen ?? 0) objects instead of \(before + 1)")
    }
    ask("tells a listener of a commit")
    wait(for: heard)
    ask("is closed")
    listener.sync {
      listening?.token.invalidate()
      listening = nil
    }
    reader.sync { reading = nil }
  }

  // MARK: - Waiting and saying

  /// How long the main thread does nothing but wait: only who has left it something to do needs its
  /// loop, which may bring what the probe is not prepared for any more.
  private static let rest = Duration.milliseconds(200)

  /// Runs the main thread's loop until something is so; false if that was not in time.
  private func comes(_ condition: () throws -> Bool) rethrows -> Bool {
    let limit = ContinuousClock.now + stage.patience
    while try !condition() {
      guard ContinuousClock.now < limit else { return false }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
    }
    return true
  }

  /// For longer than whoever says that it did not come.
  private func wait(for latch: Latch) { _ = latch.wait(stage.patience * 2) }

  private func ask(_ words: String) { question.withLock { $0 = words } }

  /// Says what is wrong; always false.
  private func complain(_ observed: String) -> Bool {
    let question = question.withLock { $0 }
    stage.fail(
      expected: "afterwards \(file.lastPathComponent) \(question)", observed: observed)
    return false
  }

  private struct Complaint: Error, CustomStringConvertible {
    let description: String
  }
}

/// What the one who comes afterwards writes.
final class Afterthought: Object {
  @Persisted var number: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
