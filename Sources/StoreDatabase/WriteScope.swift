// SPDX-License-Identifier: Apache-2.0

/// The rows that a write changes, which decide which other writes may run at
/// the same time.
///
/// SQLite has one writer, so that each write is alone there. On PostgreSQL the
/// scope decides the isolation of the transaction and its lock.
public enum WriteScope: Hashable, Sendable {
    /// Any rows. The write is isolated from all others of this scope: when two
    /// conflict, one of them runs again. It is for the few writes in which
    /// several accounts meet.
    case all
    /// The rows of one account. The writes of an account run one at a time.
    case account(String)
    /// The rows of one device or payment, or single rows of any kind. The
    /// writes of a key run one at a time.
    ///
    /// A write of another scope may change a row between two statements of the
    /// closure. A decision about such a row therefore belongs into the
    /// statement that changes it, or follows a statement that locks it.
    case key(String)
}
