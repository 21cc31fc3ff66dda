import Evidence
import Foundation

/// Numbers as people read them: no more digits than the interval supports, and a unit that fits.
package enum Figures {
  /// A value with its unit; durations and bytes are scaled.
  package static func text(_ value: Double, _ unit: String, low: Double? = nil, high: Double? = nil)
    -> String
  {
    guard value.isFinite else { return "–" }
    let (factor, name) = scale(max(abs(value), 1e-300), unit)
    let digits = decimals(
      value * factor, halfWidth: halfWidth(low, high).map { $0 * factor })
    let number = grouped(value * factor, decimals: digits)
    return name.isEmpty ? number : "\(number) \(name)"
  }

  /// A value of rounds: of a single one there are two digits, for nobody knows how far off it is.
  static func text(_ value: Finding.Value, _ unit: String) -> String {
    value.isLone
      ? lone(value.value, unit) : text(value.value, unit, low: value.low, high: value.high)
  }

  /// A value of a single round.
  static func lone(_ value: Double, _ unit: String) -> String {
    guard value.isFinite, value != 0 else { return text(value, unit) }
    let (factor, name) = scale(abs(value), unit)
    let power = Int(floor(log10(abs(value * factor)))) - 1
    let step = pow(10, Double(power))
    let number = grouped(
      (value * factor / step).rounded() * step, decimals: min(3, max(0, -power)))
    return name.isEmpty ? number : "\(number) \(name)"
  }

  /// A value on an axis: without noughts that only its neighbours would need.
  static func tick(_ value: Double, _ unit: String) -> String {
    let words = text(value, unit).split(separator: " ", maxSplits: 1).map(String.init)
    guard var number = words.first, number.contains("."), !number.contains("e") else {
      return words.joined(separator: " ")
    }
    while number.last == "0" { number.removeLast() }
    if number.last == "." { number.removeLast() }
    return ([number] + words.dropFirst()).joined(separator: " ")
  }

  /// The interval alone, in the unit of the value.
  package static func interval(_ value: Double, _ low: Double, _ high: Double, _ unit: String)
    -> String
  {
    guard low.isFinite, high.isFinite else { return "–" }
    let (factor, _) = scale(max(abs(value), 1e-300), unit)
    let digits = decimals(value * factor, halfWidth: halfWidth(low, high).map { $0 * factor })
    // No end that is something is told as nothing.
    func spelled(_ end: Double) -> String {
      let most = max(6, digits)
      let enough = (digits..<most).first { end == 0 || abs(end) >= 0.5 * pow(10, -Double($0)) }
      return grouped(end, decimals: enough ?? most)
    }
    return "\(spelled(low * factor))–\(spelled(high * factor))"
  }

  /// A share that is promised: never rounded up.
  package static func guaranteed(_ share: Double) -> String {
    "\(Int((share * 100 + 1e-9).rounded(.down))) %"
  }

  /// `+3.1 %`, with as many decimals as a change deserves.
  package static func percent(_ share: Double, signed: Bool = true) -> String {
    guard share.isFinite else { return "–" }
    let value = share * 100
    let digits = abs(value) < 0.95 ? 2 : abs(value) < 9.95 ? 1 : 0
    let text = abs(value) < 1e15 ? fixed(abs(value), digits) : spelledShort(abs(value))
    let isZero = !text.contains { "123456789".contains($0) }
    let sign = isZero ? "±" : value < 0 ? "−" : "+"
    return (signed ? sign : value < 0 && !isZero ? "−" : "") + text + " %"
  }

  /// `3.2×`
  package static func times(_ ratio: Double) -> String {
    guard ratio.isFinite else { return "–" }
    // Near one the second digit behind the point is the first that says anything.
    return factor(ratio) + "×"
  }

  /// `3.2`
  package static func factor(_ ratio: Double) -> String {
    // Of a small one two digits: 0.00 says nothing.
    let power = ratio > 0 && ratio < 0.0995 ? Int(floor(log10(max(ratio, 1e-9)))) : 0
    let usual = ratio < 1.995 ? 2 : ratio < 9.95 ? 1 : 0
    return grouped(ratio, decimals: power < 0 ? 1 - power : usual)
  }

  /// `1 benchmark`, `12 benchmarks`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(Double(number), decimals: 0)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// `3.2×`, of what a single round says: two digits.
  package static func loneTimes(_ ratio: Double) -> String {
    guard ratio.isFinite, ratio > 0 else { return "–" }
    return lone(ratio, "") + "×"
  }

  /// Digits behind the point, without a locale.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
  }

  private static func halfWidth(_ low: Double?, _ high: Double?) -> Double? {
    guard let low, let high, low.isFinite, high.isFinite, high > low else { return nil }
    return min(1e60, max(1e-60, high / 2 - low / 2))
  }

  /// Decimals down to the first digit of the half-width; three significant digits where there is
  /// none.
  static func decimals(_ value: Double, halfWidth: Double?) -> Int {
    let byValue = 2 - Int(floor(log10(max(abs(value), 1e-9))))
    guard let halfWidth, halfWidth > 0 else {
      return value == value.rounded() && abs(value) < 1e6 ? 0 : min(3, max(0, byValue))
    }
    return min(3, max(0, min(-Int(floor(log10(halfWidth))), byValue)))
  }

  static func scale(_ size: Double, _ unit: String) -> (factor: Double, name: String) {
    switch unit {
    case "ns", "ns/op":
      let suffix = unit == "ns" ? "" : "/op"
      if size >= 1e9 { return (1e-9, "s" + suffix) }
      if size >= 1e6 { return (1e-6, "ms" + suffix) }
      if size >= 1e3 { return (1e-3, "µs" + suffix) }
      return (1, unit)
    case "B", "B/op":
      let suffix = unit == "B" ? "" : "/op"
      if size >= 0x1p30 { return (0x1p-30, "GiB" + suffix) }
      if size >= 0x1p20 { return (0x1p-20, "MiB" + suffix) }
      if size >= 0x1p10 { return (0x1p-10, "KiB" + suffix) }
      return (1, unit)
    case "op/s":
      if size >= 1e9 { return (1e-9, "G op/s") }
      if size >= 1e6 { return (1e-6, "M op/s") }
      if size >= 1e3 { return (1e-3, "k op/s") }
      return (1, unit)
    case "share", "times", "": return (1, "")
    default: return (1, unit)
    }
  }

  private static func spelledShort(_ value: Double) -> String {
    (value < 0 ? "−" : "") + String(format: "%.2e", abs(value))
  }

  /// Thousands apart by narrow spaces, so that 1 000 000 is read at once.
  static func grouped(_ value: Double, decimals: Int) -> String {
    // Beyond that no digit is one that anybody measured.
    guard abs(value) < 1e15 else { return spelledShort(value) }
    let text = fixed(abs(value), decimals)
    let whole = text.prefix { $0 != "." }
    var digits = ""
    for (place, digit) in whole.enumerated() {
      if place > 0, (whole.count - place) % 3 == 0 { digits += "\u{202F}" }
      digits.append(digit)
    }
    let isZero = !text.contains { "123456789".contains($0) }
    return (value < 0 && !isZero ? "−" : "") + digits + text.dropFirst(whole.count)
  }
}
