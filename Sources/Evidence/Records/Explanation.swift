import Foundation

/// Why a file could not be read or written, in the words of the system: never the name of an error
/// domain.
package func explanation(_ error: any Error) -> String {
  if let told = error as? RecordError { return told.description }
  if let posix = error as? POSIXError { return words(posix.code.rawValue) }
  let error = error as NSError
  if error.domain == NSPOSIXErrorDomain { return words(Int32(error.code)) }
  // The system's own reason lies below Foundation's; it may be a value that no cast to a class
  // finds.
  if let below = error.userInfo[NSUnderlyingErrorKey] as? any Error { return explanation(below) }
  switch CocoaError.Code(rawValue: error.code) {
  case .fileWriteOutOfSpace: return words(ENOSPC)
  case .fileWriteNoPermission, .fileReadNoPermission: return words(EACCES)
  case .fileNoSuchFile, .fileReadNoSuchFile: return words(ENOENT)
  case .fileWriteFileExists: return words(EEXIST)
  case .fileWriteVolumeReadOnly: return words(EROFS)
  default: break
  }
  let said = "\(error.localizedDescription)"
  return said.contains("Domain") ? "error \(error.code) of the system" : said
}

private func words(_ code: Int32) -> String { String(cString: strerror(code)) }
