import CShims
import Foundation
import Glibc

@testable import ReferenceEngine

/// Damages a small file over and over, and opens, verifies, reads and writes it: each must end in
/// an error that says so, in the engine's refusal, or well.
///
/// Files are worked through by forked processes, one after the other, until one dies; the next goes
/// on behind that file. What they have seen is counted in memory that all share.
struct DamageLane {
  /// What is done with each damaged file.
  enum Act: Int, CaseIterable {
    case verify
    case read
    case readChecked
    case write
  }

  /// How that may end, and how it must not.
  enum End: Int, CaseIterable {
    /// Well: nothing that is looked at was damaged.
    case well
    /// An error is thrown that names the file and the damage.
    case thrown
    /// The engine's refusal ends the process.
    case refused
    // What must not be:
    case signal
    case hang
    case wrong
    case missed
  }

  let seed: UInt64
  /// The number of the first file: a fault names the file's.
  let first: Int
  let count: Int
  let workers: Int
  let folder: String
  private let counters: UnsafeMutablePointer<Int>

  private static let perWorker = 8
  private static let cells = Mutation.allCases.count * Act.allCases.count * End.allCases.count

  init(
    seed: UInt64, first: Int = 0, count: Int, workers: Int = 2
  ) throws {
    self.seed = seed
    self.first = first
    self.count = count
    self.workers = workers
    folder =
      FileManager.default.temporaryDirectory.path + "/damage-\(getpid())-\(seed)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let bytes = (DamageLane.cells + workers * DamageLane.perWorker) * 8
    let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)!
    counters = memory.assumingMemoryBound(to: Int.self)
  }

  // MARK: the table

  private func cell(_ mutation: Mutation, _ act: Act, _ end: End) -> Int {
    (mutation.rawValue * Act.allCases.count + act.rawValue) * End.allCases.count + end.rawValue
  }

  private func note(_ mutation: Mutation, _ act: Act, _ end: End) {
    let word = UnsafeMutableRawPointer(counters + cell(mutation, act, end))
    _ = rb_add32(word.assumingMemoryBound(to: UInt32.self), 1)
  }

  /// For each class and act how it ended.
  var table: String {
    var lines = ["class act " + End.allCases.map { "\($0)" }.joined(separator: " ")]
    for mutation in Mutation.allCases {
      for act in Act.allCases {
        let counts = End.allCases.map { counters[cell(mutation, act, $0)] }
        lines.append("\(mutation) \(act) " + counts.map(String.init).joined(separator: " "))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// How many ended as they must not.
  var faults: Int {
    var sum = 0
    for mutation in Mutation.allCases {
      for act in Act.allCases {
        for end in [End.signal, .hang, .wrong, .missed] {
          sum += counters[cell(mutation, act, end)]
        }
      }
    }
    return sum
  }

  /// What each fault was: the first hundred.
  private var faultLines: [String] {
    let text = (0..<workers).map {
      (try? String(contentsOfFile: folder + "/faults.\($0)", encoding: .utf8)) ?? ""
    }
    return Array(text.joined().split(separator: "\n").map(String.init).prefix(100))
  }

  private func say(_ worker: Int, _ line: String) {
    let file = open(folder + "/faults.\(worker)", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let text = Array((line + "\n").utf8)
    _ = Glibc.write(file, text, text.count)
    close(file)
  }

  // MARK: working

  /// Which file a worker is at, what it does with it, and of which class the damage is.
  private func progress(_ worker: Int) -> UnsafeMutablePointer<Int> {
    counters + DamageLane.cells + worker * DamageLane.perWorker
  }

  /// Works through all files; returns what each fault was, as far as there are not too many.
  func run() throws -> [String] {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let victim = try DamageVictim(in: folder)
    let whole = folder + "/whole.realm"
    try Data(victim.bytes).write(to: URL(fileURLWithPath: whole))
    let sums = try contents(whole, victim)
    var running: [Int32: Int] = [:]
    for worker in 0..<workers {
      progress(worker)[0] = first + worker
      running[spawn(worker, victim, sums)] = worker
    }
    while !running.isEmpty {
      var status: Int32 = 0
      let process = waitpid(-1, &status, 0)
      guard let worker = running.removeValue(forKey: process) else { continue }
      if status == 0 { continue }
      judge(worker, status)
      // On with the next act.
      progress(worker)[1] += 1
      running[spawn(worker, victim, sums)] = worker
    }
    return faultLines
  }

  /// The contents that may be read: of the newest version, and of the one before.
  private func contents(_ path: String, _ victim: DamageVictim) throws -> [UInt64] {
    var sums = [try DamageReader(DamageVictim.configuration(path, readOnly: true)).sum]
    let slots = victim.bytes.withUnsafeBytes { Opening.slots($0) }
    let newest = slots.max { $0.root.version < $1.root.version }!
    var bytes = victim.bytes
    let start = 512 * (newest.root.slot + 1)
    for index in start..<(start + 512) { bytes[index] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    if let older = try? DamageReader(DamageVictim.configuration(path, readOnly: true)) {
      sums.append(older.sum)
    }
    return sums
  }

  private func judge(_ worker: Int, _ status: Int32) {
    let at = progress(worker)
    guard let act = Act(rawValue: at[1]), let mutation = Mutation(rawValue: at[2]) else { return }
    let signal = status & 0x7F
    let words = (try? String(contentsOfFile: folder + "/words.\(worker)", encoding: .utf8)) ?? ""
    // They name the file. Only in a write may a row be gone, which is said in Realm's words.
    let isRefusal =
      words.contains("damaged.\(worker).realm: the file is damaged")
      || act == .write && words.contains(Violation.invalidated.sentence)
    let end: End =
      isRefusal
      ? .refused : signal == SIGVTALRM || signal == SIGALRM ? .hang : .signal
    note(mutation, act, end)
    if end == .refused { return }
    let reason =
      words.split(separator: "\n").first { $0.contains("rror") || $0.contains("atal") } ?? ""
    say(worker, "\(at[0]) \(mutation) \(act): \(end) \(signal) \(reason.prefix(200))")
  }

  private func spawn(_ worker: Int, _ victim: DamageVictim, _ sums: [UInt64]) -> Int32 {
    let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
    let parent = getpid()
    let process = fork()
    if process != 0 { return process }
    for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
      Glibc.signal(signal, SIG_DFL)
    }
    // Where this runs signals may be held back.
    var nothing = sigset_t()
    sigemptyset(&nothing)
    sigprocmask(SIG_SETMASK, &nothing, nil)
    for signal in [SIGVTALRM, SIGALRM] { Glibc.signal(signal, SIG_DFL) }
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(4), &none)  // No core files.
    let words = open(folder + "/words.\(worker)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    dup2(words, 2)
    // Not on this thread: Swift's mutexes know it by its number in the parent, and end the process
    // when two threads come to one of them.
    let child = DamageWorker { work(worker, victim, sums, for: parent) }
    child.run()
    _exit(0)
  }

  private func work(
    _ worker: Int, _ victim: DamageVictim, _ sums: [UInt64], for parent: Int32
  ) {
    let at = progress(worker)
    while at[0] < first + count, getppid() == parent {
      var dice = Dice(seed: seed &+ UInt64(at[0]) &* 0x9E37_79B9)
      let mutation = Mutation.allCases[at[0] % Mutation.allCases.count]
      at[2] = mutation.rawValue
      var bytes = victim.bytes
      let isDamaged = mutation.apply(to: &bytes, victim, &dice)
      // A file that somebody died over before is gone on with.
      while at[1] < Act.allCases.count {
        if let act = Act(rawValue: at[1]), isDamaged {
          perform(act, on: bytes, mutation, sums, worker)
        }
        at[1] += 1
      }
      at[1] = 0
      at[0] += workers
    }
  }

  private func perform(
    _ act: Act, on bytes: [UInt8], _ mutation: Mutation, _ sums: [UInt64], _ worker: Int
  ) {
    // Of the processor's time: a busy machine is no hang. And of the clock's, for whoever waits.
    var limit = itimerval()
    limit.it_value.tv_sec = 20
    setitimer(__itimer_which_t(1), &limit, nil)
    alarm(300)
    let path = folder + "/damaged.\(worker).realm"
    put(bytes, path)
    let end = perform(act, path, mutation, sums)
    note(mutation, act, end)
    if end.rawValue > End.refused.rawValue {
      say(worker, "\(progress(worker)[0]) \(mutation) \(act): \(end)")
    }
  }

  private func put(_ bytes: [UInt8], _ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress!, $0.count) }
    close(file)
  }

  private func perform(_ act: Act, _ path: String, _ mutation: Mutation, _ sums: [UInt64]) -> End {
    do {
      switch act {
      case .verify:
        _ = try Inspection(verifying: path)
        return mutation.isAlwaysFound ? .missed : .well
      case .read:
        _ = try DamageReader(DamageVictim.configuration(path, readOnly: true))
        return .well
      case .readChecked:
        let configuration = DamageVictim.configuration(path, readOnly: true, checks: true)
        let sum = try DamageReader(configuration).sum
        return mutation.isSealed || sums.contains(sum) ? .well : .wrong
      case .write:
        try DamageReader.write(DamageVictim.configuration(path))
        return .well
      }
    } catch is Realm.Error where mutation == .sealedSchema {
      // A schema may be changed into another one, which does not fit or is of a later version.
      return .thrown
    } catch {
      return "\(error)".contains(path) ? .thrown : .missed
    }
  }
}

/// Work on a thread of its own.
private final class DamageWorker {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  /// Returns when it is done.
  func run() {
    var thread = pthread_t()
    let this = Unmanaged.passRetained(self).toOpaque()
    pthread_create(
      &thread, nil,
      { this in
        if let this { Unmanaged<DamageWorker>.fromOpaque(this).takeRetainedValue().body() }
        return nil
      }, this)
    pthread_join(thread, nil)
  }
}
