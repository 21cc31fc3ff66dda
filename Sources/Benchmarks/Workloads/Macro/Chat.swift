import EngineUnderTest
import Evidence
import Foundation
import Harness

/// A message as a chat app keeps it.
final class ChatMessage: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var conversation: Int
  @Persisted var sender: String
  @Persisted var text: String
  @Persisted var sent: Double
  @Persisted var isRead: Bool

  convenience init(_ id: Int) {
    self.init()
    self.id = id
    conversation = ChatMessage.conversation(of: id)
    sender = "friend \(id % 7)"
    text = Population.row(id).note ?? (id % 10 == 3 ? "shall we have lunch?" : "fine")
    sent = Double(id)
  }

  /// Every fifth message belongs to the conversation on the screen.
  static func conversation(of id: Int) -> Int { id % 5 == 0 ? 0 : 1 + id % 49 }
}

/// A chat app: a screen on the main loop, a network that delivers in bursts, a search now and then.
///
/// So many messages are there before. Every 4 ms a burst of 25 is written durably on another
/// thread. The loop observes the conversation on the screen, newest first, and with each change
/// reads the top 30; every tenth burst it searches all texts, every twentieth it marks what is on
/// the screen as read with `writeAsync`.
enum Chat {
  static let benchmark = Benchmark(
    "macro.chat",
    "one burst of 25 messages of a chat app with a screen on the main loop, a network thread and a "
      + "search; p50 and p99 from a burst's commit to the screen that shows it; stalls and dropped "
      + "frames of the loop; growth of the file over all bursts",
    [.init("bursts", ["250"], quick: ["50"]), .init("messages", ["20000"])],
    engines: [RealmStore.name],
    metrics: ["time", "p50", "p99", "stall", "dropped60", "dropped120", "growth", "allocations"],
    quick: true, weight: 5, run)

  private static let perBurst = 25
  private static let interval: UInt64 = 4_000_000

  @Sendable private static func run(_ track: Track) throws {
    let bursts = try track.integer("bursts")
    let before = try track.integer("messages")
    var configuration = Realm.Configuration(
      fileURL: track.directory.appendingPathComponent("chat.realm"),
      objectTypes: [ChatMessage.self])
    _ = Engine.setDurability("two-phase", of: &configuration)
    let network = try Realm(configuration: configuration)
    try network.write { for id in 0..<before { network.add(ChatMessage(id)) } }
    let loop = LoopThread("main")
    defer { loop.stop() }
    let screen = try loop.sync { [configuration] in
      Handed(try Screen(Realm(configuration: configuration)))
    }.value
    screen.ready.wait()
    let size = fileSize(configuration)
    let account = try Heartbeat.during(loop) {
      try track.work(bursts) { pause in
        try deliver(bursts, after: before, network, screen, loop, pause)
        return UInt64(bursts)
      }
    }.account
    if track.pass == .time {
      track.record(frames: account)
      track.record("growth", Double(fileSize(configuration) - size))
      try loop.sync { track.record(screen.delays) }
    }
    try check(before + bursts * perBurst, network, screen, loop, track)
  }

  private static func deliver(
    _ bursts: Int, after before: Int, _ network: Realm, _ screen: Screen, _ loop: LoopThread,
    _ pause: () -> Void
  ) throws {
    var start = Stopwatch.now
    for burst in 0..<bursts {
      // The network's pace is part of the workload: bursts come when they come.
      while Stopwatch.now < start + UInt64(burst) * interval { usleep(100) }
      let first = before + burst * perBurst
      let messages = (first..<first + perBurst).map { ChatMessage($0) }
      let instant = Stopwatch.now
      loop.async { screen.expect(first + perBurst - 5, since: instant) }
      try network.write { for message in messages { network.add(message) } }
      if burst % 10 == 9 { loop.async { screen.search() } }
      if burst % 20 == 19 { loop.async { screen.markAsRead() } }
      // Between two bursts of the other side's no time passes for this one's network.
      if burst % 5 == 4 {
        let left = Stopwatch.now
        pause()
        start += Stopwatch.now - left
      }
    }
    // The last burst must be on the screen, and the last mark durable.
    guard screen.shows(before + bursts * perBurst - 5, on: loop) else {
      throw BenchmarkError("after 20 s the screen did not show the last burst")
    }
  }

  private static func check(
    _ all: Int, _ network: Realm, _ screen: Screen, _ loop: LoopThread, _ track: Track
  ) throws {
    network.refresh()
    let count = network.objects(ChatMessage.self).count
    track.check(count == all, "\(count) messages, expected \(all)")
    let answers = try loop.sync { (screen.lunches, screen.failures) }
    track.check(
      answers.1 == 0 && answers.0.allSatisfy { $0 > 0 }, "a search or a mark came out wrong")
    let conversation = network.objects(ChatMessage.self).where { $0.conversation == 0 }.count
    track.check(conversation == (all + 4) / 5, "\(conversation) messages on the screen's side")
  }

  private static func fileSize(_ configuration: Realm.Configuration) -> Int {
    guard let path = configuration.fileURL?.path else { return 0 }
    return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// What the main loop has of the app.
  private final class Screen: @unchecked Sendable {
    // Unchecked: touched on the loop alone, but for the semaphore.
    let ready = DispatchSemaphore(value: 0)
    let delays = Histogram()
    private(set) var lunches: [Int] = []
    private(set) var failures = 0
    private let realm: Realm
    private var token: NotificationToken?
    private var expected: [(id: Int, since: UInt64)] = []
    private var newest = -1
    private var marks = 0
    private var top = ""

    init(_ realm: Realm) {
      self.realm = realm
      let conversation = realm.objects(ChatMessage.self).where { $0.conversation == 0 }
        .sorted(byKeyPath: "sent", ascending: false)
      token = conversation.observe { [unowned self] change in
        switch change {
        case .initial: ready.signal()
        case .update(let messages, _, _, _): draw(messages)
        case .error: failures += 1
        }
      }
    }

    func expect(_ id: Int, since instant: UInt64) { expected.append((id, instant)) }

    private func draw(_ messages: Results<ChatMessage>) {
      newest = messages.first?.id ?? -1
      top = (0..<min(30, messages.count)).map { messages[$0].text }.joined()
      let now = Stopwatch.now
      while let next = expected.first, next.id <= newest {
        delays.record(now - next.since)
        expected.removeFirst()
      }
    }

    func search() {
      lunches.append(realm.objects(ChatMessage.self).where { $0.text.contains("lunch") }.count)
    }

    func markAsRead() {
      marks += 1
      realm.writeAsync { [self] in
        let unread = realm.objects(ChatMessage.self).where { $0.conversation == 0 && !$0.isRead }
        // Taken out first: a message that is read leaves the live question.
        for message in Array(unread.suffix(30)) { message.isRead = true }
      } onComplete: { [self] error in
        if error != nil { failures += 1 }
        marks -= 1
      }
    }

    /// Waits until a message is drawn and nothing is under way.
    func shows(_ id: Int, on loop: LoopThread) -> Bool {
      let end = Stopwatch.now + 20_000_000_000
      while Stopwatch.now < end {
        if (try? loop.sync { self.newest >= id && self.marks == 0 }) == true { return true }
        // Looked at seldom enough not to delay the loop, whose delays are what is measured.
        usleep(200)
      }
      return false
    }
  }
}
