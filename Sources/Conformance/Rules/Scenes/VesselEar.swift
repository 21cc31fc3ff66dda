import EngineUnderTest
import Foundation

/// Something of a realm of vessels that can be listened to; the block is run in each call.
struct VesselEar: Sendable {
  let name: String
  let listen: @Sendable (Realm, @escaping () -> Void) -> NotificationToken

  static let realm = VesselEar(name: "a realm") { realm, heard in realm.observe { _, _ in heard() }
  }

  /// All but the realm.
  static let inside: [VesselEar] = [
    VesselEar(name: "an object") { realm, heard in
      realm.vessel(1).observe { (_: ObjectChange<Vessel>) in heard() }
    },
    VesselEar(name: "results") { realm, heard in realm.objects(Vessel.self).observe { _ in heard() }
    },
    VesselEar(name: "a filter") { realm, heard in
      realm.objects(Vessel.self).where { $0.number > 1 }.observe { _ in heard() }
    },
    VesselEar(name: "a list") { realm, heard in realm.vessel(1).numbers.observe { _ in heard() } },
    VesselEar(name: "a set") { realm, heard in realm.vessel(1).group.observe { _ in heard() } },
    VesselEar(name: "a map") { realm, heard in realm.vessel(1).titles.observe { _ in heard() } },
    VesselEar(name: "links backwards") { realm, heard in
      realm.vessel(1).throughLink.observe { _ in heard() }
    },
    VesselEar(name: "sections") { realm, heard in
      realm.objects(Vessel.self).sectioned(by: \.number, ascending: true).observe { _ in heard() }
    },
  ]

  static let all = [realm] + inside
}
