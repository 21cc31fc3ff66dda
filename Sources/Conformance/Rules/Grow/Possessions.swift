import Foundation
import Harness

/// What this process has of the system's: files that are open, and threads.
///
/// An engine that forgets to close a file, or to end a thread, with each use of something shows
/// nothing of it until there are no more to be had.
struct Possessions {
  let files: Int
  let threads: Int

  /// Nil where the system does not tell.
  static var now: Possessions? {
    guard let files = entries(of: "/proc/self/fd"), let threads = entries(of: "/proc/self/task")
    else { return nil }
    return Possessions(files: files, threads: threads)
  }

  private static func entries(of folder: String) -> Int? {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count
  }

  func isWithin(_ limit: Possessions) -> Bool {
    files <= limit.files && threads <= limit.threads
  }

  /// What one may have after a number of uses more, some of which may have left something: the
  /// system keeps as many threads for queues as it likes, on a busy machine all of a pool.
  func after(_ uses: Int) -> Possessions {
    Possessions(files: files + uses / 2, threads: threads + Possessions.pool)
  }

  private static let pool = 96

  var words: String { "\(files) open files and \(threads) threads" }
}

extension Stage {
  /// Asserts that this process has as much as before a number of uses, of which each that forgets
  /// one thing would have left that number. Who ends may need a moment for it.
  func hasNoMore(than before: Possessions?, after uses: Int) throws {
    guard let before else { return }
    let limit = before.after(uses)
    var now = before
    let end = ContinuousClock.now + patience
    repeat {
      now = Possessions.now ?? before
      if now.isWithin(limit) { break }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
    } while ContinuousClock.now < end
    expect(
      now.isWithin(limit), "no more than \(limit.words) after \(uses) more uses",
      observed: now.words)
  }
}
