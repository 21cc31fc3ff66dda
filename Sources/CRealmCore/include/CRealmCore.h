#ifndef CREALMCORE_H
#define CREALMCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What of realm-core's C interface is called: our own declarations of it, and where a library keeps
// it.
//
// Handles have no type of their own here; what each is, its name says. Every function is found by
// its name in a library that is opened at run time: nothing here makes one necessary.

#pragma clang assume_nonnull begin

typedef void *_Nullable rc_handle;
typedef void *_Nullable rc_data;
typedef const char *_Nonnull rc_words;

enum {
  rc_null,
  rc_int,
  rc_bool,
  rc_string,
  rc_binary,
  rc_timestamp,
  rc_float,
  rc_double,
  rc_decimal,
  rc_object_id,
  rc_link,
  rc_uuid
};

typedef struct {
  const char *_Nullable data;
  size_t size;
} rc_bytes;

typedef struct {
  union {
    int64_t integer;
    bool boolean;
    rc_bytes bytes;
    struct {
      int64_t seconds;
      int32_t nanoseconds;
    } timestamp;
    float fnum;
    double dnum;
    uint64_t decimal[2];
    uint8_t id[12];
    uint8_t uuid[16];
    struct {
      uint32_t table;
      int64_t key;
    } link;
  };
  int32_t type;
} rc_value;

typedef struct {
  size_t count;
  bool is_list;
  rc_value *_Nullable values;
} rc_argument;

typedef struct {
  int32_t code;
  uint32_t categories;
  const char *_Nullable message;
  void *_Nullable user_error;
  const char *_Nullable path;
} rc_error;

typedef struct {
  uint64_t version;
  uint64_t index;
} rc_version;

typedef struct {
  const char *_Nullable name;
  const char *_Nullable public_name;
  int32_t type;
  int32_t collection;
  const char *_Nullable target;
  const char *_Nullable origin;
  int64_t key;
  int32_t flags;
} rc_property;

typedef struct {
  const char *_Nullable name;
  const char *_Nullable primary_key;
  size_t properties;
  size_t computed;
  uint32_t key;
  int32_t flags;
} rc_class;

typedef struct {
  size_t from;
  size_t to;
} rc_move;

typedef void (*rc_free)(rc_data);
typedef void (*rc_call)(rc_data);
typedef void (*rc_change)(rc_data, const void *);
typedef void (*rc_done)(rc_data, bool failed, const char *_Nullable words);
typedef bool (*rc_migrate)(rc_data, rc_handle old, rc_handle new_realm, const void *schema);
typedef bool (*rc_compact)(rc_data, uint64_t total, uint64_t used);
typedef void (*rc_notify)(rc_data, void *queue);
typedef bool (*rc_ask)(rc_data);
typedef bool (*rc_same)(const void *_Nullable, const void *_Nullable);

