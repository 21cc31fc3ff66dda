import Foundation
import Testing

@testable import ReferenceEngine

/// A realm that shows no version, because it was invalidated, told its listeners of a change
/// whenever somebody rang: they heard of nothing, or of one commit twice.
@Suite struct InvalidatedNewsTests {
  private let (desk, other): (Desk, Desk)
  private let told = Noted<String>()

  init() {
    let configuration = freshConfiguration()
    (desk, other) = (Desk(configuration), Desk(configuration))
  }

  private func listen() -> NotificationToken {
    desk.work { realm in
      realm.observe { [told] notification, _ in told.add("\(notification)") }
    }
  }

  private func heard(after act: () -> Void) -> [String] {
    told.clear()
    act()
    desk.work { _ in }
    return told.all
  }

  private func commit() { other.commit { $0.create(Dog.self) } }

  @Test func `NOTIFY-35: where nothing was committed, an invalidated realm is told nothing`() {
    let token = listen()
    // What ends with the realm's life has asked for a look at the news.
    let ended = desk.work { realm in
      let listeners = [realm.objects(Dog.self).observe { _ in }]
      realm.invalidate()
      return listeners
    }
    #expect(heard {} == [])
    for _ in 0..<3 { #expect(heard { desk.work { $0.session.listeners?.knock() } } == []) }
    // The realm's own commit was told before the write returned.
    let kept = desk.work { realm in realm.objects(Dog.self).observe { _ in } }
    let own = heard {
      desk.work { realm in
        try? realm.write { _ = realm.create(Dog.self) }
        realm.invalidate()
      }
    }
    #expect(own == ["didChange"])
    // Invalidated again, and refreshed.
    #expect(heard { desk.work { $0.invalidate() } } == [])
    #expect(heard { desk.work { _ = $0.refresh() } } == [])
    #expect(heard { desk.work { $0.session.listeners?.knock() } } == [])
    for token in ended + [kept, token] { token.invalidate() }
  }

  @Test func `NOTIFY-01: an invalidated realm is told of each commit of others, once`() {
    let token = listen()
    desk.work { $0.invalidate() }
    for _ in 0..<3 {
      #expect(heard { commit() } == ["didChange"])
      #expect(heard { desk.work { $0.session.listeners?.knock() } } == [])
    }
    // Several come as one.
    let several = heard { desk.work { _ in for _ in 0..<3 { commit() } } }
    #expect(several == ["didChange"])
    // It still shows none, and begins with the newest.
    desk.work { realm in
      #expect(realm.session.root == nil)
      #expect(realm.objects(Dog.self).count == 6)
    }
    #expect(heard { commit() } == ["didChange"])
    token.invalidate()
  }

  @Test func `NOTIFY-03: without autorefresh an invalidated realm is told that there is more`() {
    let token = listen()
    desk.work { realm in
      realm.autorefresh = false
      realm.invalidate()
    }
    #expect(heard { desk.work { $0.session.listeners?.knock() } } == [])
    for _ in 0..<2 {
      #expect(heard { commit() } == ["refreshRequired"])
      #expect(heard { desk.work { $0.session.listeners?.knock() } } == [])
    }
    token.invalidate()
  }
}
