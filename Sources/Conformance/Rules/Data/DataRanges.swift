import EngineUnderTest
import Foundation
import Harness

/// Every range between two values of each ordered kind, half-open and closed, in each way to say
/// it: in Swift and in words.
enum Ranges {
  private struct Kind<Value: Comparable> {
    let name: String
    let values: [Value]
    let read: (Specimen) -> Value?
    let write: (Specimen, Value?) -> Void
    let open: (Query<Specimen>, Range<Value>) -> Query<Bool>
    let closed: (Query<Specimen>, ClosedRange<Value>) -> Query<Bool>
  }

  static let probe = Probe("every range of every ordered kind, in each way to say it") { stage in
    let realm = try Realm(configuration: stage.specimens())
    func walk<Value: Comparable>(_ kind: Kind<Value>) throws {
      let held: [Value?] = kind.values.map { $0 } + [nil] + kind.values.map { $0 }
      try realm.write {
        realm.deleteAll()
        for (id, value) in held.enumerated() {
          let specimen = Specimen(id: id)
          kind.write(specimen, value)
          realm.add(specimen)
        }
      }
      let all = realm.objects(Specimen.self)
      func look(
        _ found: Results<Specimen>, _ what: String, _ holds: (Value) -> Bool
      ) {
        let ids = all.filter { kind.read($0).map(holds) ?? false }.map(\.id)
        stage.equal(Array(found.map(\.id)), Array(ids), "what has \(kind.name) \(what)")
      }
      for (place, low) in kind.values.enumerated() {
        for high in kind.values[place...] {
          let name = kind.name
          look(all.where { kind.open($0, low..<high) }, "in \(low)..<\(high)") {
            $0 >= low && $0 < high
          }
          look(all.where { kind.closed($0, low...high) }, "in \(low)...\(high)") {
            $0 >= low && $0 <= high
          }
          look(all.filter("\(name) BETWEEN {%@, %@}", low, high), "BETWEEN \(low), \(high)") {
            $0 >= low && $0 <= high
          }
          look(
            all.filter("\(name) >= %@ && \(name) < %@", low, high), ">= \(low) and < \(high)"
          ) { $0 >= low && $0 < high }
          look(
            all.filter("\(name) > %@ AND \(name) <= %@", low, high), "> \(low) and <= \(high)"
          ) { $0 > low && $0 <= high }
          // Of those that are not in it the ones without a value are some, too.
          let others = all.where { !kind.open($0, low..<high) }
          stage.equal(
            others.count, held.count - all.where { kind.open($0, low..<high) }.count,
            "how many have \(name) not in \(low)..<\(high)")
        }
      }
    }
    try walk(
      Kind(
        name: "whole", values: [Int.min, -1, 0, 1, 5, .max - 1], read: { $0.whole },
        write: { $0.whole = $1 }, open: { $0.whole.contains($1) },
        closed: { $0.whole.contains($1) }))
    try walk(
      Kind(
        name: "small", values: [Int8.min, -1, 0, 5], read: { $0.small }, write: { $0.small = $1 },
        open: { $0.small.contains($1) }, closed: { $0.small.contains($1) }))
    try walk(
      Kind(
        name: "number", values: [-5, 0, 1, 2, 900], read: { $0.number },
        write: { $0.number = $1 }, open: { $0.number.contains($1) },
        closed: { $0.number.contains($1) }))
    try walk(
      Kind(
        name: "single", values: [Float(-0.25), 0, 0.5, 3], read: { $0.single },
        write: { $0.single = $1 }, open: { $0.single.contains($1) },
        closed: { $0.single.contains($1) }))
    try walk(
      Kind(
        name: "fraction", values: [-0.5, 0, 0.125, 9], read: { $0.fraction },
        write: { $0.fraction = $1 }, open: { $0.fraction.contains($1) },
        closed: { $0.fraction.contains($1) }))
    try walk(
      Kind(
        name: "price", values: [Decimal128(-12), 0, 1, 3], read: { $0.price },
        write: { $0.price = $1 }, open: { $0.price.contains($1) },
        closed: { $0.price.contains($1) }))
    try walk(
      Kind(
        name: "day", values: [-1e9, 0, 0.5, 9].map { Date(timeIntervalSince1970: $0) },
        read: { $0.day }, write: { $0.day = $1 }, open: { $0.day.contains($1) },
        closed: { $0.day.contains($1) }))
    try walk(
      Kind(
        name: "amount", values: [-300, -1, 0, 1, 5], read: { $0.amount },
        write: { $0.amount = $1 ?? 65_536 }, open: { $0.amount.contains($1) },
        closed: { $0.amount.contains($1) }))
    try walk(
      Kind(
        name: "ratio", values: [-2.5, 0, 0.5, 1], read: { $0.ratio },
        write: { $0.ratio = $1 ?? 1e9 }, open: { $0.ratio.contains($1) },
        closed: { $0.ratio.contains($1) }))
  }
}
