import Dispatch

/// What is in sections and can be observed: all sections of a collection, or one.
public protocol RealmSectionedResult: RandomAccessCollection {
  associatedtype SectionElement: RealmCollectionValue

  /// Calls a block when sections or their members come, go or change, until the token is dropped.
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken

  /// As `observe(on:)`, on an actor: in force when it returns, and called on the actor's executor.
  func observe<A: Actor>(
    keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)?,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken
}

extension SectionedResults: RealmSectionedResult {
  /// Calls a block when sections or their members come, go or change, until the token is dropped;
  /// the first call tells that they can be used. Parameters are those of `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    Registration.ofSections(self, in: grouping, on: queue, Self.observer(keyPaths, block))
  }

  /// As `observe(on:)`, on an actor: in force when it returns, and called on the actor's executor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<SectionedResults>) -> Void
  ) async -> NotificationToken {
    guard let session = grouping.members.observedSession else { return NotificationToken() }
    return await Registration.on(actor, self, in: session, block) { Self.observer(keyPaths, $0) }
  }

  private static func observer(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> Registration.Make<SectionedResults> {
    { sections, session, _ in
      SectionObserver(sections, of: sections.grouping, in: session, keyPaths: keyPaths, block)
    }
  }
}

extension ResultsSection: RealmSectionedResult {
  /// Calls a block when the section or its members come, go or change, until the token is dropped;
  /// the first call tells that it can be used. Parameters are those of `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    Registration.ofSections(self, in: grouping, on: queue, Self.observer(keyPaths, block))
  }

  /// As `observe(on:)`, on an actor: in force when it returns, and called on the actor's executor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<ResultsSection>) -> Void
  ) async -> NotificationToken {
    guard let session = grouping.members.observedSession else { return NotificationToken() }
    return await Registration.on(actor, self, in: session, block) { Self.observer(keyPaths, $0) }
  }

  private static func observer(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> Registration.Make<ResultsSection> {
    { section, session, _ in
      SectionObserver(
        section, of: section.grouping, only: section.key, in: session, keyPaths: keyPaths, block)
    }
  }
}

extension RealmSectionedResult where SectionElement: ObjectBase {
  /// As `observe`, with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    observe(
      keyPaths: keyPaths.map { propertyName(of: $0, in: SectionElement.self) }, on: queue, block)
  }

  /// As `observe(on:)`, with typed key paths, on an actor.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: keyPaths.map { propertyName(of: $0, in: SectionElement.self) }, on: actor,
      _isolation: _isolation, block)
  }
}

extension Registration {
  fileprivate static func ofSections<Sections: ThreadConfined, Key, Member>(
    _ sections: Sections, in grouping: SectionGrouping<Key, Member>, on queue: DispatchQueue?,
    _ make: @escaping Make<Sections>
  ) -> NotificationToken {
    guard let session = grouping.members.observedSession else { return NotificationToken() }
    if let queue { return on(queue, sections, in: session, make) }
    return here(sections, in: session, make)
  }
}
