import EngineUnderTest
import Foundation
import Harness

/// Another process that has a program's file open: it writes what it is told to, keeps versions,
/// and says what it reads. What it was told it answers in one line.
struct Neighbour {
  static let role = "the neighbour"

  private let child: RunningChild
  private let patience: Duration
  /// What each version that it keeps must show, the oldest first.
  var kept: [String] = []

  init?(_ stage: Stage, _ file: URL) {
    // It is there as long as a program goes on.
    guard let child = try? stage.companion(Neighbour.role, file.path, within: .seconds(150))
    else { return nil }
    (self.child, patience) = (child, stage.patience)
    guard child.line(within: patience) == "here" else { return nil }
  }

  /// Has something done; nil if no answer comes.
  func asked(_ order: String) -> String? {
    child.send(order) ? child.line(within: patience) : nil
  }

  /// It lets go of all it has.
  func end() {
    child.closeInput()
    _ = child.remains()
  }

  // MARK: In that process

  static let body: Probe.Body = { stage in
    Programs.prepare()
    let configuration = WideRun.configuration(URL(fileURLWithPath: stage.words[0]))
    let realm = try Realm(configuration: configuration)
    if Engine.offersReins { realm.autorefresh = false }
    var kept: [Realm] = []
    stage.tell("here")
    while let line = stage.hear() {
      let words = line.split(separator: " ").map(String.init)
      let numbers = words.dropFirst().map { Int($0) ?? 0 }
      realm.refresh()
      switch words.first {
      case "set":
        let kind = Kind(rawValue: numbers[0])!
        try realm.write { set(kind.type, numbers[1], numbers[2], in: realm) }
        stage.tell("done")
      case "delete":
        let kind = Kind(rawValue: numbers[0])!
        try realm.write { delete(kind.type, numbers[1], in: realm) }
        stage.tell("done")
      case "keep":
        kept.append(realm.freeze())
        stage.tell(WideState.digest(of: kept[kept.count - 1]))
      case "again": stage.tell(WideState.digest(of: kept[numbers[0]]))
      case "drop":
        kept.removeFirst()
        stage.tell("done")
      default: stage.tell(WideState.digest(of: realm))
      }
    }
  }

  private static func set<T: Wide>(
    _ type: T.Type, _ birth: Int, _ number: Int, in realm: Realm
  ) {
    guard let object = realm.objects(T.self).filter("birth == %@", birth).first else { return }
    T.members[2].write(object, .int(number), Finder(realm: realm, state: WideState()))
  }

  private static func delete<T: Wide>(_ type: T.Type, _ birth: Int, in realm: Realm) {
    realm.delete(realm.objects(T.self).filter("birth == %@", birth))
  }
}

extension WideState {
  /// A number for what all rows hold, as far as it can be spelled in one way only.
  var digest: String {
    var sum = Digest()
    for kind in Kind.allCases {
      for birth in births(of: kind).sorted() {
        if let row = rows[birth] { sum.add(birth, row.contents) }
      }
    }
    return sum.text
  }

  /// The same of what a realm shows.
  static func digest(of realm: Realm) -> String {
    var sum = Digest()
    for kind in Kind.allCases { add(kind.type, in: realm, to: &sum) }
    return sum.text
  }

  private static func add<T: Wide>(_ type: T.Type, in realm: Realm, to sum: inout Digest) {
    let all = realm.objects(T.self).map { ($0.birth, $0) }.sorted { $0.0 < $1.0 }
    for (birth, object) in all { sum.add(birth, T.members.map { $0.read(object) }) }
  }

  private struct Digest {
    private var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    private var rows = 0

    mutating func add(_ birth: Int, _ contents: [Content]) {
      rows += 1
      add("\(birth) \(contents[2].words)")
      for content in contents {
        let targets =
          if case .list = content { content.targets } else { content.targets.sorted() }
        add("\(content.count) \(targets)")
      }
    }

    private mutating func add(_ text: String) {
      for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    var text: String { "\(rows) rows, \(String(sum, radix: 16))" }
  }
}

extension WideRun {
  private static let mostKept = 3

  /// Has the other process write, read or keep something.
  func askNeighbour(_ act: WideProgram.Act) -> String? {
    if neighbour == nil { neighbour = makeNeighbour?() }
    guard var other = neighbour else { return "another process does not open the file" }
    defer { neighbour = other }
    let silence = "another process does not answer"
    comparisons += 1
    let (kind, key) = Kind.place(act.row)
    switch act.value % 6 {
    case 0, 1:
      guard let birth = newest.birth(kind, key) else { break }
      let number = act.member % 7
      if other.asked("set \(kind.rawValue) \(birth) \(number)") != "done" { return silence }
      newest.set(birth, 2, .single(.int(number)))
      touched.add(birth, 2)
      touched.commit()
    case 2:
      guard let birth = newest.birth(kind, key) else { break }
      if other.asked("delete \(kind.rawValue) \(birth)") != "done" { return silence }
      touched.add(birth, all: kind)
      newest.delete([birth])
      touched.commit()
    case 3:
      if other.kept.count == WideRun.mostKept {
        if other.asked("drop") != "done" { return silence }
        other.kept.removeFirst()
      }
      other.kept.append(newest.digest)
      if let complaint = complaint(other.asked("keep"), newest.digest) { return complaint }
    default:
      if let complaint = complaint(other.asked("look"), newest.digest) { return complaint }
    }
    for (place, digest) in other.kept.enumerated() {
      if let complaint = complaint(other.asked("again \(place)"), digest) {
        return "of a version that it keeps, \(complaint)"
      }
    }
    return nil
  }

  private func complaint(_ answer: String?, _ digest: String) -> String? {
    guard let answer else { return "another process does not say what it reads" }
    return answer == digest ? nil : "another process reads \(answer), not \(digest)"
  }
}
