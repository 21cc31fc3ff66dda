/// When those of many that are gone are dropped: at so many, and then at twice the living, so that
/// it costs little for each.
struct Clearing {
  private static let least = 64
  private var limit = least

  func isDue(_ count: Int) -> Bool { count >= limit }

  mutating func leaves(_ living: Int) { limit = max(Clearing.least, living * 2) }
}
