import Foundation
import Synchronization

/// A child that has been started and not yet been buried.
///
/// Belongs to the thread that started it. Whoever drops it without asking for its remains kills it.
public final class RunningChild {
  public let identifier: pid_t
  private let limits: ChildProcess.Limits
  let leadsGroup: Bool
  /// What its kin inherit, wherever they go.
  let token = UUID().uuidString
  private let started: ContinuousClock.Instant
  private var input: Int32
  private var output: Int32
  private var errors: Int32
  private var outputBytes: [UInt8] = []
  private var errorBytes: [UInt8] = []
  /// How much of stdout `line` has handed out.
  private var linesTaken = 0
  private var ending: Remains.Ending?
  private var stopped: Remains.Stopped?
  private var kinCounted: ContinuousClock.Instant

  /// A pipe end that another thread's child inherited by accident would never report its end.
  /// Spawning is therefore one at a time from making the pipes to closing our copies: Swift cannot
  /// reach `pipe2`.
  private static let spawning = Mutex(())

  init(_ process: ChildProcess, newGroup: Bool, keepsInput: Bool) throws {
    limits = process.limits
    leadsGroup = newGroup
    var variables = ProcessInfo.processInfo.environment
    // A backtrace of every expected trap costs time and buries the sentence that is looked for.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    if newGroup { variables[RunningChild.mark] = token }
    variables[Lifeline.variable] = Lifeline.own
    variables.merge(process.environment) { $1 }
    started = .now
    kinCounted = started
    let spawned = try RunningChild.spawning.withLock { _ in
      try RunningChild.spawn(
        process, variables: variables, newGroup: newGroup, keepsInput: keepsInput)
    }
    (identifier, input, output, errors) = spawned
  }

  deinit {
    if ending == nil {
      kill(leadsGroup ? -identifier : identifier, SIGKILL)
      var status: Int32 = 0
      waitpid(identifier, &status, 0)
    }
    for end in [input, output, errors] where end >= 0 { close(end) }
  }

