import Synchronization

/// What an engine shows of its inside to a suite that asks: what it tells the disk, and the steps
/// of its commits.
///
/// Whether a commit is durable cannot be seen from outside. Rules about it are judged for engines
/// that give hooks, and skipped for others. The door hands them over; no rule knows the engine
/// behind.
public protocol Hooks: Sendable {
  /// From now on remembers what is asked of the disk of each file that is opened. To be called
  /// before the first is.
  func record()

  /// Files that are opened from now on are not recorded.
  func stop()

  /// What has been asked so far, in order.
  var requests: [DiskRequest] { get }

  /// From now on flushes of files that are opened return at once: for programs that no power
  /// failure ends.
  func skipFlushes()

  /// Checks a file that nobody writes to, as far as the engine can; throws what is wrong. Says who
  /// keeps a version of it, of all that live.
  @discardableResult func verify(_ path: String) throws -> [String]

  /// Adds a note to the record: what the user of the engine knew by then.
  func note(_ number: Int)

  /// Lets the next writes or flushes of the recorded file fail, so many as told, after so many that
  /// succeed.
  func fail(_ kind: DiskFault, after passing: Int, times: Int)

  /// Calls someone before each flush of a recorded file, on the thread that flushes and that waits
  /// until it returns.
  func beforeFlush(_ call: (@Sendable () -> Void)?)

  /// What a commit passes through, in order: the names that `die` understands.
  var steps: [String] { get }

  /// Ends this process, as a kill would, when a commit comes to a step. To be called before the
  /// file is opened.
  func die(at step: String)

  /// The named instants of the engine's work that were reached so far.
  var passed: [String] { get }
}

/// What fails.
public enum DiskFault: Sendable { case writes, flushes }

/// Something asked of a disk: between two flushes it is free to do it in any order, in part, or not
/// at all.
public enum DiskRequest: Sendable, Hashable {
  case write(offset: UInt64, bytes: [UInt8])
  case resize(UInt64)
  case flush
  /// What was recorded got its name, which another file may have had before.
  case name
  /// That name, too, is to reach the medium.
  case flushName
  /// Nothing was asked; the one who runs the workload notes something.
  case note(Int)
}

/// Where the door leaves the hooks of the engine that this process examines.
public enum Backstage {
  private static let held = Mutex<(any Hooks)?>(nil)

  public static var hooks: (any Hooks)? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

extension Stage {
  /// The hooks of the engine; without any the probe is skipped.
  func hooks() throws -> any Hooks {
    guard let hooks = Backstage.hooks else { try skip(.noHooks, "this engine gives no hooks") }
    return hooks
  }
}
