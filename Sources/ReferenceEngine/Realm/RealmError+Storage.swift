extension Realm.Error {
  /// What a caller is told about a failure of the floors below.
  init(_ error: any Swift.Error) {
    if let known = error as? Realm.Error {
      self = known
      return
    }
    guard let storage = error as? StorageError else {
      self.init(.fail, "\(error)")
      return
    }
    let message = storage.description
    switch storage {
    case .notFound(let path): self.init(.fileNotFound, message, path)
    case .noFolder(let path, _): self.init(.fileNotFound, message, path)
    case .permissionDenied(let path, _): self.init(.filePermissionDenied, message, path)
    case .isDirectory(let path): self.init(.fileOperationFailed, message, path)
    case .notARealm(let path, _): self.init(.invalidDatabase, message, path)
    case .damaged(let path, _): self.init(.invalidDatabase, message, path)
    case .unsupportedFormat(let path, _, _):
      self.init(.unsupportedFileFormatVersion, message, path)
    case .outOfSpace(let path, _): self.init(.outOfDiskSpace, message, path)
    case .failed(let path, _, _, _): self.init(.fileOperationFailed, message, path)
    case .tooManyReaders(let path): self.init(.fail, message, path)
    case .tooManyVersions(let path, _, _): self.init(.fail, message, path)
    case .closed(let path): self.init(.fail, message, path)
    case .forked(let path): self.init(.fail, message, path)
    case .strangeLock(let path, _, _): self.init(.fileAccess, message, path)
    case .noThread(let path, _): self.init(.fail, message, path)
    case .foreignLock(let path, _): self.init(.incompatibleLockFile, message, path)
    case .replaced(let path, _): self.init(.fileAccess, message, path)
    case .noSeed(let path, _, _): self.init(.fileNotFound, message, path)
    case .inUse(let path, _): self.init(.alreadyOpen, message, path)
    case .noRoomForLock(let path): self.init(.outOfDiskSpace, message, path)
    case .readOnly(let path): self.init(.filePermissionDenied, message, path)
    }
  }
}
