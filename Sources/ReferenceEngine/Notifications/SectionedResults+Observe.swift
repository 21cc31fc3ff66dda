import Dispatch

/// What is in sections and can be observed: all sections of a collection, or one.
public protocol RealmSectionedResult: RandomAccessCollection {
  associatedtype SectionElement: RealmCollectionValue

  /// Calls a block when sections or their members come, go or change, until the token is dropped.
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken
}

extension SectionedResults: RealmSectionedResult {
  /// Calls a block when sections or their members come, go or change, until the token is dropped; the first call tells
  /// that they can be used. Parameters are those of `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    Registration.ofSections(self, in: grouping, on: queue) { sections, session, _ in
      SectionObserver(sections, of: sections.grouping, in: session, keyPaths: keyPaths, block)
    }
  }
}

extension ResultsSection: RealmSectionedResult {
  /// Calls a block when the section or its members come, go or change, until the token is dropped; the first call tells
  /// that it can be used. Parameters are those of `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    Registration.ofSections(self, in: grouping, on: queue) { section, session, _ in
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
}

extension Registration {
  fileprivate static func ofSections<Sections: ThreadConfined, Key, Member>(
    _ sections: Sections, in grouping: SectionGrouping<Key, Member>, on queue: DispatchQueue?,
    _ make: @escaping Make<Sections>
  ) -> NotificationToken {
    let session = grouping.members.state.session
    if let queue { return on(queue, sections, in: session, make) }
    return here(sections, in: session, make)
  }
}
