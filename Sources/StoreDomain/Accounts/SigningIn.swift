// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

/// Checks a customer's password.
///
/// Wrong passwords are counted for the e-mail address, whether it has an
/// account or not, for the device, and for the sheet on which they are typed.
/// A device on which the account is signed in has its own count for the
/// address, so that a stranger who knows the address can't lock out the
/// account owner there.
package struct SigningIn: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The number of wrong passwords after which a sheet ends.
    static let triesOnASheet: Int64 = 10
    static let longestPassword = 1000

    /// Checks that a text can be a password.
    ///
    /// - Throws: ``DomainError`` `invalid`.
    static func check(newPassword: String) throws {
        guard (1...longestPassword).contains(newPassword.utf8.count) else {
            throw DomainError(.invalid, "A password has 1 to \(longestPassword) bytes.", reason: .password)
        }
    }

    static let wrong = DomainError(.wrongPassword, "The account or the password is wrong.")

    /// The data that is read before the password is hashed.
    private struct Attempt: Sendable {
        /// The sheet before the try was counted.
        var sheet: Sheet?
        var counts: [SignInThrottle.Count] = []
        var isOnOwnDevice: Bool
        var found: (Account, PasswordHash)?
        /// The password of the address in the other environment, when it has
        /// no account in this one.
        var elsewhere: PasswordHash?
    }

    /// Checks the password that was typed for an e-mail address, on a sheet
    /// if the sheet's token is given. Of a sheet's device, or of an `origin`
    /// without a sheet, only some checks wait at a time.
    ///
    /// A sheet ends with its tenth wrong password, and its device is notified.
    /// A try isn't counted if its password isn't checked because too many
    /// checks wait.
    ///
    /// - Throws: ``DomainError``: `wrongPassword`, `throttled`, `busy`,
    ///   `notFound`, `sheetUsed` or `sheetExpired` for the sheet, `invalid`
    ///   when the stored hash can't be read, `otherEnvironment` for the right
    ///   password of an account that only the other environment has.
    package func callAsFunction(
        email: String, password: String, onSheet token: String? = nil, from origin: String? = nil
    ) async throws -> Account {
        let email = Account.normalized(email)
        guard email.utf8.count <= Account.longestEmail, password.utf8.count <= Self.longestPassword else {
            throw Self.wrong
        }
        // The try is checked and counted in one write before the password is
        // hashed, so that parallel tries don't all pass the same check.
        let attempt = try await write(.key(token ?? email)) { db in try Self.begin(email, onSheet: token, db) }
        if let sheet = attempt.sheet, sheet.wrongPasswords >= Self.triesOnASheet {
            // The last try is counted, but the sheet is open: the process
            // that counted it ended first, or is still checking the password.
            try await end(sheet)
            throw Self.tooManyTries
        }
        let sender = attempt.sheet?.device.rawValue ?? origin
        let isRight = try await matches(password, of: email, attempt, from: sender)
        guard isRight, let account = attempt.found?.0 else {
            if let sheet = attempt.sheet, sheet.wrongPasswords + 1 >= Self.triesOnASheet,
                try await end(sheet)
            {
                throw Self.tooManyTries
            }
            // Only a customer who knows the password learns that the other
            // environment has the account. The try stays counted.
            if isRight, attempt.elsewhere != nil { throw Self.otherEnvironment(than: environment) }
            throw Self.wrong
        }
        try await takeBack(attempt, of: email, wasRight: true)
        return account
    }

    /// Takes back a try. When its password was right, earlier wrong passwords
    /// for the address don't count any more; those on the device still do.
    ///
    /// It is urgent: the try was accepted, and must not count as a wrong one
    /// because the store has too much to do.
    private func takeBack(_ attempt: Attempt, of email: String, wasRight: Bool) async throws {
        try await write(.key(attempt.sheet?.token ?? email), isUrgent: true) { db in
            try attempt.sheet?.addWrongPasswords(-1, db)
            for count in attempt.counts {
                if wasRight, count.subject.kind != .device {
                    try SignInThrottle.forget(count.subject, db)
                } else {
                    try SignInThrottle.takeBack(count, db)
                }
            }
        }
    }

    /// Checks the password; takes the try back when it can't be checked.
    private func matches(
        _ password: String, of email: String, _ attempt: Attempt, from sender: String?
    ) async throws -> Bool {
        do {
            let hash = attempt.found?.1 ?? attempt.elsewhere ?? .ofNobody(by: context.hashing)
            return try await hash.matches(
                password, by: context.hashing, from: sender,
                isPreferred: attempt.isOnOwnDevice)
        } catch {
            try await takeBack(attempt, of: email, wasRight: false)
            throw error
        }
    }

    /// Counts the try for its subjects and for the sheet.
    ///
    /// Nothing is counted on a sheet that has had all of its tries, because
    /// it has to be ended. The last try also begins a pause of its device,
    /// which rejects other tries while that one is being checked, unless the
    /// check takes longer than the pause.
    ///
    /// The tries on a sheet run one at a time, and the counts of the subjects
    /// are locked (``SignInThrottle/countTry(of:_:)``).
    ///
    /// - Throws: ``DomainError``: `throttled` when a subject has to wait,
    ///   `notFound`, `sheetUsed` or `sheetExpired` for the sheet.
    private static func begin(
        _ email: String, onSheet token: String?, _ db: StoreTransaction
    ) throws -> Attempt {
        let sheet = try token.map { try AnsweringSheet.open($0, db).0 }
        let signedIn = try sheet.flatMap { try Device.signedInAccount(on: $0.device, db) }
        var attempt = Attempt(sheet: sheet, isOnOwnDevice: signedIn?.email == email)
        if let sheet, sheet.wrongPasswords >= triesOnASheet { return attempt }
        attempt.counts = try SignInThrottle.countTry(of: subjects(email, attempt), db)
        try sheet?.addWrongPasswords(1, db)
        attempt.found = try Account.withPassword(email: email, in: db.environment, db)
        if attempt.found == nil {
            attempt.elsewhere = try Account.withPassword(email: email, in: db.environment.other, db)?.1
        }
        return attempt
    }

    /// The subjects for which a try is counted, besides its sheet.
    private static func subjects(_ email: String, _ attempt: Attempt) -> [SignInThrottle.Subject] {
        guard let device = attempt.sheet?.device else { return [.account(email)] }
        return [.device(device), attempt.isOnOwnDevice ? .account(email, on: device) : .account(email)]
    }

    private static func otherEnvironment(than environment: StoreEnvironment) -> DomainError {
        DomainError(
            .otherEnvironment,
            environment == .sandbox
                ? "This is the sandbox, and the account isn't a sandbox account. Sign in with a sandbox account."
                : "This is a sandbox account, which can't be used here. Sign in with your own account.")
    }

    private static let tooManyTries = DomainError(
        .sheetUsed, "This page is closed after \(triesOnASheet) wrong passwords. Nothing was charged.")

    /// Ends a sheet on which too many wrong passwords were typed; `false` when
    /// it has ended before.
    @discardableResult
    private func end(_ sheet: Sheet) async throws -> Bool {
        try await write(.key(sheet.token)) { db in
            guard try sheet.move(from: .open, to: .cancelled, db),
                var request = try DeviceRequest.find(sheet.requestIdentifier, of: sheet.device, db)
            else { return false }
            request.fail(.tooManyPasswords)
            try request.update(db)
            try DeviceNews.append(request, db)
            return true
        }
    }
}
