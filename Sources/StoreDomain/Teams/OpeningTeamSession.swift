// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Opens, finds, lists and ends the sessions of users of Connect in browsers.
package struct OpeningTeamSession: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Makes a session of a user whose password was checked, in the place of
    /// that of the token `old`, and returns its token.
    ///
    /// - Throws: ``DomainError`` `forbidden` when the user was removed, or the
    ///   password was changed, since it was checked.
    package func callAsFunction(
        for user: TeamUser, browser: String = "", replacing old: String? = nil
    ) async throws -> String {
        let token = random.hexadecimal(bytes: 32)
        let identifier = random.hexadecimal(bytes: 8)
        try await write(.team(user.team)) { db in
            _ = try TeamUser.acting(user, db)
            if let old { try TeamSession.end(token: old, db) }
            try TeamSession(
                identifier: identifier, user: user.identifier, browser: BrowserSession.name(of: browser),
                opened: db.now, seen: db.now, expires: db.now + TeamSession.lifetime
            ).insert(token: token, db)
            for session in try TeamSession.all(of: user.identifier, db).dropFirst(BrowserSession.limit) {
                try TeamSession.end(session.identifier, of: user.identifier, db)
            }
        }
        return token
    }

    /// Records that a user has signed in in a browser, and returns the token of the browser: the one by which this user is
    /// known there, or a new one. The users of a shared browser have no token in common.
    ///
    /// - Throws: ``DomainError`` `forbidden` when the user was removed meanwhile.
    package func know(browser token: String?, of user: TeamUser) async throws -> String {
        let new = random.hexadecimal(bytes: TeamBrowser.tokenBytes)
        return try await write(.team(user.team)) { db in
            _ = try TeamUser.acting(user, db)
            var kept = new
            if let token, try TeamBrowser(token: token)?.isKnown(to: user.identifier, db) == true { kept = token }
            try TeamBrowser(token: kept)?.note(user.identifier, db)
            return kept
        }
    }

    /// The session of a token with its user and team; `nil` when there is no
    /// such session, or it has expired. Its use is recorded.
    package func find(_ token: String) async throws -> SignedInUser? {
        let found = try await read { db -> SignedInUser? in
            guard let session = try TeamSession.find(token, db), let user = try TeamUser.find(session.user, db),
                let team = try Team.find(user.team, db)
            else { return nil }
            return SignedInUser(session: session, user: user, team: team)
        }
        guard let found else { return nil }
        if found.session.isUseDue(now: now) {
            // The page doesn't fail when its time can't be written.
            try? await write(.key(token)) { db in try TeamSession.noteUse(of: token, db) }
        }
        return found
    }

    /// The sessions of a user, the last used first.
    package func list(of user: TeamUser) async throws -> [TeamSession] {
        try await read { db in try TeamSession.all(of: user.identifier, db) }
    }

    /// Ends the session of a token, because the user has signed out.
    package func close(_ token: String) async throws {
        try await write(.key(token)) { db in try TeamSession.end(token: token, db) }
    }

    /// Ends a session of a user.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func end(_ identifier: String, of user: TeamUser) async throws {
        guard try await list(of: user).contains(where: { $0.identifier == identifier }) else {
            throw DomainError(.notFound, "There is no such session: it has ended already.")
        }
        try await write(.team(user.team)) { db in
            try TeamSession.end(identifier, of: user.identifier, db)
        }
    }

    /// Ends the sessions of a user in all browsers but the one of a session.
    package func endOthers(than session: TeamSession, of user: TeamUser) async throws {
        try await write(.team(user.team)) { db in
            try TeamSession.endAll(of: user.identifier, except: session.identifier, db)
        }
    }
}
