import Evidence
import Foundation
import Harness

/// The commits of a repository, each as a build of its own: a work tree beside the repository is
/// checked out at one after the other and built in place, so that each build costs only what has
/// changed.
package struct Revisions {
  package struct Commit: Hashable, Sendable {
    package let id: String
    package let subject: String
    package var short: String { String(id.prefix(10)) }
  }

  private let repository: String
  private let tree: URL
  private let builds: URL
  private let command: String
  private let product: String

  /// - Parameter folder: where the work tree and the builds lie; it must be ours alone.
  /// - Parameter command: what builds a checkout, run by the shell within it.
  /// - Parameter product: the program that it makes, seen from the checkout.
  package init(repository: String, folder: URL, command: String, product: String) throws {
    let found = try Revisions.git(["-C", repository, "rev-parse", "--show-toplevel"])
    self.repository = found
    self.command = command
    self.product = product
    tree = folder.appendingPathComponent("checkout")
    builds = folder.appendingPathComponent("builds")
    try FileManager.default.createDirectory(at: builds, withIntermediateDirectories: true)
  }

  /// What a name means: a commit, or one sentence.
  package func commit(_ name: String) throws -> Commit {
    // A name that begins with a dash would be an option of git.
    guard !name.hasPrefix("-"),
      let line = try? git([
        "log", "-1", "--format=%H %s", "--end-of-options", "\(name)^{commit}", "--",
      ])
    else {
      throw RecordError("'\(name)' is no commit of \(repository): expected a branch, tag or id")
    }
    return Revisions.read(line)
  }

  /// The commits after `good` up to and with `bad`, oldest first, along the first parents.
  package func between(_ good: Commit, _ bad: Commit) throws -> [Commit] {
    let text = try git([
      "log", "--first-parent", "--reverse", "--format=%H %s", "\(good.id)..\(bad.id)", "--",
    ])
    let commits = text.split(separator: "\n").map { Revisions.read(String($0)) }
    let isAncestor = (try? git(["merge-base", "--is-ancestor", good.id, bad.id])) != nil
    guard isAncestor, !commits.isEmpty else {
      throw RecordError(
        "\(good.short) does not come before \(bad.short): expected the good revision first, and "
          + "one that the bad one was made from", .misuse)
    }
    return commits
  }

  /// A build that was stopped because its time was over.
  package struct OutOfTime: Error {}
  /// One that somebody stopped.
  package struct Stopped: Error {}

  /// The program of a revision, built if it is not there yet; `seconds` is all the time there is,
  /// and `isStopped` tells when nobody wants it any more: a build hears nothing of a Ctrl-C.
  package func build(
    _ commit: Commit, within seconds: Double = .infinity, isStopped: () -> Bool = { false }
  ) throws -> String {
    let kept = builds.appendingPathComponent(commit.id)
    if FileManager.default.isExecutableFile(atPath: kept.path) { return kept.path }
    if FileManager.default.fileExists(atPath: tree.path) {
      _ = try Revisions.git(["-C", tree.path, "checkout", "--quiet", "--force", commit.id])
    } else {
      _ = try git(["worktree", "prune"])
      _ = try git(["worktree", "add", "--quiet", "--detach", tree.path, commit.id])
    }
    var limits = Revisions.limits
    if seconds < 3600 { limits.deadline = .seconds(max(0.1, seconds)) }
    let made = try ChildProcess(
      "/bin/sh", ["-c", "cd \"$0\" && \(command)", tree.path], limits: limits
    ).run(isStopped: isStopped)
    if case .asked? = made.stopped { throw Stopped() }
    if case .deadline? = made.stopped, seconds < 3600 { throw OutOfTime() }
    guard made.ending == .exited(0) else {
      let said = (made.stdout + made.stderr).split(separator: "\n")
      let why = said.first { $0.contains("error") } ?? said.last ?? "it said nothing"
      throw RecordError("\(commit.short) does not build: \(why.prefix(200))")
    }
    let program = tree.appendingPathComponent(product)
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw RecordError("\(commit.short) has built no \(product)")
    }
    try FileManager.default.copyItem(at: program, to: kept)
    return kept.path
  }

  /// Takes the work tree away again; the builds go with their folder.
  package func clear() {
    _ = try? git(["worktree", "remove", "--force", tree.path])
  }

  // MARK: git

  /// A build from nothing may take long and say much.
  private static let limits = ChildProcess.Limits(
    deadline: .seconds(3600), output: 256 << 20, memory: 1 << 40)

  private static func read(_ line: String) -> Commit {
    let words = line.split(separator: " ", maxSplits: 1)
    return Commit(id: String(words.first ?? ""), subject: words.count > 1 ? String(words[1]) : "")
  }

  private func git(_ arguments: [String]) throws -> String {
    try Revisions.git(["-C", repository] + arguments)
  }

  private static func git(_ arguments: [String]) throws -> String {
    let remains = try ChildProcess("/usr/bin/env", ["git"] + arguments, limits: limits).run()
    guard remains.ending == .exited(0) else {
      let said = remains.stderr.split(separator: "\n").first ?? "it said nothing"
      throw RecordError("git \(arguments.dropFirst(2).first ?? "") failed: \(said)")
    }
    return remains.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