#define RC_FUNCTIONS(F) \
  /* the library */ \
  F(rc_words, realm_get_library_version, (void)) \
  F(void, realm_get_library_version_numbers, \
    (int *major, int *minor, int *patch, const char *_Nullable *_Nonnull extra)) \
  F(bool, realm_get_last_error, (rc_error *)) \
  F(bool, realm_clear_last_error, (void)) \
  F(void, realm_release, (rc_handle)) \
  F(bool, realm_equals, (rc_handle, rc_handle)) \
  F(bool, realm_is_frozen, (rc_handle)) \
  F(void, realm_set_log_level, (int)) \
  /* opening */ \
  F(rc_handle, realm_config_new, (void)) \
  F(void, realm_config_set_path, (rc_handle, const char *)) \
  F(bool, realm_config_set_encryption_key, (rc_handle, const uint8_t *_Nullable, size_t)) \
  F(void, realm_config_set_schema, (rc_handle, rc_handle schema)) \
  F(void, realm_config_set_schema_version, (rc_handle, uint64_t)) \
  F(void, realm_config_set_schema_mode, (rc_handle, int)) \
  F(void, realm_config_set_schema_subset_mode, (rc_handle, int)) \
  F(void, realm_config_set_migration_function, \
    (rc_handle, rc_migrate, rc_data, rc_free _Nullable)) \
  F(void, realm_config_set_should_compact_on_launch_function, \
    (rc_handle, rc_compact, rc_data, rc_free _Nullable)) \
  F(void, realm_config_set_scheduler, (rc_handle, rc_handle scheduler)) \
  F(void, realm_config_set_max_number_of_active_versions, (rc_handle, uint64_t)) \
  F(void, realm_config_set_in_memory, (rc_handle, bool)) \
  F(void, realm_config_set_cached, (rc_handle, bool)) \
  F(rc_handle, realm_scheduler_new, (rc_data, rc_free, rc_notify, rc_ask, rc_same, rc_ask)) \
  F(void, realm_scheduler_perform_work, (void *queue)) \
  F(rc_handle, realm_open, (rc_handle config)) \
  F(bool, realm_close, (rc_handle)) \
  F(bool, realm_convert_with_config, (rc_handle, rc_handle config, bool merge)) \
  F(bool, realm_delete_files, (const char *, bool *did)) \
  /* versions and writes */ \
  F(bool, realm_begin_read, (rc_handle)) \
  F(bool, realm_begin_write, (rc_handle)) \
  F(bool, realm_is_writable, (rc_handle)) \
  F(bool, realm_commit, (rc_handle)) \
  F(bool, realm_rollback, (rc_handle)) \
  F(bool, realm_async_begin_write, \
    (rc_handle, rc_call, rc_data, rc_free, bool notify_only, unsigned *id)) \
  F(bool, realm_async_commit, (rc_handle, rc_done, rc_data, rc_free, bool grouping, unsigned *id)) \
  F(bool, realm_async_cancel, (rc_handle, unsigned id, bool *did)) \
  F(rc_handle, realm_add_realm_changed_callback, (rc_handle, rc_call, rc_data, rc_free)) \
  F(bool, realm_refresh, (rc_handle, bool *did)) \
  F(rc_handle, realm_freeze, (rc_handle)) \
  F(bool, realm_get_version_id, (rc_handle, bool *found, rc_version *)) \
  F(rc_handle, realm_create_thread_safe_reference, (rc_handle)) \
  /* the schema */ \
  F(rc_handle, realm_schema_new, \
    (const rc_class *, size_t, const rc_property *_Nullable *_Nonnull)) \
  F(bool, realm_update_schema, (rc_handle, rc_handle schema)) \
  F(uint64_t, realm_get_schema_version, (rc_handle)) \
  F(bool, realm_find_class, (rc_handle, const char *, bool *found, rc_class *)) \
  F(bool, realm_get_class, (rc_handle, uint32_t, rc_class *)) \
  F(bool, realm_find_property, (rc_handle, uint32_t, const char *, bool *found, rc_property *)) \
  F(size_t, realm_get_num_classes, (rc_handle)) \
  F(bool, realm_get_class_keys, (rc_handle, uint32_t *_Nullable, size_t, size_t *)) \
  F(bool, realm_get_num_objects, (rc_handle, uint32_t, size_t *)) \
  /* objects */ \
  F(rc_handle, realm_get_object, (rc_handle, uint32_t, int64_t)) \
  F(rc_handle, realm_object_find_with_primary_key, (rc_handle, uint32_t, rc_value, bool *)) \
  F(rc_handle, realm_object_find_all, (rc_handle, uint32_t)) \
  F(rc_handle, realm_object_create, (rc_handle, uint32_t)) \
  F(rc_handle, realm_object_create_with_primary_key, (rc_handle, uint32_t, rc_value)) \
  F(rc_handle, realm_object_get_or_create_with_primary_key, \
    (rc_handle, uint32_t, rc_value, bool *)) \
  F(bool, realm_object_delete, (rc_handle)) \
  F(bool, realm_object_resolve_in, (rc_handle, rc_handle realm, rc_handle *_Nonnull)) \
  F(bool, realm_object_is_valid, (rc_handle)) \
  F(int64_t, realm_object_get_key, (rc_handle)) \
  F(uint32_t, realm_object_get_table, (rc_handle)) \
  F(rc_handle, realm_object_from_thread_safe_reference, (rc_handle, rc_handle)) \
  F(bool, realm_get_value, (rc_handle, int64_t, rc_value *)) \
  F(bool, realm_set_value, (rc_handle, int64_t, rc_value, bool is_default)) \
  F(rc_handle, realm_set_embedded, (rc_handle, int64_t)) \
  F(rc_handle, realm_create_key_path_array, \
    (rc_handle, uint32_t, size_t, const char *_Nullable *_Nullable)) \
  F(rc_handle, realm_object_add_notification_callback, \
    (rc_handle, rc_data, rc_free, rc_handle, rc_change)) \
  F(bool, realm_object_changes_is_deleted, (const void *)) \
  F(size_t, realm_object_changes_get_num_modified_properties, (const void *)) \
  F(size_t, realm_object_changes_get_modified_properties, (const void *, int64_t *, size_t)) \
  /* lists */ \
  F(rc_handle, realm_get_list, (rc_handle, int64_t)) \
  F(bool, realm_list_resolve_in, (rc_handle, rc_handle, rc_handle *_Nonnull)) \
  F(bool, realm_list_is_valid, (rc_handle)) \
  F(bool, realm_list_size, (rc_handle, size_t *)) \
  F(bool, realm_list_get, (rc_handle, size_t, rc_value *)) \
  F(bool, realm_list_find, (rc_handle, const rc_value *, size_t *, bool *)) \
  F(bool, realm_list_set, (rc_handle, size_t, rc_value)) \
  F(bool, realm_list_insert, (rc_handle, size_t, rc_value)) \
  F(rc_handle, realm_list_insert_embedded, (rc_handle, size_t)) \
  F(rc_handle, realm_list_set_embedded, (rc_handle, size_t)) \
  F(bool, realm_list_move, (rc_handle, size_t, size_t)) \
  F(bool, realm_list_erase, (rc_handle, size_t)) \
  F(bool, realm_list_clear, (rc_handle)) \
  F(rc_handle, realm_list_to_results, (rc_handle)) \
  F(rc_handle, realm_list_from_thread_safe_reference, (rc_handle, rc_handle)) \
  F(rc_handle, realm_list_add_notification_callback, \
    (rc_handle, rc_data, rc_free, rc_handle, rc_change)) \
  /* sets */ \
  F(rc_handle, realm_get_set, (rc_handle, int64_t)) \
  F(bool, realm_set_resolve_in, (rc_handle, rc_handle, rc_handle *_Nonnull)) \
  F(bool, realm_set_is_valid, (rc_handle)) \
  F(bool, realm_set_size, (rc_handle, size_t *)) \
  F(bool, realm_set_get, (rc_handle, size_t, rc_value *)) \
  F(bool, realm_set_find, (rc_handle, rc_value, size_t *, bool *)) \
  F(bool, realm_set_insert, (rc_handle, rc_value, size_t *, bool *)) \
  F(bool, realm_set_erase, (rc_handle, rc_value, bool *)) \
  F(bool, realm_set_clear, (rc_handle)) \
  F(rc_handle, realm_set_to_results, (rc_handle)) \
  F(rc_handle, realm_set_from_thread_safe_reference, (rc_handle, rc_handle)) \
  F(rc_handle, realm_set_add_notification_callback, \
    (rc_handle, rc_data, rc_free, rc_handle, rc_change)) \
  /* dictionaries */ \
  F(rc_handle, realm_get_dictionary, (rc_handle, int64_t)) \
  F(bool, realm_dictionary_resolve_in, (rc_handle, rc_handle, rc_handle *_Nonnull)) \
  F(bool, realm_dictionary_is_valid, (rc_handle)) \
  F(bool, realm_dictionary_size, (rc_handle, size_t *)) \
  F(bool, realm_dictionary_get, (rc_handle, size_t, rc_value *, rc_value *)) \
  F(bool, realm_dictionary_find, (rc_handle, rc_value, rc_value *, bool *)) \
  F(bool, realm_dictionary_insert, (rc_handle, rc_value, rc_value, size_t *, bool *)) \
  F(rc_handle, realm_dictionary_insert_embedded, (rc_handle, rc_value)) \
  F(bool, realm_dictionary_erase, (rc_handle, rc_value, bool *)) \
  F(bool, realm_dictionary_clear, (rc_handle)) \
  F(rc_handle, realm_dictionary_to_results, (rc_handle)) \
  F(rc_handle, realm_dictionary_from_thread_safe_reference, (rc_handle, rc_handle)) \
  F(rc_handle, realm_dictionary_add_notification_callback, \
    (rc_handle, rc_data, rc_free, rc_handle, rc_change)) \
  F(void, realm_dictionary_get_changes, (const void *, size_t *, size_t *, size_t *, bool *)) \
  F(void, realm_dictionary_get_changed_keys, \
    (const void *, rc_value *_Nullable, size_t *, rc_value *_Nullable, size_t *, \
     rc_value *_Nullable, size_t *, bool *)) \
  /* questions */ \
  F(rc_handle, realm_query_parse, \
    (rc_handle, uint32_t, const char *, size_t, const rc_argument *_Nullable)) \
  F(rc_handle, realm_query_parse_for_results, \
    (rc_handle, const char *, size_t, const rc_argument *_Nullable)) \
  F(rc_handle, realm_get_backlinks, (rc_handle, uint32_t, int64_t)) \
  F(bool, realm_results_is_valid, (rc_handle, bool *)) \
  F(bool, realm_results_count, (rc_handle, size_t *)) \
  F(rc_handle, realm_results_filter, (rc_handle, rc_handle)) \
  F(rc_handle, realm_results_sort, (rc_handle, const char *)) \
  F(rc_handle, realm_results_distinct, (rc_handle, const char *)) \
  F(bool, realm_results_get, (rc_handle, size_t, rc_value *)) \
  F(rc_handle, realm_results_get_object, (rc_handle, size_t)) \
  F(bool, realm_results_find, (rc_handle, rc_value *, size_t *, bool *)) \
  F(bool, realm_results_find_object, (rc_handle, rc_handle, size_t *, bool *)) \
  F(bool, realm_results_delete_all, (rc_handle)) \
  F(rc_handle, realm_results_snapshot, (rc_handle)) \
  F(rc_handle, realm_results_resolve_in, (rc_handle, rc_handle)) \
  F(bool, realm_results_min, (rc_handle, int64_t, rc_value *, bool *)) \
  F(bool, realm_results_max, (rc_handle, int64_t, rc_value *, bool *)) \
  F(bool, realm_results_sum, (rc_handle, int64_t, rc_value *, bool *)) \
  F(bool, realm_results_average, (rc_handle, int64_t, rc_value *, bool *)) \
  F(rc_handle, realm_results_from_thread_safe_reference, (rc_handle, rc_handle)) \
  F(rc_handle, realm_results_add_notification_callback, \
    (rc_handle, rc_data, rc_free, rc_handle, rc_change)) \
  F(void, realm_collection_changes_get_num_changes, \
    (const void *, size_t *, size_t *, size_t *, size_t *, bool *, bool *)) \
  F(void, realm_collection_changes_get_changes, \
    (const void *, size_t *_Nullable, size_t, size_t *_Nullable, size_t, size_t *_Nullable, \
     size_t, size_t *_Nullable, size_t, rc_move *_Nullable, size_t))

/// The functions of an opened library.
typedef struct {
#define RC_FIELD(result, name, parameters) result(*_Nonnull name) parameters;
  RC_FUNCTIONS(RC_FIELD)
#undef RC_FIELD
} rc_functions;

enum { rc_opened, rc_no_library, rc_no_function };

/// Opens a library and finds its functions. Returns `rc_opened`; `rc_no_library`, with what the
/// loader says in `words`; or `rc_no_function`, with the name of the first that is missing.
int rc_load(const char *path, rc_functions *functions, char *words, size_t room);

/// How many functions a library has to have, and their names.
size_t rc_function_count(void);
const char *rc_function_name(size_t index);

#pragma clang assume_nonnull end
#endif
