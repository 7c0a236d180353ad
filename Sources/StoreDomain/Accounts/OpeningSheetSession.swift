// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Opens a session for a browser in which the customer has typed the password,
/// so that the password isn't asked for again for a while.
package struct OpeningSheetSession: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Makes a session and returns its token.
    ///
    /// The session replaces that of the token `old` if both are of the same
    /// account: a browser in which the password is typed again has one
    /// session, under a new token.
    ///
    /// - Throws: ``DomainError`` `wrongPassword` when the account was closed,
    ///   or its password was changed, since the password was checked.
    package func callAsFunction(
        for account: Account, browser: String = "", replacing old: String? = nil
    ) async throws -> String {
        let token = random.hexadecimal(bytes: 32)
        let identifier = random.hexadecimal(bytes: 8)
        try await write(for: account.identifier) { db in
            try Account.require(account, db)
            var session = BrowserSession(
                identifier: identifier, account: account.identifier, browser: BrowserSession.name(of: browser),
                opened: db.now, seen: db.now, typed: db.now, expires: db.now + BrowserSession.lifetime)
            if let old, let replaced = try BrowserSession.find(old, db), replaced.account == account.identifier {
                session.opened = replaced.opened
                try BrowserSession.end(token: old, db)
            }
            try session.insert(token: token, db)
            for session in try BrowserSession.all(of: account.identifier, db).dropFirst(BrowserSession.limit) {
                try BrowserSession.end(session.identifier, of: account.identifier, db)
            }
        }
        return token
    }

    /// Ends a session, because the customer has signed out.
    package func close(_ token: String) async throws {
        try await write(.key(token)) { db in try BrowserSession.end(token: token, db) }
    }

    /// The session of a token with its account; `nil` when there is no such
    /// session, it has expired, or its account is closed. Its use is recorded.
    package func find(_ token: String) async throws -> SignedInBrowser? {
        let found = try await read { db -> SignedInBrowser? in
            guard let session = try BrowserSession.find(token, db),
                let account = try Account.findOpen(session.account, db)
            else { return nil }
            return SignedInBrowser(session: session, account: account)
        }
        guard let found else { return nil }
        if found.session.isUseDue(now: now) {
            // The page doesn't fail when its time can't be written.
            try? await write(.key(token)) { db in try BrowserSession.noteUse(of: token, db) }
        }
        return found
    }

    /// The account of a session in which the password was typed lately; `nil`
    /// for every other token.
    package func account(of token: String) async throws -> Account? {
        try await find(token).flatMap { $0.session.isFresh ? $0.account : nil }
    }
}
