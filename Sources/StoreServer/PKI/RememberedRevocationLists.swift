// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDomain
import Synchronization

/// A cache of signed revocation lists.
///
/// A list is signed again when it is a minute old, or when a certificate was
/// revoked or rotated, so that frequent requests don't each need a signature.
final class RememberedRevocationLists: Sendable {
    private struct Entry {
        var list: Data
        var revision: Int
        var signed: WallTime
    }

    private static let lifetime: Duration = .seconds(60)
    private let entries = Mutex<[String: Entry]>([:])

    /// The revocation list of an issuer; `nil` when there is no issuer of
    /// that name.
    func list(of issuer: String, of authority: SigningAuthority, now: WallTime) throws -> Data? {
        let revision = try authority.revision
        let known = entries.withLock { $0[issuer] }
        if let known, known.revision == revision, known.signed <= now, now < known.signed + Self.lifetime {
            return known.list
        }
        guard let list = try authority.revocationList(of: issuer, now: now.date) else { return nil }
        entries.withLock { $0[issuer] = Entry(list: list, revision: revision, signed: now) }
        return list
    }
}
