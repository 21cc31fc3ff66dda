import EngineUnderTest
import Foundation

/// What vessels hold, in plain Swift: the model beside which a realm is asked in each state that it
/// may be in.
///
/// A cargo is made of its size and a turn: each turn has other values in every place, and other
/// members. The vessel with the least id is there in each.
struct Cargo: Sendable {
  struct Piece: Sendable {
    var number = 0
    var maybe: Int?
    var text = ""
    var name = ""
    var maybeText: String?
    var ratio = 0.0
    var truth = false
    var day = 0
    var price = 0
    var bytes = 0
    var mixed = 0
    var link: Int?
    var links: [Int] = []
    var group: Set<Int> = []
    var named: [String: Int] = [:]
    var numbers: [Int] = []
    var texts: [String] = []
    var labels: Set<String> = []
    var titles: [String: String] = [:]
    var mixture: [Int] = []
    var part: String?
    var parts: [String] = []
  }

  let pieces: [Int: Piece]
  let ids: [Int]

  init(_ count: Int, turn: Int) {
    let ids = (0..<count).filter { $0 == 0 || ($0 + turn) % 5 != 4 }
    var pieces: [Int: Piece] = [:]
    for id in ids { pieces[id] = Cargo.piece(id, turn, ids) }
    (self.pieces, self.ids) = (pieces, ids)
  }

  private static func piece(_ id: Int, _ turn: Int, _ ids: [Int]) -> Piece {
    let mark = id + turn
    func other(_ number: Int) -> Int { ids[number % ids.count] }
    var piece = Piece()
    piece.number = (id * 7 + turn * 3) % 11 - 3
    piece.maybe = mark % 4 == 0 ? nil : (id * 5 + turn) % 9
    piece.text = (mark % 2 == 0 ? "Text " : "text ") + "\(id % 4)"
    piece.name = "name \((id + 2 * turn) % 6)"
    piece.maybeText = mark % 2 == 0 ? nil : "maybe \(id % 3)"
    piece.ratio = Double(id % 40) / 4 - Double(turn)
    piece.truth = mark % 3 == 1
    piece.day = id * 1_000 + turn
    piece.price = mark % 13
    piece.bytes = mark % 5
    piece.mixed = mark % 7
    piece.link = mark % 4 == 3 ? nil : other(mark + 1)
    piece.links = (0..<(mark % 4)).map { other(id + 2 * $0) }
    piece.group = [other(mark), other(id + 3)]
    piece.named = ["a": other(mark)]
    if id % 2 == 0 { piece.named["b"] = other(mark + 2) }
    piece.numbers = (0..<(mark % 5)).map { $0 * id % 4 }
    piece.texts = (0...(mark % 3)).map { "t\(($0 + mark) % 3)" }
    piece.labels = ["l\(mark % 3)", "l\(id % 2)"]
    piece.titles = ["k\(mark % 2)": "title \(mark % 5)"]
    piece.mixture = (0..<(mark % 3)).map { $0 + mark }
    piece.part = mark % 3 == 2 ? nil : "part \(mark % 4)"
    piece.parts = (0..<(mark % 3)).map { "parts \($0 + mark)" }
    return piece
  }

  subscript(_ id: Int) -> Piece { pieces[id]! }

  /// Makes the vessels of a realm that is in a write what this says.
  func put(into realm: Realm) {
    for vessel in Array(realm.objects(Vessel.self)) where pieces[vessel.id] == nil {
      realm.delete(vessel)
    }
    for id in ids where realm.vessel(id) == nil { realm.add(Vessel(id: id)) }
    for id in ids { set(realm.vessel(id), pieces[id]!, in: realm) }
  }

  private func set(_ vessel: Vessel, _ piece: Piece, in realm: Realm) {
    (vessel.number, vessel.maybe, vessel.text) = (piece.number, piece.maybe, piece.text)
    (vessel.name, vessel.maybeText) = (piece.name, piece.maybeText)
    (vessel.ratio, vessel.truth) = (piece.ratio, piece.truth)
    vessel.day = Date(timeIntervalSince1970: Double(piece.day))
    (vessel.price, vessel.data) = (Decimal128(piece.price), Data(count: piece.bytes))
    (vessel.mixed, vessel.link) = (.int(piece.mixed), piece.link.map { realm.vessel($0) })
    vessel.links.removeAll()
    vessel.links.append(objectsIn: piece.links.map { realm.vessel($0)! })
    vessel.group.removeAll()
    vessel.group.insert(objectsIn: piece.group.map { realm.vessel($0)! })
    vessel.named.removeAll()
    for (key, id) in piece.named { vessel.named[key] = .some(realm.vessel(id)) }
    vessel.numbers.removeAll()
    vessel.numbers.append(objectsIn: piece.numbers)
    vessel.texts.removeAll()
    vessel.texts.append(objectsIn: piece.texts)
    vessel.labels.removeAll()
    vessel.labels.insert(objectsIn: piece.labels)
    vessel.titles.removeAll()
    for (key, title) in piece.titles { vessel.titles[key] = title }
    vessel.mixture.removeAll()
    vessel.mixture.append(objectsIn: piece.mixture.map { .int($0) })
    vessel.part = piece.part.map { Part(text: $0) }
    vessel.parts.removeAll()
    vessel.parts.append(objectsIn: piece.parts.map { Part(text: $0) })
  }
}
