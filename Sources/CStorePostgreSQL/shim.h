// SPDX-License-Identifier: Apache-2.0

#ifndef STORE_POSTGRESQL_SHIM_H
#define STORE_POSTGRESQL_SHIM_H

// Debian's folder is in the compiler's search path only with pkg-config's
// flags.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

#ifndef LIBPQ_HAS_PIPELINING
#error "libpq 14 or newer is needed: install a newer libpq-dev"
#endif

// libpq defines these as macros of characters, which Swift doesn't import.
static const int store_pq_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int store_pq_sqlstate = PG_DIAG_SQLSTATE;
static const int store_pq_message = PG_DIAG_MESSAGE_PRIMARY;
static const int store_pq_constraint = PG_DIAG_CONSTRAINT_NAME;
static const int store_pq_function = PG_DIAG_SOURCE_FUNCTION;

#endif
