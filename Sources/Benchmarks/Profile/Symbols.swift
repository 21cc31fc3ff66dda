import Foundation
import Harness

/// The names of functions by their addresses, for this process: read from its own program and
/// libraries.
struct Symbols {
  private struct Function {
    let start: UInt64
    let end: UInt64
    let name: String
  }

  /// A part of a file that lies executable in memory.
  private struct Mapping {
    let range: Range<UInt64>
    /// What to add to an address to get the one in the file's own tables.
    let shift: Int64
    let file: String
  }

  private var mappings: [Mapping] = []
  private var functions: [String: [Function]] = [:]

  init() {
    let maps = KernelFile.text("/proc/self/maps") ?? ""
    for line in maps.split(separator: "\n") {
      // `7f00-7f10 r-xp 00001000 08:01 42   /usr/lib/libc.so.6`
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count > 5, words[1].contains("x"), words[5].hasPrefix("/") else { continue }
      let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard ends.count == 2, let offset = UInt64(words[2], radix: 16) else { continue }
      let file = words[5...].joined(separator: " ")
      guard let image = Image(file) else { continue }
      if functions[file] == nil {
        functions[file] = image.functions.map { Function(start: $0.0, end: $0.1, name: $0.2) }
          .sorted { $0.start < $1.start }
      }
      let shift = Int64(bitPattern: image.address(ofOffset: offset)) - Int64(bitPattern: ends[0])
      mappings.append(Mapping(range: ends[0]..<ends[1], shift: shift, file: file))
    }
  }

  /// The function that an address lies in; the library where it has no name there.
  func name(_ address: UInt64) -> String {
    guard let mapping = mappings.first(where: { $0.range.contains(address) }) else {
      return "[unknown]"
    }
    let own = functions[mapping.file] ?? []
    let at = UInt64(bitPattern: Int64(bitPattern: address) + mapping.shift)
    var (low, high) = (0, own.count)
    while low < high {
      let middle = (low + high) / 2
      if own[middle].start <= at { low = middle + 1 } else { high = middle }
    }
    guard low > 0, at < own[low - 1].end else {
      return "[\(mapping.file.split(separator: "/").last ?? "")]"
    }
    return Symbols.demangled(own[low - 1].name)
  }

  /// A Swift name as people write it.
  static func demangled(_ name: String) -> String {
    guard name.hasPrefix("$s") || name.hasPrefix("$S") else { return name }
    guard let text = demangle(name, UInt(name.utf8.count), nil, nil, 0) else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}

/// The runtime's own: what the debugger calls.
@_silgen_name("swift_demangle")
private func demangle(
  _ name: UnsafePointer<CChar>, _ length: UInt, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// As much of an ELF file as names its functions: 64 bits, little-endian.
private struct Image {
  private let bytes: Data
  /// Loaded segments: where in the file, how long, where in memory.
  private var segments: [(offset: UInt64, size: UInt64, address: UInt64)] = []

  init?(_ file: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: file), options: .mappedIfSafe),
      data.count > 64, data.prefix(6).elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2, 1])
    else { return nil }
    bytes = data
    let (start, size, count) = (word(32), half(54), half(56))
    for number in 0..<UInt64(count) {
      let at = start + number * UInt64(size)
      // PT_LOAD
      guard quarter(at) == 1 else { continue }
      segments.append((word(at + 8), word(at + 32), word(at + 16)))
    }
  }

  func address(ofOffset offset: UInt64) -> UInt64 {
    let segment = segments.first { offset >= $0.offset & ~0xFFF && offset < $0.offset + $0.size }
    return segment.map { $0.address &- $0.offset &+ offset } ?? offset
  }

  /// Start, end and name of each, from the table of symbols, or that of exported ones where the
  /// other was stripped.
  var functions: [(UInt64, UInt64, String)] {
    let (start, size, count) = (word(40), half(58), half(60))
    let sections = (0..<UInt64(count)).map { start + $0 * UInt64(size) }
    // SHT_SYMTAB is 2, SHT_DYNSYM 11.
    let tables =
      sections.filter { quarter($0 + 4) == 2 } + sections.filter { quarter($0 + 4) == 11 }
    guard let table = tables.first else { return [] }
    let names = word(sections[Int(quarter(table + 40))] + 24)
    let (from, length) = (word(table + 24), word(table + 32))
    var found: [(UInt64, UInt64, String)] = []
    for at in stride(from: from, to: from + length, by: 24) {
      let (address, size) = (word(at + 8), word(at + 16))
      // STT_FUNC, and defined here.
      guard Int(at) + 24 <= bytes.count, bytes[bytes.startIndex + Int(at) + 4] & 15 == 2, size > 0
      else { continue }
      found.append((address, address + size, text(names + UInt64(quarter(at)))))
    }
    return found
  }

  private func number<T: FixedWidthInteger>(_ at: UInt64, _: T.Type) -> T {
    guard Int(at) + MemoryLayout<T>.size <= bytes.count else { return 0 }
    return bytes.withUnsafeBytes {
      T(littleEndian: $0.loadUnaligned(fromByteOffset: Int(at), as: T.self))
    }
  }
  private func half(_ at: UInt64) -> UInt16 { number(at, UInt16.self) }
  private func quarter(_ at: UInt64) -> UInt32 { number(at, UInt32.self) }
  private func word(_ at: UInt64) -> UInt64 { number(at, UInt64.self) }

  private func text(_ at: UInt64) -> String {
    guard Int(at) < bytes.count else { return "" }
    let tail = bytes[(bytes.startIndex + Int(at))...]
    return String(decoding: tail.prefix { $0 != 0 }, as: UTF8.self)
  }
}
