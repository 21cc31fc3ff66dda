import Foundation

/// What a repository keeps for this tool: found from anywhere within it.
enum RepositoryPlace {
  /// The nearest file or folder of that path, in a directory or above it; nil where there is none.
  static func nearest(_ path: String, from directory: URL, isFolder: Bool = false) -> URL? {
    var place = directory.standardizedFileURL
    while true {
      let found = place.appendingPathComponent(path)
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: found.path, isDirectory: &isDirectory),
        isDirectory.boolValue || !isFolder
      {
        return found
      }
      let above = place.deletingLastPathComponent().standardizedFileURL
      if above.path == place.path { return nil }
      place = above
    }
  }
}
