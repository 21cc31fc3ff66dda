extension Entry {
  package static let freeze = Entry("freeze")
  package static let resolve = Entry("resolve")
  package static let makeReference = Entry("makeReference")
  package static let observe = Entry("observe")
  package static let invalidate = Entry("invalidate")
  package static let refresh = Entry("refresh")
  package static let beginAsyncWrite = Entry("beginAsyncWrite")
  package static let commitAsyncWrite = Entry("commitAsyncWrite")
  package static let cancelAsyncWrite = Entry("cancelAsyncWrite")
  package static let asyncWrite = Entry("asyncWrite")
  package static let asyncRefresh = Entry("asyncRefresh")
  package static let autorefresh = Entry("autorefresh")
}
