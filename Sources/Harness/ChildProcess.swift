import Foundation
import Synchronization

/// Another process, started with `posix_spawn`, that cannot outlive its welcome.
///
/// What a suite wants to know about an engine often ends the process that finds out. Each question
/// is therefore asked in a child, and whatever the child does (hang, flood its output, eat memory,
/// leave processes behind), the caller gets `Remains` within the limits and the child's whole
/// process group is gone.
///
/// `posix_spawn` costs 4.5 ms where `Foundation.Process` costs 56, and a pass starts a thousand
/// children.
public struct ChildProcess: Sendable {
  /// What a child may use before it is stopped.
  public struct Limits: Sendable {
    /// How long it may take.
    public var deadline: Duration
    /// How many bytes it may write to stdout and stderr together.
    public var output: Int
    /// How many bytes of memory it may have resident.
    public var memory: Int

    public init(
      deadline: Duration = .seconds(20), output: Int = 4 << 20, memory: Int = 1 << 30
    ) {
      self.deadline = deadline
      self.output = output
      self.memory = memory
    }
  }

  public var executable: String
  public var arguments: [String]
  /// Added to, and stronger than, the variables of this process.
  public var environment: [String: String]
  public var limits: Limits

  public init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
    limits: Limits = Limits()
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.limits = limits
  }

  /// The program that is running now, to be started again as its own child.
  public static let thisProgram: String =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? "/proc/self/exe"

  /// Runs the child to its end, natural or not; `isStopped` is asked now and then whether the end
  /// is wanted at once.
  public func run(isStopped: () -> Bool = { false }) throws -> Remains {
    let child = try RunningChild(self, newGroup: true, keepsInput: false)
    return child.remains(isStopped: isStopped)
  }

  /// Starts a child to talk with, in the process group of this one: whoever stops us stops it as
  /// well.
  public func start() throws -> RunningChild {
    try RunningChild(self, newGroup: false, keepsInput: true)
  }
}

/// What is left of a child.
public struct Remains: Sendable {
  /// How a process came to its end.
  public enum Ending: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Why a child did not come to its own end.
  public enum Stopped: Sendable, Hashable {
    case deadline(Duration)
    case flood(limit: Int)
    case memory(limit: Int)
    /// It ended by itself, but processes that it had started were still there.
    case leftProcesses
    /// Whoever waited for it would not wait any more.
    case asked
  }

  public var ending: Ending
  public var stopped: Stopped?
  public var stdout: String
  public var stderr: String
  public var elapsed: Duration

  public init(
    ending: Ending, stopped: Stopped? = nil, stdout: String = "", stderr: String = "",
    elapsed: Duration = .zero
  ) {
    self.ending = ending
    self.stopped = stopped
    self.stdout = stdout
    self.stderr = stderr
    self.elapsed = elapsed
  }
}

extension Remains.Ending: CustomStringConvertible {
  public var description: String {
    switch self {
    case .exited(let code): "exit \(code)"
    case .signalled(let number): Remains.name(ofSignal: number)
    }
  }
}

extension Remains.Stopped: CustomStringConvertible {
  public var description: String {
    switch self {
    case .deadline(let limit): "stopped after \(limit.formatted): it did not end"
    case .flood(let limit): "stopped: it wrote more than \(limit / 1024) KiB of output"
    case .memory(let limit): "stopped: it used more than \(limit >> 20) MiB of memory"
    case .leftProcesses: "it left processes behind"
    case .asked: "stopped: nobody waits for it any more"
    }
  }
}

extension Remains {
  /// The name of a signal as the manual prints it.
  public static func name(ofSignal number: Int32) -> String {
    let names: [Int32: String] = [
      SIGABRT: "SIGABRT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGSEGV: "SIGSEGV",
      SIGBUS: "SIGBUS", SIGKILL: "SIGKILL", SIGTERM: "SIGTERM", SIGFPE: "SIGFPE",
      SIGPIPE: "SIGPIPE", SIGINT: "SIGINT", SIGALRM: "SIGALRM", SIGXFSZ: "SIGXFSZ",
    ]
    return names[number] ?? "signal \(number)"
  }
}

extension Duration {
  /// Seconds, as a fraction.
  public var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// Short and for people: `250 ms`, `3 s`.
  public var formatted: String {
    let seconds = inSeconds
    if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
    let tenths = (seconds * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
  }
}

/// A child could not be started at all.
public struct SpawnError: Error, CustomStringConvertible {
  public let executable: String
  public let number: Int32

  public var description: String {
    "cannot start \(executable): \(String(cString: strerror(number)))"
  }
}
