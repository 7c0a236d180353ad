// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The place where an authority is stored: a directory, or the rows of a
/// database.
///
/// Several processes may use the same place. A storage guarantees that all of
/// them have the same authority, and that no change is lost.
package protocol AuthorityStorage: Sendable {
    /// The place in words, for messages.
    var name: String { get }

    /// Reads the authority; `nil` if there is none.
    func read() throws -> AuthorityRecord?

    /// Stores a new authority. If another process has stored one first, that
    /// one is kept.
    ///
    /// - Returns: Whether this authority was stored.
    @discardableResult
    func create(_ record: AuthorityRecord, using random: inout some RandomNumberGenerator) throws -> Bool

    /// Changes the stored authority in one step. The closure gets the
    /// authority as it is stored now, and runs again if another process
    /// changes it meanwhile. If the closure changes nothing, nothing is
    /// written.
    ///
    /// - Returns: The authority after the change.
    func change(_ body: (inout AuthorityRecord) throws -> Void) throws -> AuthorityRecord

    /// A value that differs after each change, if it can be had without
    /// waiting: it is compared before each signature. `nil` for a storage
    /// whose changes only ``read(ifNot:)`` finds.
    func stamp() -> AuthorityStamp?

    /// Reads the authority if its index doesn't have this revision.
    func read(ifNot revision: Int) async throws -> AuthorityRecord?
}

/// The properties of a file by which a replaced one is recognized.
package struct AuthorityStamp: Equatable, Sendable {
    var number: Int?
    var date: Date?
    var length: Int?
}
