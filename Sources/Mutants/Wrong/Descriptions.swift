#if Mutants
@_private(sourceFile: "ObjectBase+State.swift") import ReferenceEngine

extension ObjectBase {
  @_dynamicReplacement(for:description)
  var wrongDescription: String {
    if breaks(.descriptionsPinNothing), let session = realm?.session, let root = session.root,
      !root.isWaiting, let snapshot = try? session.coordinator.snapshot(of: root, kind: .frozen)
    {
      KeptSnapshots.keep(snapshot)
    }
    return description
  }
}
#endif
