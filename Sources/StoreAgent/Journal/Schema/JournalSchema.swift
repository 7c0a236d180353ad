// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// The tables of the journal, and the changes that brought them about. A
/// migration that was released never changes.
enum JournalSchema {
    /// Every table, for a journal that another device begins.
    static let tables = [
        "journal", "entry", "transaction_receipt", "app_request", "process", "revocation", "presented", "key_value",
        "key_value_state", "download", "content", "background_download",
        "signed_state", "signed_transaction", "signed_renewal",
    ]

    static let migrations = [
        Migration(
            "agent-1",
            [
                """
                CREATE TABLE journal (
                    device TEXT PRIMARY KEY, sequence BIGINT NOT NULL, question BIGINT NOT NULL, environment TEXT,
                    account TEXT, number BIGINT, receipt_account TEXT, receipt_number BIGINT,
                    wanted_account TEXT, wanted_number BIGINT)
                """,
                """
                CREATE TABLE entry (
                    identifier TEXT PRIMARY KEY, sequence BIGINT NOT NULL, request TEXT, product TEXT NOT NULL,
                    quantity BIGINT NOT NULL, username TEXT, asks_to_buy BIGINT NOT NULL, date BIGINT NOT NULL,
                    phase TEXT NOT NULL, adder TEXT, holder TEXT, restore TEXT, transaction_identifier TEXT,
                    info TEXT, account TEXT, number BIGINT, question BIGINT NOT NULL, failure TEXT, sheet TEXT)
                """,
                "CREATE UNIQUE INDEX entry_request ON entry (request)",
                "CREATE UNIQUE INDEX entry_transaction ON entry (transaction_identifier)",
                "CREATE INDEX entry_phase ON entry (phase)",
                """
                CREATE TABLE errand (
                    identifier TEXT PRIMARY KEY, sequence BIGINT NOT NULL, kind TEXT NOT NULL, process TEXT NOT NULL,
                    username TEXT, phase TEXT NOT NULL, page BIGINT NOT NULL, failure TEXT)
                """,
                """
                CREATE TABLE process (
                    identifier TEXT PRIMARY KEY, since BIGINT NOT NULL, observes BIGINT NOT NULL)
                """,
            ]),
        Migration("agent-2", ["ALTER TABLE errand ADD COLUMN properties TEXT"]),
        Migration(
            "agent-3",
            [
                "ALTER TABLE journal ADD COLUMN storefront TEXT",
                "ALTER TABLE entry ADD COLUMN discount TEXT",
                "ALTER TABLE entry ADD COLUMN is_withdrawn BIGINT NOT NULL DEFAULT 0",
                """
                CREATE TABLE revocation (
                    account TEXT NOT NULL, product TEXT NOT NULL, number BIGINT NOT NULL,
                    PRIMARY KEY (account, product))
                """,
            ]),
        Migration("agent-4", ["CREATE TABLE presented (entry TEXT PRIMARY KEY, sheet TEXT NOT NULL)"]),
        // A process records the number of the last change that it has read,
        // so that reading the queue takes time in proportion to the changes
        // since, not to the number of entries.
        Migration(
            "agent-5",
            [
                "ALTER TABLE journal ADD COLUMN change BIGINT NOT NULL DEFAULT 0",
                "ALTER TABLE journal ADD COLUMN departures BIGINT NOT NULL DEFAULT 0",
                "ALTER TABLE entry ADD COLUMN change BIGINT NOT NULL DEFAULT 0",
                "UPDATE journal SET change = sequence",
                "UPDATE entry SET change = sequence",
                "CREATE INDEX entry_change ON entry (change)",
            ]),
        Migration(
            "agent-6",
            [
                // `written` numbers this device's writes, and is 0 when the store
                // has the value. `change` numbers the changes that came from the
                // store.
                """
                CREATE TABLE key_value (
                    key_name TEXT PRIMARY KEY, value TEXT, written BIGINT NOT NULL, change BIGINT NOT NULL,
                    reason BIGINT NOT NULL)
                """,
                "CREATE INDEX key_value_written ON key_value (written) WHERE written > 0",
                "CREATE INDEX key_value_change ON key_value (change)",
                """
                CREATE TABLE key_value_state (
                    account TEXT, number BIGINT, sequence BIGINT NOT NULL, change BIGINT NOT NULL, is_used BIGINT NOT NULL,
                    wanted BIGINT NOT NULL, known BIGINT NOT NULL, is_signed_out BIGINT NOT NULL)
                """,
            ]),
        // A table of its own: entries are read often, their receipts rarely.
        Migration(
            "agent-7",
            [
                """
                CREATE TABLE transaction_receipt (
                    transaction_identifier TEXT PRIMARY KEY, receipt TEXT NOT NULL)
                """
            ]),
        Migration(
            "agent-8",
            ["ALTER TABLE errand RENAME TO app_request", "ALTER TABLE app_request DROP COLUMN username"]),
        Migration("agent-9", ["ALTER TABLE journal ADD COLUMN clock_offset BIGINT NOT NULL DEFAULT 0"]),
        Migration(
            "agent-10",
            [
                // `change` is of the same sequence as an entry's.
                """
                CREATE TABLE download (
                    identifier TEXT PRIMARY KEY, transaction_identifier TEXT NOT NULL, product TEXT NOT NULL,
                    version TEXT NOT NULL, length BIGINT NOT NULL, phase TEXT NOT NULL, turn BIGINT NOT NULL,
                    received BIGINT NOT NULL, remaining BIGINT, failure TEXT, checksum TEXT, folder TEXT,
                    has_partial BIGINT NOT NULL, is_closed BIGINT NOT NULL, change BIGINT NOT NULL)
                """,
                "CREATE INDEX download_transaction ON download (transaction_identifier)",
                "CREATE INDEX download_phase ON download (phase)",
                "CREATE INDEX download_change ON download (change)",
                "CREATE TABLE content (product TEXT PRIMARY KEY, version TEXT NOT NULL, folder TEXT NOT NULL)",
            ]),
        Migration("agent-11", ["ALTER TABLE entry ADD COLUMN listed BIGINT"]),
        Migration("agent-12", ["ALTER TABLE journal ADD COLUMN price_increases TEXT"]),
        Migration(
            "agent-13",
            [
                "ALTER TABLE journal ADD COLUMN receipt_question BIGINT NOT NULL DEFAULT 0",
                "ALTER TABLE journal ADD COLUMN snapshot_question BIGINT NOT NULL DEFAULT 0",
            ]),
        Migration("agent-14", ["ALTER TABLE journal ADD COLUMN needs_receipt_again BIGINT NOT NULL DEFAULT 0"]),
        Migration(
            "agent-15",
            [
                // `change` is of the same sequence as an entry's.
                """
                CREATE TABLE background_download (
                    sequence BIGINT PRIMARY KEY, identifier TEXT NOT NULL, address TEXT NOT NULL, fields TEXT NOT NULL,
                    deadline BIGINT NOT NULL, phase TEXT NOT NULL, received BIGINT NOT NULL, length BIGINT, tag TEXT,
                    generation BIGINT NOT NULL, failure TEXT, change BIGINT NOT NULL)
                """,
                "CREATE INDEX background_download_identifier ON background_download (identifier)",
                "CREATE INDEX background_download_phase ON background_download (phase)",
                "CREATE INDEX background_download_change ON background_download (change)",
            ]),
        Migration(
            "agent-20",
            [
                "ALTER TABLE entry ADD COLUMN is_awaited BIGINT NOT NULL DEFAULT 0",
                """
                CREATE TABLE signed_state (
                    account TEXT, number BIGINT, place TEXT, is_partial BIGINT NOT NULL, is_used BIGINT NOT NULL,
                    change BIGINT NOT NULL, delivered BIGINT NOT NULL, wanted BIGINT NOT NULL, known BIGINT NOT NULL,
                    app TEXT)
                """,
                """
                CREATE TABLE signed_transaction (
                    transaction_identifier TEXT PRIMARY KEY, product TEXT NOT NULL, original TEXT NOT NULL,
                    type TEXT NOT NULL, date BIGINT NOT NULL, is_revoked BIGINT NOT NULL, signed TEXT NOT NULL,
                    is_consumed BIGINT NOT NULL, is_finished BIGINT NOT NULL, change BIGINT NOT NULL)
                """,
                "CREATE INDEX signed_transaction_date ON signed_transaction (date, transaction_identifier)",
                "CREATE INDEX signed_transaction_product ON signed_transaction (product, date, transaction_identifier)",
                """
                CREATE INDEX signed_transaction_owned ON signed_transaction (date, transaction_identifier)
                WHERE type <> 'Consumable' AND is_revoked = 0
                """,
                "CREATE INDEX signed_transaction_change ON signed_transaction (change)",
                """
                CREATE TABLE signed_renewal (
                    transaction_identifier TEXT PRIMARY KEY, group_identifier TEXT NOT NULL, signed TEXT NOT NULL)
                """,
                "CREATE INDEX signed_renewal_group ON signed_renewal (group_identifier)",
            ]),
        Migration(
            "agent-21",
            [
                "ALTER TABLE entry ADD COLUMN win_back_offer TEXT",
                "ALTER TABLE entry ADD COLUMN introductory_eligibility TEXT",
            ]),
        Migration("agent-22", ["ALTER TABLE signed_transaction ADD COLUMN news BIGINT NOT NULL DEFAULT 0"]),
    ]
}
