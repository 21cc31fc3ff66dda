import CRealmCore
import Foundation

/// A query in realm-core's language, its values kept apart from its words.
struct QueryText {
  private enum Piece {
    case words(String)
    case values([StoredValue], isList: Bool)
  }
  private var pieces: [Piece]

  init(_ words: String) { pieces = [.words(words)] }
  init(value: StoredValue) { pieces = [.values([value], isList: false)] }
  init(values: [StoredValue]) { pieces = [.values(values, isList: true)] }

  /// A filter string, its `%@` being values and its `%K` names.
  init(format: String, _ arguments: [Any]) {
    pieces = []
    var rest = arguments[...]
    var words = ""
    var characters = format[...]
    while let next = characters.popFirst() {
      guard next == "%", let kind = characters.first, "@Kdfi".contains(kind) else {
        words.append(next)
        continue
      }
      characters.removeFirst()
      guard let argument = rest.popFirst() else {
        Facade.refuse("Too few arguments for filter '\(format)'")
      }
      if kind == "K" {
        words += "\(argument)"
      } else {
        pieces.append(.words(words))
        words = ""
        if let list = argument as? [Any] {
          pieces.append(.values(list.map { StoredValue(expecting: $0) }, isList: true))
        } else {
          pieces.append(.values([StoredValue(expecting: argument)], isList: false))
        }
      }
    }
    pieces.append(.words(words))
  }

  static func + (left: QueryText, right: QueryText) -> QueryText {
    var sum = left
    sum.pieces += right.pieces
    return sum
  }

  /// The words; values are none.
  var plain: String {
    pieces.map { if case .words(let words) = $0 { words } else { "" } }.joined()
  }

  /// The query as realm-core takes it, as long as the call lasts.
  func withCore<R>(
    _ session: Session, _ body: (UnsafePointer<CChar>, Int, UnsafePointer<rc_argument>?) -> R
  ) -> R {
    var words = ""
    var lists: [([StoredValue], Bool)] = []
    for piece in pieces {
      switch piece {
      case .words(let more): words += more
      case .values(let values, let isList):
        words += "$\(lists.count)"
        lists.append((values, isList))
      }
    }
    let all = lists.flatMap(\.0)
    return QueryText.withCore(all[...], []) { raw in
      var raw = raw
      return raw.withUnsafeMutableBufferPointer { raw in
        var (arguments, start) = ([rc_argument](), 0)
        for (values, isList) in lists {
          arguments.append(
            rc_argument(
              count: values.count, is_list: isList,
              values: values.isEmpty ? nil : raw.baseAddress! + start))
          start += values.count
        }
        return arguments.withUnsafeBufferPointer { body(words, $0.count, $0.baseAddress) }
      }
    }
  }

  /// All values at once, each as long as the call lasts.
  private static func withCore<R>(
    _ values: ArraySlice<StoredValue>, _ done: [rc_value], _ body: ([rc_value]) -> R
  ) -> R {
    guard let first = values.first else { return body(done) }
    return first.withCore { withCore(values.dropFirst(), done + [$0], body) }
  }
}

extension StoredValue {
  /// A value that a query compares with.
  init(expecting any: Any) {
    if let optional = any as? any OptionalProtocol {
      self = optional.anyValue.map { StoredValue(expecting: $0) } ?? .null
    } else if any is NSNull {
      self = .null
    } else if let value = any as? any _StoredConvertible {
      self = value.encoded
    } else {
      Facade.refuse("Object of type '\(type(of: any))' cannot be used in a query.")
    }
  }
}

/// How strings are compared.
public struct StringOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let caseInsensitive = StringOptions(rawValue: 1)
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  var words: String {
    isEmpty
      ? ""
      : "[" + (contains(.caseInsensitive) ? "c" : "")
        + (contains(.diacriticInsensitive) ? "d" : "") + "]"
  }
}
