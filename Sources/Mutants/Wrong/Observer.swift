#if Mutants
@_private(sourceFile: "Observer.swift") import ReferenceEngine
@_private(sourceFile: "Listeners.swift") import ReferenceEngine

extension Observer {
  @_dynamicReplacement(for:deliver())
  final func wrongDeliver() {
    if breaks(.theEndedHearNothing), hasEnded {
      session.read()
      guard let now = session.root, told?.version != now.version else { return }
      let before = told
      told = now
      news(since: before)?()
      return
    }
    if breaks(.changesOfABeginAreToldLater), session.hasChangesInWrite, !hasEnded,
      let now = session.root, told?.version != now.version
    {
      let before = told
      told = now
      news(since: before)?()
      return
    }
    if breaks(.firstCallsTakeInThePast), told == nil,
      let snapshot = FirstKnown.snapshot(of: self)
    {
      deliver()
      return knows(only: snapshot)
    }
    if breaks(.firstCallsComeBeforeWrites), told == nil, session.isInWrite { return }
    let before = told
    deliver()
    if breaks(.listenersKnowWhatTheyWereTold), let before { told = before }
  }

  @_dynamicReplacement(for:endHere())
  final func wrongEndHere() {
    if breaks(.endedListenersLetGo), let listeners = session.listeners {
      let kept = listeners.kept
      endHere()
      listeners.kept = kept
      return
    }
    endHere()
    if breaks(.neighboursSurviveARemoval), let listeners = session.listeners, listeners.isTelling {
      listeners.observers = []
    }
  }

  @_dynamicReplacement(for:skip())
  final func wrongSkip() {
    if breaks(.unheardListenersGetAFirstCall), told == nil {
      told = session.root
      return passOver()
    }
    if breaks(.skippedSectionsGoOn), "\(type(of: self))".hasPrefix("SectionObserver") { return }
    if breaks(.skippedMapsGoOn), told != nil, "\(type(of: self))".hasPrefix("MapObserver") {
      told = session.root
      return
    }
    if !breaks(.skippedChangesStaySkipped) { skip() }
  }
}
#endif
