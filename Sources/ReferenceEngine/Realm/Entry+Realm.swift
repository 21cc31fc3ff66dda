extension Entry {
  package static let readRealm = Entry("readRealm")
  package static let readProperty = Entry("readProperty")
  package static let writeProperty = Entry("writeProperty")
  package static let writeCollection = Entry("writeCollection")
  package static let add = Entry("add")
  package static let create = Entry("create")
  package static let delete = Entry("delete")
  package static let beginWrite = Entry("beginWrite")
  package static let commitWrite = Entry("commitWrite")
  package static let cancelWrite = Entry("cancelWrite")
  package static let open = Entry("open")
  package static let link = Entry("link")
}
