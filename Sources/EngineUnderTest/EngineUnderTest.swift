// The socket: the only room that knows which engine the suites see.
@_exported import ReferenceEngine
