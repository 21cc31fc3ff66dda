/// A line in which the first to come is the first to go, at the same cost however many stand in it.
///
/// Whoever has gone is let go at once, and what a closure holds with it.
struct WaitingLine<Element> {
  private var places: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == places.count }
  var first: Element? { isEmpty ? nil : places[head] }

  mutating func append(_ element: Element) { places.append(element) }

  /// For who had gone, and has to wait again.
  mutating func prepend(_ element: Element) {
    if head > 0 {
      head -= 1
      places[head] = element
    } else {
      places.insert(element, at: 0)
    }
  }

  mutating func removeFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer {
      places[head] = nil
      head += 1
      if head == places.count || head > 64 && head > places.count / 2 {
        places.removeFirst(head)
        head = 0
      }
    }
    return places[head]
  }

  func contains(where condition: (Element) -> Bool) -> Bool { index(where: condition) != nil }

  /// Removes the first that satisfies the condition, if there is one.
  mutating func remove(where condition: (Element) -> Bool) {
    if let index = index(where: condition) { places.remove(at: index) }
  }

  private func index(where condition: (Element) -> Bool) -> Int? {
    places.indices.dropFirst(head).first { places[$0].map(condition) ?? false }
  }

  /// Those who wait, in order.
  var all: [Element] { places.dropFirst(head).compactMap { $0 } }
}
