#pragma once
#include <stddef.h>
#include <stdint.h>

// Where everything lies in a file, and in front of its mapping: said here once. The C that reads
// rows and follows references takes these names, and so does the Swift that writes nodes.
// docs/FILE-FORMAT.md tells the same to readers; the assertions are the promise to files that exist
// already, so that nobody moves a word by accident.
//
// Every name is an offset in bytes from the beginning of its structure, unless it says otherwise.
#define RB_AT(structure, field, offset)                                       \
  _Static_assert(offsetof(struct structure, field) == (offset), #structure    \
                 " has its " #field " elsewhere than the files that there are")
#define RB_BYTES(structure, bytes) \
  _Static_assert(sizeof(struct structure) == (bytes), #structure " has grown or shrunk")

// MARK: Nodes

/// What stands before the payload of each node.
struct rb_node {
  uint8_t kind, width;
  uint16_t count;
  uint32_t checksum;
  /// Units of 16 bytes in the low 24 bits, the version that wrote it above them.
  uint64_t size;
};
RB_AT(rb_node, width, 1);
RB_AT(rb_node, count, 2);
RB_AT(rb_node, checksum, 4);
RB_AT(rb_node, size, 8);
RB_BYTES(rb_node, 16);

enum {
  rb_node_kind = offsetof(struct rb_node, kind),
  rb_node_width = offsetof(struct rb_node, width),
  rb_node_count = offsetof(struct rb_node, count),
  rb_node_checksum = offsetof(struct rb_node, checksum),
  rb_node_size = offsetof(struct rb_node, size),
  rb_node_payload = sizeof(struct rb_node),
  /// The bits of `size` that count units, and how far the version stands above them.
  rb_node_units = 0xFFFFFF,
  rb_node_born = 24,
};

/// What the payload of a node is. None is used twice, none is taken back.
enum {
  rb_kind_top = 1,
  rb_kind_table = 2,
  rb_kind_branch = 3,
  rb_kind_cluster = 4,
  rb_kind_ints = 5,
  rb_kind_bytes = 6,
  rb_kind_fixed = 7,
  rb_kind_refs = 8,
  rb_kind_blob = 9,
  rb_kind_pairs = 10,
  rb_kind_pair_branch = 11,
  rb_kind_list_branch = 12,
  /// From here on they are the kernel's own.
  rb_kind_record = 240,
};

/// The root of one version: a reference for each table.
struct rb_top {
  struct rb_node node;
  uint64_t schema;
  uint32_t tables, zero;
  uint64_t refs[];
};
RB_AT(rb_top, schema, 16);
RB_AT(rb_top, tables, 24);
RB_AT(rb_top, refs, 32);

enum {
  rb_top_schema = offsetof(struct rb_top, schema),
  rb_top_tables = offsetof(struct rb_top, tables),
  rb_top_refs = offsetof(struct rb_top, refs),
};

/// What a table says of one of its columns.
struct rb_column_spec {
  uint8_t type, flags, size, zero;
};
RB_AT(rb_column_spec, flags, 1);
RB_AT(rb_column_spec, size, 2);
RB_BYTES(rb_column_spec, 4);

/// The root of an index or of backlinks, behind the columns of a table.
struct rb_tree_root {
  uint32_t number, zero;
  uint64_t root;
};
RB_AT(rb_tree_root, root, 8);
RB_BYTES(rb_tree_root, 16);

struct rb_table {
  struct rb_node node;
  int64_t next_key;
  uint64_t count, rows;
  uint32_t height;
  uint16_t columns, trees;
  struct rb_column_spec specs[];
};
RB_AT(rb_table, next_key, 16);
RB_AT(rb_table, count, 24);
RB_AT(rb_table, rows, 32);
RB_AT(rb_table, height, 40);
RB_AT(rb_table, columns, 44);
RB_AT(rb_table, trees, 46);
RB_AT(rb_table, specs, 48);

enum {
  rb_table_next_key = offsetof(struct rb_table, next_key),
  rb_table_count = offsetof(struct rb_table, count),
  rb_table_rows = offsetof(struct rb_table, rows),
  rb_table_height = offsetof(struct rb_table, height),
  rb_table_columns = offsetof(struct rb_table, columns),
  rb_table_trees = offsetof(struct rb_table, trees),
  rb_table_specs = offsetof(struct rb_table, specs),
  rb_spec_bytes = sizeof(struct rb_column_spec),
  rb_spec_flags = offsetof(struct rb_column_spec, flags),
  rb_spec_size = offsetof(struct rb_column_spec, size),
  rb_root_bytes = sizeof(struct rb_tree_root),
  rb_root_ref = offsetof(struct rb_tree_root, root),
};

/// An inner node of a row tree: as many first keys as it has room for, then as many references,
/// then as many numbers of rows, of 32 bits.
enum {
  rb_branch_most = 32,
  rb_branch_entry = 8 + 8 + 4,
};

/// Up to 256 rows, as a reference for each column.
struct rb_cluster {
  struct rb_node node;
  int64_t base;
  uint64_t keys;
  uint64_t columns[];
};
RB_AT(rb_cluster, base, 16);
RB_AT(rb_cluster, keys, 24);
RB_AT(rb_cluster, columns, 32);

enum {
  rb_cluster_base = offsetof(struct rb_cluster, base),
  rb_cluster_keys = offsetof(struct rb_cluster, keys),
  rb_cluster_columns = offsetof(struct rb_cluster, columns),
  rb_cluster_most = 256,
};

/// A reference to a column has the column's form in the four bits that a place leaves free.
enum {
  rb_slot_form = 15,
  rb_slot_code = 7,
  rb_slot_nulls = 8,
};

/// A column: a bit for each null if there may be any, then its values.
enum {
  /// Of the node's `width`.
  rb_column_nulls = 0x80,
  rb_column_code = 0x7F,
  rb_null_bytes = rb_cluster_most / 8,
  rb_column_values = rb_node_payload,
  rb_column_values_behind_nulls = rb_node_payload + rb_null_bytes,
};

/// The values of a column of texts or data whose code is 7: cells, behind which lie their bytes.
struct rb_cell {
  uint32_t offset, length;
};
struct rb_cells {
  uint32_t room, used;
  struct rb_cell first[];
};
/// What the bytes of a long value are: its cell has the highest bit of its length set.
struct rb_long_value {
  uint64_t blob, length;
};
RB_AT(rb_cell, length, 4);
RB_BYTES(rb_cell, 8);
RB_AT(rb_cells, used, 4);
RB_AT(rb_cells, first, 8);
RB_AT(rb_long_value, length, 8);
RB_BYTES(rb_long_value, 16);

enum {
  rb_cells_used = offsetof(struct rb_cells, used),
  rb_cells_first = offsetof(struct rb_cells, first),
  rb_cell_bytes = sizeof(struct rb_cell),
  rb_cell_length = offsetof(struct rb_cell, length),
  /// The length of the first cell.
  rb_cells_lengths = offsetof(struct rb_cells, first) + offsetof(struct rb_cell, length),
  rb_long_value_length = offsetof(struct rb_long_value, length),
  rb_long_value_bytes = sizeof(struct rb_long_value),
};

/// A leaf of an index or of backlinks is pairs; its branches are entries, and so are a list's.
struct rb_pair {
  uint64_t first, second;
};
struct rb_pair_entry {
  uint64_t first, second, child;
};
struct rb_list_entry {
  uint64_t child, values;
};
RB_AT(rb_pair, second, 8);
RB_BYTES(rb_pair, 16);
RB_AT(rb_pair_entry, second, 8);
RB_AT(rb_pair_entry, child, 16);
RB_BYTES(rb_pair_entry, 24);
RB_AT(rb_list_entry, values, 8);
RB_BYTES(rb_list_entry, 16);

enum {
  rb_pairs_most = 64,
  rb_pair_bytes = sizeof(struct rb_pair),
  rb_pair_first = rb_node_payload,
  rb_pair_second = rb_node_payload + offsetof(struct rb_pair, second),
  rb_pair_branch_most = 32,
  rb_pair_entry_bytes = sizeof(struct rb_pair_entry),
  rb_pair_entry_child = rb_node_payload + offsetof(struct rb_pair_entry, child),
  rb_list_branch_most = 32,
  rb_list_entry_bytes = sizeof(struct rb_list_entry),
  rb_list_entry_child = rb_node_payload + offsetof(struct rb_list_entry, child),
  rb_list_entry_values = rb_node_payload + offsetof(struct rb_list_entry, values),
};

/// A stretch of the file that one commit wrote.
struct rb_run {
  uint64_t offset, bytes;
};
/// A node that a commit let go: its place in units of 16 bytes below its size in such units.
struct rb_freed {
  uint64_t place_and_units, born;
};
/// Rows that a commit touched.
struct rb_change {
  uint32_t table;
  uint8_t kind, is_in_place;
  uint16_t block;
  int64_t key;
  uint32_t count, further;
  uint64_t columns;
};
RB_AT(rb_run, bytes, 8);
RB_BYTES(rb_run, 16);
RB_AT(rb_freed, born, 8);
RB_BYTES(rb_freed, 16);
RB_AT(rb_change, kind, 4);
RB_AT(rb_change, is_in_place, 5);
RB_AT(rb_change, block, 6);
RB_AT(rb_change, key, 8);
RB_AT(rb_change, count, 16);
RB_AT(rb_change, further, 20);
RB_AT(rb_change, columns, 24);
RB_BYTES(rb_change, 32);

/// What records that are gone told of deletions: the rows stand behind it.
struct rb_deletions {
  uint64_t since, through;
  uint32_t rows, zeros[3];
};
/// Rows of a table of which none was there any more in a version.
struct rb_deleted {
  int64_t first, last;
  uint64_t version;
  uint32_t table, zeros;
};
RB_AT(rb_deletions, through, 8);
RB_AT(rb_deletions, rows, 16);
RB_BYTES(rb_deletions, 32);
RB_AT(rb_deleted, last, 8);
RB_AT(rb_deleted, version, 16);
RB_AT(rb_deleted, table, 24);
RB_BYTES(rb_deleted, 32);

/// The record of a commit: runs, then what was let go, then changes stand behind it, then, if its
/// flags say so, an `rb_deletions`.
struct rb_record {
  struct rb_node node;
  uint64_t version, base, before, floor;
  uint32_t runs, freed, changes, flags;
};
RB_AT(rb_record, version, 16);
RB_AT(rb_record, base, 24);
RB_AT(rb_record, before, 32);
RB_AT(rb_record, floor, 40);
RB_AT(rb_record, runs, 48);
RB_AT(rb_record, freed, 52);
RB_AT(rb_record, changes, 56);
RB_AT(rb_record, flags, 60);
RB_BYTES(rb_record, 64);

enum {
  rb_record_version = offsetof(struct rb_record, version),
  rb_record_base = offsetof(struct rb_record, base),
  rb_record_before = offsetof(struct rb_record, before),
  rb_record_floor = offsetof(struct rb_record, floor),
  rb_record_runs = offsetof(struct rb_record, runs),
  rb_record_freed = offsetof(struct rb_record, freed),
  rb_record_changes = offsetof(struct rb_record, changes),
  rb_record_flags = offsetof(struct rb_record, flags),
  rb_record_bytes = sizeof(struct rb_record),
  rb_run_bytes = sizeof(struct rb_run),
  rb_run_length = offsetof(struct rb_run, bytes),
  rb_freed_bytes = sizeof(struct rb_freed),
  rb_freed_born = offsetof(struct rb_freed, born),
  rb_change_bytes = sizeof(struct rb_change),
  rb_change_kind = offsetof(struct rb_change, kind),
  rb_change_is_in_place = offsetof(struct rb_change, is_in_place),
  rb_change_block = offsetof(struct rb_change, block),
  rb_change_key = offsetof(struct rb_change, key),
  rb_change_count = offsetof(struct rb_change, count),
  rb_change_further = offsetof(struct rb_change, further),
  rb_change_columns = offsetof(struct rb_change, columns),
  rb_deletions_bytes = sizeof(struct rb_deletions),
  rb_deletions_since = offsetof(struct rb_deletions, since),
  rb_deletions_through = offsetof(struct rb_deletions, through),
  rb_deletions_rows = offsetof(struct rb_deletions, rows),
  rb_deleted_bytes = sizeof(struct rb_deleted),
  rb_deleted_first = offsetof(struct rb_deleted, first),
  rb_deleted_last = offsetof(struct rb_deleted, last),
  rb_deleted_version = offsetof(struct rb_deleted, version),
  rb_deleted_table = offsetof(struct rb_deleted, table),
};

// MARK: The first page

enum {
  rb_sector = 512,
  rb_slots = 2,
  rb_slot_runs_most = 27,
  /// Where the first node may lie.
  rb_heap_start = 4096,
};

struct rb_file_header {
  uint64_t magic;
  uint32_t format, zero;
  uint64_t number;
  uint8_t rest[484];
  uint32_t checksum;
};
RB_AT(rb_file_header, format, 8);
RB_AT(rb_file_header, number, 16);
RB_AT(rb_file_header, checksum, 508);
RB_BYTES(rb_file_header, rb_sector);

/// What a commit writes to become the newest version.
struct rb_commit_slot {
  uint32_t magic, protocol;
  uint64_t version, top, log, end, when;
  uint32_t run_count, zero;
  uint64_t runs_checksum;
  struct rb_run runs[rb_slot_runs_most];
  uint8_t rest[12];
  uint32_t checksum;
};
RB_AT(rb_commit_slot, protocol, 4);
RB_AT(rb_commit_slot, version, 8);
RB_AT(rb_commit_slot, top, 16);
RB_AT(rb_commit_slot, log, 24);
RB_AT(rb_commit_slot, end, 32);
RB_AT(rb_commit_slot, when, 40);
RB_AT(rb_commit_slot, run_count, 48);
RB_AT(rb_commit_slot, runs_checksum, 56);
RB_AT(rb_commit_slot, runs, 64);
RB_AT(rb_commit_slot, checksum, 508);
RB_BYTES(rb_commit_slot, rb_sector);

enum {
  rb_file_format = offsetof(struct rb_file_header, format),
  rb_file_number = offsetof(struct rb_file_header, number),
  rb_sector_checksum = offsetof(struct rb_file_header, checksum),
  rb_slot_protocol = offsetof(struct rb_commit_slot, protocol),
  rb_slot_version = offsetof(struct rb_commit_slot, version),
  rb_slot_top = offsetof(struct rb_commit_slot, top),
  rb_slot_log = offsetof(struct rb_commit_slot, log),
  rb_slot_end = offsetof(struct rb_commit_slot, end),
  rb_slot_when = offsetof(struct rb_commit_slot, when),
  rb_slot_run_count = offsetof(struct rb_commit_slot, run_count),
  rb_slot_runs_checksum = offsetof(struct rb_commit_slot, runs_checksum),
  rb_slot_runs = offsetof(struct rb_commit_slot, runs),
};
_Static_assert(offsetof(struct rb_commit_slot, checksum) == rb_sector_checksum,
               "a slot and the header end with their checksums");

// MARK: The mapping

/// Sizes in bytes, as powers of two.
enum {
  /// The addresses that every mapping reserves, and how many of the last belong to nodes that wait
  /// for their place: before these end those that lie in the file.
  rb_reservation_bits = 38,
  rb_waiting_bits = 30,
  /// Two bytes for each 32 of the file: which table's cluster is known to be there.
  rb_notes_bits = 34,
  /// A bit for each 16 of the file: where a node begins whose checksum was compared.
  rb_seals_bits = 31,
};
#define RB_LARGEST_FILE (((uint64_t)1 << rb_reservation_bits) - ((uint64_t)1 << rb_waiting_bits))
#define RB_NOTES_BYTES ((uint64_t)1 << rb_notes_bits)
#define RB_SEALS_BYTES ((uint64_t)1 << rb_seals_bits)
_Static_assert(rb_notes_bits == rb_reservation_bits - 5 + 1, "two bytes are noted for each 32");
_Static_assert(rb_seals_bits == rb_reservation_bits - 4 - 3, "one bit is noted for each 16");

/// What lies in front of a file's first byte, so far from it; see `Mapping`.
enum {
  /// Up to where a reference is followed without a second look.
  rb_front_limit = 8,
  rb_front_mapping = 16,
  /// Up to where it is asked whether a node's checksum was compared: 0 unless all are, because the
  /// bits that say so are memory only then.
  rb_front_sealed = 24,
  /// Where references come from that stand in no node.
  rb_front_knowledge = 64,
  rb_front_bytes = 4096,
};
