import Benchmarks
import Foundation
import Reporting

/// Says what this machine can measure, and what to do about what it cannot.
let doctorVerb = Verb(
  name: "doctor",
  summary: "what this machine can measure, with one-line remedies",
  options: [
    .value("workdir", "DIR", "the disk to look at (default: the current folder's)"),
    .flag("json", "as JSON"),
  ]
) { arguments in
  let request = try runRequest(arguments)
  let scratch = try Session.workspace(request)
  let doctor = try Doctor.examine(request, workdir: scratch.url)
  Terminal.out(
    arguments.has("json")
      ? doctor.json
      : TextTable.doctor(
        doctor.environment, doctor.remedies.map { (finding: $0.finding, remedy: $0.remedy) }))
  return .fine
}
