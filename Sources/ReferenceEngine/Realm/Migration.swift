/// The view of a file that changes from one schema version to another: old objects by name, new ones beside them.
public final class Migration {
  /// The schema the file was written with.
  public let oldSchema: Schema
  /// The schema it is getting.
  public let newSchema: Schema

  init(oldSchema: Schema, newSchema: Schema) {
    self.oldSchema = oldSchema
    self.newSchema = newSchema
  }
}
