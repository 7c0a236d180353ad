// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Checks the password of a user of Connect, and the code of a user who has an
/// authenticator app.
///
/// Wrong passwords and wrong codes are counted for the e-mail address, whether
/// it has a user or not, as for customers (``SigningIn``). A browser in which
/// the user has signed in before has its own count.
package struct SigningInUser: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The data that is read before the password is hashed.
    private struct Attempt: Sendable {
        var counts: [SignInThrottle.Count]
        var user: TeamUser?
        var secrets: TeamUser.Secrets?
    }

    /// Checks the typed values. Of an `origin` only some checks wait at a time.
    /// `browser` is the token of the browser's cookie, if it has one.
    ///
    /// - Throws: ``DomainError``: `wrongPassword` for a wrong address,
    ///   password or code, and with the reason `code` when only the code is
    ///   missing; `throttled`, `busy`.
    package func callAsFunction(
        email: String, password: String, code: String, from origin: String? = nil, browser: String? = nil
    ) async throws -> TeamUser {
        let email = Account.normalized(email)
        guard email.utf8.count <= Account.longestEmail, password.utf8.count <= SigningIn.longestPassword else {
            throw SigningIn.wrong
        }
        // The try is counted before the password is hashed, so that parallel
        // tries don't all pass the same check.
        let attempt = try await write(.key("team user \(email)")) { db in
            let user = try TeamUser.find(email: email, db)
            let subject = try Self.subject(email, of: user, browser, db)
            let counts = try SignInThrottle.countTry(of: [subject], db)
            return Attempt(
                counts: counts, user: user, secrets: try user.flatMap { try TeamUser.secrets(of: $0.identifier, db) })
        }
        guard try await matches(password, attempt, from: origin ?? email), let user = attempt.user,
            let secrets = attempt.secrets
        else { throw SigningIn.wrong }
        if secrets.code != nil {
            let code = code.filter { !$0.isWhitespace }
            guard !code.isEmpty else {
                // The password was right: the try counts as none.
                try await takeBack(attempt, isRight: false)
                throw Self.codeMissing
            }
            try await use(code, of: user)
        }
        try await takeBack(attempt, isRight: true)
        return user
    }

    /// The count of the address, or of the address in a browser that the user knows.
    private static func subject(
        _ email: String, of user: TeamUser?, _ token: String?, _ db: StoreTransaction
    ) throws -> SignInThrottle.Subject {
        guard let user, let browser = token.flatMap(TeamBrowser.init(token:)),
            try browser.isKnown(to: user.identifier, db)
        else { return .teamUser(email) }
        return .teamUser(email, in: browser)
    }

    static let codeMissing = DomainError(
        .wrongPassword, "Type the code of your authenticator app too, or a recovery code.", reason: .code)

    private func matches(_ password: String, _ attempt: Attempt, from origin: String) async throws -> Bool {
        do {
            return try await (attempt.secrets?.password ?? .ofNobody(by: context.hashing)).matches(
                password, by: context.hashing, from: origin)
        } catch {
            try await takeBack(attempt, isRight: false)
            throw error
        }
    }

    /// Urgent, for the reason of ``SigningIn``.
    private func takeBack(_ attempt: Attempt, isRight: Bool) async throws {
        try await write(.key("team user counts"), isUrgent: true) { db in
            for count in attempt.counts {
                if isRight {
                    try SignInThrottle.forget(count.subject, db)
                } else {
                    try SignInThrottle.takeBack(count, db)
                }
            }
        }
    }

    /// Uses a code of the authenticator app, or a recovery code, once.
    ///
    /// - Throws: ``DomainError`` `wrongPassword`.
    private func use(_ code: String, of user: TeamUser) async throws {
        try await write(.team(user.team)) { db in
            guard let present = try TeamUser.find(user.identifier, db),
                present.passwordNumber == user.passwordNumber,
                let secrets = try TeamUser.secrets(of: user.identifier, db)
            else { throw SigningIn.wrong }
            guard let secret = secrets.code else { return }
            if let step = secret.step(of: code, after: secrets.lastStep, now: db.now),
                try present.use(step: step, db)
            {
                return
            }
            guard try RecoveryCode(text: code).use(by: user.identifier, db) else {
                throw DomainError(
                    .wrongPassword, "The code is wrong, or was used already. Wait for the next one.",
                    reason: .wrongCode)
            }
        }
    }
}
