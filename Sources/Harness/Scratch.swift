import CShims
import Foundation
import Glibc

/// A directory that is there for as long as somebody needs it.
///
/// Every child works in one of its own, so that no probe can spoil the next. One that is claimed is
/// locked for as long as its process lives, however that ends: what a killed one leaves is found by
/// its free lock and swept by the next run.
public final class Scratch: Sendable {
  public let url: URL
  private let isKept: Bool
  /// The lock of a claimed one; ends with the process.
  private let claim: Int32

  public var path: String { url.path }

  /// The folder below the user's that scratch directories are made in when nobody names another. It
  /// goes with the last of them, unless something else lies in it.
  public static let home = ".realm-bench"

  /// The file whose lock says that somebody lives here.
  private static let owner = ".owner"

  /// Makes a fresh directory inside `parent`; by default inside the system's place for temporary
  /// files.
  public init(
    _ name: String = "scratch", in parent: URL = FileManager.default.temporaryDirectory,
    isKept: Bool = false, isClaimed: Bool = false
  ) throws {
    url = parent.appendingPathComponent("\(name)-\(UUID().uuidString.prefix(8))")
    self.isKept = isKept
    guard isClaimed else {
      claim = -1
      try Scratch.make(url)
      return
    }
    // Under its name only when it is locked: a sweeper never sees it without.
    let fresh = parent.appendingPathComponent(".new-\(UUID().uuidString)")
    try Scratch.make(fresh)
    claim = rb_open(fresh.appendingPathComponent(Scratch.owner).path, 1, 1)
    if claim >= 0 { _ = rb_byte_try(claim, 0) }
    try FileManager.default.moveItem(at: fresh, to: url)
  }

  deinit {
    if !isKept { try? FileManager.default.removeItem(at: url) }
    if claim >= 0 { close(claim) }
    let parent = url.deletingLastPathComponent()
    // Only an empty one can be removed.
    if parent.lastPathComponent == Scratch.home { rmdir(parent.path) }
  }

  /// Makes a directory and those above it; again where somebody else, who was done, removed one of
  /// these meanwhile.
  private static func make(_ url: URL) throws {
    for _ in 0..<10 {
      do {
        return try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      } catch CocoaError.fileNoSuchFile {}
    }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Removes what processes that are gone have left in a folder; what somebody still works in
  /// stays.
  public static func sweep(_ parent: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names {
      let place = parent.appendingPathComponent(name)
      let descriptor = rb_open(place.appendingPathComponent(owner).path, 1, 0)
      guard descriptor >= 0 else { continue }
      if rb_byte_try(descriptor, 0) == 0 { remove(place) }
      close(descriptor)
    }
  }

  /// What a killed process had started may outlive it by a moment, and write here behind whoever
  /// removes: then once more. Where it outlives that, too, the owner's file is put back, by which
  /// the next run finds the place.
  private static func remove(_ place: URL) {
    for _ in 0..<1000 {
      try? FileManager.default.removeItem(at: place)
      if !FileManager.default.fileExists(atPath: place.path) { return }
      usleep(5_000)
    }
    let descriptor = rb_open(place.appendingPathComponent(owner).path, 1, 1)
    if descriptor >= 0 { close(descriptor) }
  }
}
