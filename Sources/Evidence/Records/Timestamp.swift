import Foundation

/// Instants as records write them: UTC, ISO 8601, whole seconds.
package enum Timestamp {
  package static func utc(_ date: Date = Date()) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    let c = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    func two(_ n: Int?) -> String { (n ?? 0) < 10 ? "0\(n ?? 0)" : "\(n ?? 0)" }
    return "\(c.year ?? 0)-\(two(c.month))-\(two(c.day))T"
      + "\(two(c.hour)):\(two(c.minute)):\(two(c.second))Z"
  }

  /// Seconds since 1970 of such an instant, by the days-from-civil formula: no locale, no
  /// formatter.
  package static func seconds(_ text: String) -> Double? {
    let digits = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard digits.count >= 6 else { return nil }
    let (year, month, day) = (digits[0], digits[1], digits[2])
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...24).contains(digits[3]), (0...59).contains(digits[4]), (0...60).contains(digits[5])
    else { return nil }
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Double(days * 86400 + digits[3] * 3600 + digits[4] * 60 + digits[5])
  }

  /// Whether a text is a day of the calendar, such as 2027-01-31.
  package static func isDay(_ text: String) -> Bool {
    let midnight = "\(text)T00:00:00Z"
    // A thirtieth of February is the second of March.
    return seconds(midnight).map { utc(Date(timeIntervalSince1970: $0)) == midnight } ?? false
  }

  /// The instant without punctuation, fit for a file name.
  package static func compact(_ utc: String) -> String {
    utc.filter { $0.isNumber || $0 == "T" || $0 == "Z" }
  }
}
