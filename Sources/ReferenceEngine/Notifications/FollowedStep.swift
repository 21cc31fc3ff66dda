/// What one step to a newer version meant to a listener of some results. All that listen to the
/// same ones, and know the same version, are told the same: it is found out once.
final class FollowedStep {
  private let from: Root
  private let to: Root?
  private let reach: Reach
  let difference: Difference?
  let members: Answer

  init(
    from: Root, to: Root?, within reach: Reach, _ difference: Difference?, _ members: Answer
  ) {
    (self.from, self.to, self.reach) = (from, to, reach)
    (self.difference, self.members) = (difference, members)
  }

  /// Whether it is what a listener is to be told that comes from one version to another.
  fileprivate func leads(from told: Root, to now: Root?, within other: Reach) -> Bool {
    from.isSame(as: told) && to.map { $0.isSame(as: now) } ?? false && reach.isSame(as: other)
  }

  /// Listeners change their members in place, which more than one holder would have copied first:
  /// a long list is followed by each.
  fileprivate var isShort: Bool {
    if case .whole = members { true } else { members.count <= 1024 }
  }
}

extension ResultsState {
  /// What another listener of the results was told of the same step.
  func lastStep(from told: Root, within reach: Reach) -> FollowedStep? {
    guard let step = lastTold as? FollowedStep,
      step.leads(from: told, to: session.root, within: reach), !session.hasChangesInWrite
    else { return nil }
    return step
  }

  /// Takes note of what a listener is told, for the others if there are any: one alone has nobody
  /// to share it with.
  func noteStep(isForMany: Bool, _ step: @autoclosure () -> FollowedStep) {
    let step = isForMany && !session.hasChangesInWrite ? step() : nil
    lastTold = step?.isShort == true ? step : nil
  }
}
