@testable import ReferenceEngine

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Lets nobody who waits for a while only give up before it is said that somebody may: so what a
/// test sees does not hang on time.
struct PatientMoments: Moments {
  var mayGiveUp: @Sendable () -> Bool = { false }

  func reach(_ moment: Moment) {}

  func wait(
    at moment: Moment, until isSo: @escaping () -> Bool, orLate mayGoOn: @escaping () -> Bool
  ) {
    while !isSo(), !mayGiveUp() { sched_yield() }
  }
}

extension SharingLimits {
  /// For who says by other means who comes when.
  static var patient: SharingLimits {
    var limits = SharingLimits()
    limits.gathering = .max
    return limits
  }
}

extension Seams {
  /// For all files that this process opens from now on.
  static func bePatient() {
    given.moments = PatientMoments()
    given.sharing = .patient
  }
}
