// The socket: the only room that knows which engine the suites see.
#if RealmSwift
@_exported import RealmSwift
#else
@_exported import ReferenceEngine
#endif