  /// Sends a line to the child's stdin; false if nobody reads there any more.
  @discardableResult public func send(_ line: String) -> Bool {
    guard input >= 0 else { return false }
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(input, $0.baseAddress!, $0.count) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return false }
      bytes = bytes.dropFirst(written)
    }
    return true
  }

  /// The next line of the child's stdout, or nil if it ended, was stopped, or did not say anything
  /// within the time.
  public func line(within time: Duration = .seconds(10)) -> String? {
    let until = ContinuousClock.now + time
    while true {
      if let end = outputBytes[linesTaken...].firstIndex(of: UInt8(ascii: "\n")) {
        let text = String(decoding: outputBytes[linesTaken..<end], as: UTF8.self)
        linesTaken = end + 1
        return text
      }
      guard output >= 0, stopped == nil, ContinuousClock.now < until else { return nil }
      pump(until: until)
    }
  }

  /// Sends a signal to the child itself.
  public func signal(_ number: Int32) {
    if ending == nil { kill(identifier, number) }
  }

  /// Waits for the child's end, stops it at its limits, and collects what is left.
  public func remains(isStopped: () -> Bool = { false }) -> Remains {
    closeInput()
    let until = started + limits.deadline
    while ending == nil {
      pump(until: until)
      if stopped == nil, ContinuousClock.now >= until { stop(.deadline(limits.deadline)) }
      if stopped == nil, isStopped() { stop(.asked) }
    }
    // What the pipes still hold; a process that was left behind may keep them open, so this never
    // waits.
    while drain(waiting: 0) {}
    if leadsGroup, endKin(), stopped == nil { stopped = .leftProcesses }
    return Remains(
      ending: ending ?? .signalled(SIGKILL), stopped: stopped,
      stdout: String(decoding: outputBytes, as: UTF8.self),
      stderr: String(decoding: errorBytes, as: UTF8.self), elapsed: started.duration(to: .now))
  }

  /// Closes the child's stdin, which tells a child that reads there to end.
  public func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  // MARK: - One turn

  private func pump(until: ContinuousClock.Instant) {
    let left = max(0, ContinuousClock.now.duration(to: until).inSeconds)
    let open = output >= 0 || errors >= 0
    if open {
      _ = drain(waiting: Int32(min(left * 1000 + 1, 20)))
    }
    if outputBytes.count + errorBytes.count > limits.output { stop(.flood(limit: limits.output)) }
    if appetite > limits.memory { stop(.memory(limit: limits.memory)) }
    reap(blocking: !open && stopped != nil)
    if ending == nil && !open { usleep(1000) }
  }

  private func stop(_ reason: Remains.Stopped) {
    guard stopped == nil else { return }
    stopped = reason
    kill(leadsGroup ? -identifier : identifier, SIGKILL)
  }

  private func reap(blocking: Bool) {
    guard ending == nil else { return }
    var status: Int32 = 0
    let found = waitpid(identifier, &status, blocking ? 0 : WNOHANG)
    guard found == identifier else { return }
    let signal = status & 0x7f
    ending = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  /// Reads what is there; false if there was nothing.
  private func drain(waiting milliseconds: Int32) -> Bool {
    var polled = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&polled, 2, milliseconds) > 0 else { return false }
    var progressed = false
    if polled[0].revents != 0 { progressed = read(&output, into: &outputBytes) || progressed }
    if polled[1].revents != 0 { progressed = read(&errors, into: &errorBytes) || progressed }
    return progressed
  }

  private func read(_ end: inout Int32, into bytes: inout [UInt8]) -> Bool {
    guard end >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(end, &buffer, buffer.count)
    if count < 0 && errno == EINTR { return true }
    guard count > 0 else {
      close(end)
      end = -1
      return false
    }
    // Beyond the limit the bytes only have to be taken, so that the child is stopped and not stuck.
    if bytes.count <= limits.output { bytes += buffer[..<count] }
    return true
  }

  /// What the child has in memory, and now and then what its kin have as well: looking for them
  /// costs more.
  private var appetite: Int {
    let own = RunningChild.residentBytes(of: identifier)
    guard leadsGroup, kinCounted + .milliseconds(250) < .now else { return own }
    kinCounted = .now
    return kin().reduce(own) { $0 + RunningChild.residentBytes(of: $1) }
  }

  // MARK: - Starting

  private static func spawn(
    _ process: ChildProcess, variables: [String: String], newGroup: Bool, keepsInput: Bool
  ) throws -> (pid_t, Int32, Int32, Int32) {
    let toChild = keepsInput ? try pipeEnds() : nil
    let fromChild = try pipeEnds()
    let errorsFromChild = try pipeEnds()

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let toChild {
      posix_spawn_file_actions_adddup2(&actions, toChild.reading, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, fromChild.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errorsFromChild.writing, 2)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A child starts with signals as a shell would leave them, whatever this process ignores or
    // blocks.
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    if newGroup {
      flags |= Int32(POSIX_SPAWN_SETPGROUP)
      posix_spawnattr_setpgroup(&attributes, 0)
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let words = ([process.executable] + process.arguments).map { strdup($0) } + [nil]
    let settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + settings { free(word) } }

    var identifier = pid_t()
    let number = posix_spawn(
      &identifier, process.executable, &actions, &attributes, words, settings)
    close(fromChild.writing)
    close(errorsFromChild.writing)
    if let toChild { close(toChild.reading) }
    guard number == 0 else {
      close(fromChild.reading)
      close(errorsFromChild.reading)
      if let toChild { close(toChild.writing) }
      throw SpawnError(executable: process.executable, number: number)
    }
    return (identifier, toChild?.writing ?? -1, fromChild.reading, errorsFromChild.reading)
  }

  private static func pipeEnds() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SpawnError(executable: "a pipe", number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
