// The people of the benchmarks as objects that no realm has yet.

extension Person {
  convenience init(_ row: Population.Row) {
    self.init()
    id = row.id
    name = row.name
    age = row.age
    score = row.score
    note = row.note
  }
}

extension Member {
  convenience init(_ row: Population.Row, key: String) {
    self.init()
    id = key
    name = row.name
    age = row.age
    score = row.score
    note = row.note
  }
}
