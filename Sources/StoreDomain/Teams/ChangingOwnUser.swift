// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Changes the own name, password and authenticator app of a user.
///
/// The password, or the authenticator app, is changed by a user who types the
/// present password. Wrong ones have a count of their own: strangers who type
/// wrong ones at the sign-in don't stop a user who is signed in.
package struct ChangingOwnUser: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Sets the name.
    ///
    /// - Throws: ``DomainError`` `forbidden`; ``InvalidFields``.
    package func setName(_ typed: String, of user: TeamUser) async throws {
        var checks = FieldChecks()
        let name = checks.text(typed, field: "name", longest: TeamUser.longestName)
        try checks.finish()
        try await write(.team(user.team)) { db in
            var present = try TeamUser.acting(user, db)
            guard present.name != name else { return }
            let before = present.name
            present.name = name
            try present.update(db)
            try TeamChange.append(
                .userName, of: present.email, from: before, to: name, by: present.email, in: user.team, db)
        }
    }

    /// Sets the password, and ends all sessions of the user.
    ///
    /// - Returns: The user with the number of the new password.
    /// - Throws: ``DomainError``: `forbidden`, `throttled`, `busy`;
    ///   ``InvalidFields``, also for a wrong present password.
    package func setPassword(_ password: String, of user: TeamUser, present: String) async throws -> TeamUser {
        var checks = FieldChecks()
        TeamUser.check(password: password, field: "newPassword", &checks)
        try checks.finish()
        try await confirm(present: present, of: user)
        let hash = try await PasswordHash(password, salt: random.bytes(16), by: context.hashing, from: user.email)
        return try await write(.team(user.team)) { db in
            // The password is set when the closure runs again after a lost
            // commit.
            if let set = try TeamUser.find(user.identifier, db),
                try TeamUser.secrets(of: user.identifier, db)?.password == hash
            {
                return set
            }
            let present = try TeamUser.acting(user, db)
            try present.setPassword(hash, db)
            try TeamLink.deleteAll(of: user.team, email: present.email, db)
            try TeamChange.append(.passwordChanged, of: present.email, by: present.email, in: user.team, db)
            guard let changed = try TeamUser.find(user.identifier, db) else { throw TeamUser.signedOut }
            return changed
        }
    }

    /// Draws a secret for an authenticator app, which is used from the first
    /// code on.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `throttled`, `busy`;
    ///   ``InvalidFields`` for a wrong present password.
    package func drawSecret(of user: TeamUser, present: String) async throws {
        try await confirm(present: present, of: user)
        let secret = OneTimePassword(secret: random.bytes(OneTimePassword.secretBytes))
        try await write(.team(user.team)) { db in try TeamUser.acting(user, db).setPending(secret, db) }
    }

    /// Forgets a secret that waits for its first code.
    ///
    /// - Throws: ``DomainError`` `forbidden`.
    package func forgetSecret(of user: TeamUser) async throws {
        try await write(.team(user.team)) { db in try TeamUser.acting(user, db).setPending(nil, db) }
    }

    /// Begins to use the secret that was drawn, with its first code.
    ///
    /// - Returns: The recovery codes, which are shown once.
    /// - Throws: ``DomainError``: `forbidden`, `throttled`; ``InvalidFields``
    ///   for a wrong code.
    package func useSecret(of user: TeamUser, code: String) async throws -> [String] {
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode(random.bytes(10)) }
        let typed = code.filter { !$0.isWhitespace }
        let isRight = try await write(.team(user.team)) { db in
            let present = try TeamUser.acting(user, db)
            // The codes are saved when the closure runs again after a lost
            // commit.
            if try codes[0].isSaved(of: user.identifier, db) { return true }
            guard let secret = present.pendingSecret else {
                throw DomainError(.invalid, "No secret waits for its first code: draw one.")
            }
            let counts = try SignInThrottle.countTry(of: [.teamUser(signedIn: present)], db)
            guard let step = secret.step(of: typed, after: 0, now: db.now) else { return false }
            for count in counts { try SignInThrottle.takeBack(count, db) }
            try present.setCodes(secret, step: step, db)
            try RecoveryCode.replace(of: user.identifier, by: codes, db)
            try TeamChange.append(.codesOn, of: present.email, by: present.email, in: user.team, db)
            return true
        }
        guard isRight else { throw InvalidFields(problems: [FieldProblem(field: "code", kind: .wrong)]) }
        return codes.map(\.text)
    }

    /// Ends the use of the authenticator app.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `throttled`, `busy`;
    ///   ``InvalidFields`` for a wrong present password.
    package func endCodes(of user: TeamUser, present: String) async throws {
        try await confirm(present: present, of: user)
        try await write(.team(user.team)) { db in
            let present = try TeamUser.acting(user, db)
            guard present.usesCodes else { return }
            try present.setCodes(nil, step: 0, db)
            try TeamChange.append(.codesOff, of: present.email, by: present.email, in: user.team, db)
        }
    }

    /// Draws new recovery codes. The earlier ones can't be used any more.
    ///
    /// - Throws: ``DomainError``: `forbidden`, `invalid` without an
    ///   authenticator app, `throttled`, `busy`; ``InvalidFields`` for a wrong
    ///   present password.
    package func drawRecoveryCodes(of user: TeamUser, present: String) async throws -> [String] {
        try await confirm(present: present, of: user)
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode(random.bytes(10)) }
        try await write(.team(user.team)) { db in
            let present = try TeamUser.acting(user, db)
            guard present.usesCodes else {
                throw DomainError(.invalid, "Recovery codes need an authenticator app.")
            }
            // The codes are saved when the closure runs again after a lost
            // commit.
            if try codes[0].isSaved(of: user.identifier, db) { return }
            try RecoveryCode.replace(of: user.identifier, by: codes, db)
            try TeamChange.append(.recoveryCodes, of: present.email, by: present.email, in: user.team, db)
        }
        return codes.map(\.text)
    }

    /// The number of recovery codes that a user has left.
    package func recoveryCodes(of user: TeamUser) async throws -> Int {
        try await read { db in try RecoveryCode.count(of: user.identifier, db) }
    }

    /// Checks the present password of a user who makes something that opens a door: a key, an invitation, a one-time
    /// address, or a role. A session alone isn't enough.
    ///
    /// - Throws: ``DomainError``: `throttled`, `busy`; ``InvalidFields`` for a
    ///   missing or wrong password.
    package func confirm(present password: String, of user: TeamUser) async throws {
        guard !password.isEmpty else {
            throw InvalidFields(problems: [FieldProblem(field: "password", kind: .missing)])
        }
        guard password.utf8.count <= SigningIn.longestPassword else {
            throw InvalidFields(problems: [FieldProblem(field: "password", kind: .wrong)])
        }
        let subject = SignInThrottle.Subject.teamUser(signedIn: user)
        let (counts, secrets) = try await write(.key("team user \(user.email)")) { db in
            (try SignInThrottle.countTry(of: [subject], db), try TeamUser.secrets(of: user.identifier, db))
        }
        let isRight: Bool
        do {
            isRight = try await (secrets?.password ?? .ofNobody(by: context.hashing)).matches(
                password, by: context.hashing, from: user.email)
        } catch {
            try await takeBack(counts)
            throw error
        }
        guard isRight else { throw InvalidFields(problems: [FieldProblem(field: "password", kind: .wrong)]) }
        try await takeBack(counts)
    }

    private func takeBack(_ counts: [SignInThrottle.Count]) async throws {
        try await write(.key("team user counts"), isUrgent: true) { db in
            for count in counts { try SignInThrottle.takeBack(count, db) }
        }
    }
}
