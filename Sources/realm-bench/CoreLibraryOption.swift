import Benchmarks
import Foundation

/// `--realm-core PATH`, which any verb understands: children find the library by the environment,
/// so that is where it goes.
enum CoreLibraryOption {
  static let name = "--realm-core"

  /// The words without the option, which is put into force.
  static func taken(from words: [String]) throws -> [String] {
    var rest: [String] = []
    var remaining = words[...]
    while let word = remaining.popFirst() {
      if word == "--" {
        rest.append(word)
        rest += remaining
        break
      }
      if word == name {
        guard let path = remaining.popFirst(), !path.hasPrefix("--") else {
          throw UsageError("\(name) wants the path of a realm-core library")
        }
        set(path)
      } else if word.hasPrefix(name + "=") {
        set(String(word.dropFirst(name.count + 1)))
      } else {
        rest.append(word)
      }
    }
    return rest
  }

  private static func set(_ path: String) {
    // Whole, because children may have another directory.
    setenv(Catalogue.coreLibraryVariable, URL(fileURLWithPath: path).path, 1)
  }
}
