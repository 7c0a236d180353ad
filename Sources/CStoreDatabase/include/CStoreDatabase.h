// SPDX-License-Identifier: Apache-2.0

#ifndef CSTOREDATABASE_H
#define CSTOREDATABASE_H

/// Turns off SQLite's count of the bytes that it has allocated, unless SQLite
/// is in use already: each allocation of each thread waits for the lock of the
/// count. Swift can't call `sqlite3_config`, which takes any number of
/// arguments.
void store_sqlite_stop_counting_memory(void);

#endif
