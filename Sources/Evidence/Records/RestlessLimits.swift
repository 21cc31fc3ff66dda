/// Limits of the machine that take now this and now many times that, however calm the machine: two
/// threads meet on one core or on two, and a disk has a cache of its own.
///
/// As a control each says nothing but of itself, and rounds of it are less likely than others to
/// decide anything.
package enum RestlessLimits {
  package static let families: Set = [
    "floor.ping-pong", "floor.queue-hop", "floor.fresh-lines", "floor.flush",
  ]
}
