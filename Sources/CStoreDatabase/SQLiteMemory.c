// SPDX-License-Identifier: Apache-2.0

#include "CStoreDatabase.h"

#include <sqlite3.h>

void store_sqlite_stop_counting_memory(void) {
    // SQLITE_MISUSE when SQLite is in use already: the count goes on.
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
