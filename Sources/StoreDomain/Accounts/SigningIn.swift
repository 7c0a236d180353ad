// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Checks a customer's password.
///
/// Wrong passwords are counted for the e-mail address, whether it has an
/// account or not, for the device, and for the sheet on which they are typed.
/// A device on which the account is signed in has a count of its own for it,
/// so that a stranger who knows an address can't keep its owner out there.
package struct SigningIn: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// So many wrong passwords end a sheet.
    static let triesOnASheet: Int64 = 10
    static let longestPassword = 1000
    static let wrong = DomainError(.wrongPassword, "The account or the password is wrong.")

    /// What is known before the password is hashed.
    private struct Attempt: Sendable {
        var sheet: Sheet?
        var subjects: [SignInThrottle.Subject]
        var isOnOwnDevice: Bool
        var found: (Account, PasswordHash)?
    }

    /// Checks the password that was typed for an address, on a sheet if the
    /// sheet's token is given. `sheetEnded` is called with the request of a
    /// sheet that ends by its tenth wrong password.
    ///
    /// - Throws: ``DomainError``: `wrongPassword`, `throttled`, `busy`,
    ///   `notFound`, `sheetUsed` or `sheetExpired` for the sheet.
    package func callAsFunction(
        email: String, password: String, onSheet token: String? = nil, now: Instant,
        sheetEnded: @Sendable (Request) -> Void = { _ in }
    ) async throws -> Account {
        let email = Account.normalized(email)
        guard email.utf8.count <= Account.longestEmail, password.utf8.count <= Self.longestPassword else {
            throw Self.wrong
        }
        // Checked and counted in one write before the password is hashed, so
        // that parallel tries don't all pass the same check.
        let attempt = try await database.write { [environment] connection in
            try Self.begin(email, onSheet: token, now: now, environment, connection)
        }
        let hash = attempt.found?.1 ?? .ofNobody
        let isRight = try await hash.matches(
            password, by: context.hashing, from: attempt.sheet?.device.rawValue, isPreferred: attempt.isOnOwnDevice)
        guard isRight, let account = attempt.found?.0 else {
            try await fail(attempt, now: now, sheetEnded)
            throw Self.wrong
        }
        try await database.write { [environment] connection in
            for subject in attempt.subjects {
                if subject.kind == .device {
                    // What others have typed there wrongly still counts.
                    var throttle = try SignInThrottle.find(subject, environment, connection)
                    throttle.takeBack(now: now)
                    try throttle.save(environment, connection)
                } else {
                    try SignInThrottle.forget(subject, environment, connection)
                }
            }
            try attempt.sheet?.forgetWrongPassword(environment, connection)
        }
        return account
    }

    /// Refuses a subject that has to wait; counts the try for all of them.
    private static func begin(
        _ email: String, onSheet token: String?, now: Instant, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> Attempt {
        let sheet = try token.map { try AnsweringSheet.open($0, now: now, environment, connection).0 }
        let signedIn = try sheet.flatMap { try Device.signedInAccount(on: $0.device, environment, connection) }
        let isOnOwnDevice = signedIn?.email == email
        var subjects: [SignInThrottle.Subject] = []
        if let sheet {
            subjects = [.device(sheet.device)]
            guard sheet.wrongPasswords < triesOnASheet else { throw DomainError.throttled(for: .seconds(1)) }
            try sheet.countWrongPassword(environment, connection)
        }
        if let sheet, isOnOwnDevice {
            subjects.append(.account(email, on: sheet.device))
        } else {
            subjects.append(.account(email))
        }
        for subject in subjects {
            var throttle = try SignInThrottle.find(subject, environment, connection)
            if let wait = throttle.wait(now: now) { throw DomainError.throttled(for: wait) }
            throttle.count(now: now)
            try throttle.save(environment, connection)
        }
        return Attempt(
            sheet: sheet, subjects: subjects, isOnOwnDevice: isOnOwnDevice,
            found: try Account.withPassword(email: email, environment, connection))
    }

    /// Ends a sheet on which too many wrong passwords were typed.
    private func fail(_ attempt: Attempt, now: Instant, _ sheetEnded: (Request) -> Void) async throws {
        guard let sheet = attempt.sheet, sheet.wrongPasswords + 1 >= Self.triesOnASheet else { return }
        let ended = try await database.write { [environment] connection -> Request? in
            guard try sheet.move(from: .open, to: .cancelled, environment, connection),
                var request = try Request.find(sheet.requestIdentifier, of: sheet.device, environment, connection)
            else { return nil }
            request.status = .failed
            request.failure = .tooManyPasswords
            try request.update(environment, connection)
            return request
        }
        guard let ended else { return }
        sheetEnded(ended)
        throw DomainError(
            .sheetUsed,
            "This page is closed after \(Self.triesOnASheet) wrong passwords. Nothing was charged.")
    }
}
