// The socket: the only room that knows which engine the suites see.
#if RealmSwift
@_exported import RealmSwift
#elseif RealmCore
@_exported import RealmCore
#else
@_exported import ReferenceEngine
#endif
