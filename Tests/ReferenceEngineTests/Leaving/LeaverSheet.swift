import Foundation

/// A row as it should be.
struct LeaverSheet: Equatable {
  var key: Int
  let serial: Int
  var name: Int?
  var value: Int?
  var day: Int?
  var code: Int?
  var isOn: Bool?
  var text: Int

  static func name(_ number: Int) -> String { number == 0 ? "" : "näme \(number)" }
  static func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number) / 2) }
  static func code(_ number: Int) -> UUID {
    let digits = String(number, radix: 16, uppercase: true)
    return UUID(
      uuidString: "00000000-0000-0000-0000-"
        + String(repeating: "0", count: 12 - digits.count) + digits)!
  }
  /// Empty ones, short ones, such as are just kept beside others and just are not, and long ones.
  static func text(_ number: Int) -> String {
    switch number % 24 {
    case 0: ""
    case 1...14: "t\(number % 5000)"
    case 15: String(repeating: "x", count: 127)
    case 16: String(repeating: "y", count: 128)
    case 17: String(repeating: "z", count: 129)
    case 18: "日本語 👩‍👩‍👧 \(number)"
    case 19: String(repeating: "ab\(number) ", count: 40)
    case 20 where number % 7 == 0: String(repeating: "long\(number) ", count: 9_000)
    default: "same"
    }
  }

  func write<T: Leaver>(to object: T, all: Bool = true, _ old: LeaverSheet? = nil) {
    if old == nil { object.serial = serial }
    if old?.name != name || all { object.name = name.map(LeaverSheet.name) }
    if old?.value != value || all { object.value = value }
    if old?.day != day || all { object.day = day.map(LeaverSheet.day) }
    if old?.code != code || all { object.code = code.map(LeaverSheet.code) }
    if old?.isOn != isOn || all { object.isOn = isOn }
    if old?.text != text || all { object.text = LeaverSheet.text(text) }
  }

  func differs<T: Leaver>(from object: T) -> String? {
    if object.serial != serial { return "serial \(object.serial)" }
    if object.name != name.map(LeaverSheet.name) { return "name \(object.name ?? "nil")" }
    if object.value != value { return "value \(String(describing: object.value))" }
    if object.day != day.map(LeaverSheet.day) { return "day \(String(describing: object.day))" }
    if object.code != code.map(LeaverSheet.code) {
      return "code \(String(describing: object.code))"
    }
    if object.isOn != isOn { return "isOn \(String(describing: object.isOn))" }
    let text = object.text
    if text != LeaverSheet.text(self.text) { return "text \(text.prefix(20)) of \(text.count)" }
    return nil
  }
}
