import CShims
import Foundation

/// What ties a child to the process that started it: where that is gone the child ends, however it
/// went.
///
/// A command that is killed outright (SIGKILL) tells nobody: a round that it had started measured
/// on beside whatever was measured next. Whoever starts a child hands it its own number, and the
/// child asks the kernel to be killed with its parent. A parent that was gone before it could ask
/// is found by that number: its own look at its parent would find whoever adopted it.
///
/// 1. Taken by the child first of all, on its main thread, which lives as long as it does.
/// 2. The kernel watches the thread that started the child, not the process: it must wait for the
///    child's end, as `ChildProcess.run` does.
/// 3. Nothing is tied that was started by hand, or by a build that hands over no number.
public enum Lifeline {
  /// The variable of the environment that a child reads.
  public static let variable = "REALM_BENCH_PARENT"

  /// What a child is handed: this process, and where its number means something. In a container of
  /// its own a build knows other numbers.
  public static var own: String { "\(getpid()) \(space)" }
  private static let space =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""

  /// The process that waits for this one, if it said so.
  private static let parent: pid_t? = {
    let said = ProcessInfo.processInfo.environment[variable] ?? ""
    let words = said.split(separator: " ", omittingEmptySubsequences: false)
    return words.count == 2 && words[1] == space ? pid_t(words[0]) : nil
  }()

  /// Ties this process to whoever started it; ends it at once where that is gone.
  public static func take() {
    guard parent != nil else { return }
    _ = rb_end_with_parent()
    if isCut { _exit(1) }
  }

  /// Whether whoever waits for this process is gone. A program between the two, such as a script
  /// that stands for a build, is a parent that waits for itself.
  static var isCut: Bool {
    guard let parent, getppid() != parent else { return false }
    return !isAlive(parent)
  }

  /// Whether a process can still wait: one that nobody has buried cannot.
  private static func isAlive(_ process: pid_t) -> Bool {
    guard kill(process, 0) == 0 || errno == EPERM else { return false }
    // `12 (any name at all) S …`
    guard let line = KernelFile.text("/proc/\(process)/stat"),
      let end = line.lastIndex(of: ")"), let state = line[end...].dropFirst(2).first
    else { return true }
    return state != "Z" && state != "X"
  }
}
