import Foundation

// The door: reads arguments, wires rooms, prints, and ends with an exit code that scripts can
// trust.
Terminal.takePlaces()
exit(RealmBench.run(Array(CommandLine.arguments.dropFirst())).rawValue)
