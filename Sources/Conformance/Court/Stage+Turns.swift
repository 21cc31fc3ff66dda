/// Walks over axes that are too long to be gone whole with each seed: each asks other cells, and
/// some seeds together all of them.
///
/// Everybody's first seed, by which broken engines are judged, too, is 1: it moves nothing. Where
/// two axes of one walk are thinned the second one says how much the first one takes (`apart`), and
/// moves on when that has gone round. Else the same two cells would never meet.
extension Stage {
  /// How far the walks of this seed are from those of everybody's first: below `share`, and not at
  /// all with seed 1.
  func turn(of share: Int, apart taken: Int = 1) -> Int {
    Int((seed &- 1) / UInt64(taken) % UInt64(share))
  }

  /// Whether something that has one cell of so many, deep or not, has this one with this seed.
  func isTurn(_ number: Int, of share: Int, apart taken: Int = 1) -> Bool {
    (number + turn(of: share, apart: taken)) % share == 0
  }

  /// Whether a cell of a walk is asked: each with `--deep`, else one of so many.
  func isDue(_ number: Int, of share: Int, apart taken: Int = 1) -> Bool {
    isDeep || isTurn(number, of: share, apart: taken)
  }
}
