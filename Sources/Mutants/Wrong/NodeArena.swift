#if Mutants
@_private(sourceFile: "NodeArena.swift") import ReferenceEngine

extension NodeArena {
  @_dynamicReplacement(for:discard(_:))
  func wrongDiscard(_ ref: NodeRef) {
    if breaks(.pairsAreReused), !ref.isNone, !ref.isPending,
      space.header(ref).kind == NodeKind.pairs
    {
      return
    }
    discard(ref)
  }
}
#endif
