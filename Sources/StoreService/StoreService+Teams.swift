// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreDomain

/// The users of Connect and their teams.
extension StoreService {
    /// The address at which the operator's team is set up, once; `nil` when it
    /// has a user.
    ///
    /// - Throws: `DatabaseError`.
    package func teamSetUpAddress() async throws -> String? {
        try await SettingUpTeam(context).path().map { publicURL + $0 }
    }

    /// Whether Connect can be used at the store's address. Over http browsers
    /// send a session's cookie in the clear: it is refused but on this machine.
    package var isConnectSafe: Bool {
        publicURL.hasPrefix("https://")
            || ["http://127.0.0.1", "http://localhost", "http://[::1]"].contains {
                publicURL == $0 || publicURL.hasPrefix($0 + ":")
            }
    }

    /// The QR code of a text; `nil` for a store that makes none. A code that
    /// can't be made is a line of the log, without the text.
    package func qrCode(of text: String) async -> QRCode? {
        do {
            return try await context.qrCodes?.code(of: text)
        } catch {
            logger.warning("a QR code can't be made", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Checks that a team's set-up address can be used.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func checkTeamSetUp(_ token: String) async throws {
        _ = try await SettingUpTeam(context).check(token)
    }

    /// Makes a team's first user.
    ///
    /// - Throws: The errors of `SettingUpTeam`.
    package func setUpTeam(
        by token: String, named name: String, user: NewUser, from origin: String?
    ) async throws -> TeamUser {
        try requireCurrentSchema()
        return try await SettingUpTeam(context)(token, teamName: name, user: user, from: origin)
    }

    /// The invitation of an address, with its team.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func teamInvitation(_ token: String) async throws -> (invitation: TeamInvitation, team: Team) {
        try await JoiningTeam(context).check(token)
    }

    /// Makes a user by an invitation.
    ///
    /// - Throws: The errors of `JoiningTeam`.
    package func joinTeam(by token: String, user: NewUser, from origin: String?) async throws -> TeamUser {
        try requireCurrentSchema()
        return try await JoiningTeam(context)(token, user: user, from: origin)
    }

    /// Checks that a user's address for a new password can be used.
    ///
    /// - Throws: `DomainError` `notFound`.
    package func checkTeamRecovery(_ token: String) async throws {
        _ = try await RecoveringUser(context).check(token)
    }

    /// Sets a user's new password by an address.
    ///
    /// - Throws: The errors of `RecoveringUser`.
    package func recoverTeamUser(by token: String, to password: String, from origin: String?) async throws {
        try requireCurrentSchema()
        try await RecoveringUser(context)(token, to: password, from: origin)
    }

    /// Orders a message with an address for a new password.
    ///
    /// - Throws: The errors of `OrderingMail`.
    package func orderTeamRecovery(to email: String, language: String) async throws {
        try requireCurrentSchema()
        try await OrderingMail(context).forgotten(userOfConnect: email, language: language)
    }

    /// Checks the password and the code of a user.
    ///
    /// - Throws: The errors of `SigningInUser`.
    package func signInTeamUser(
        email: String, password: String, code: String, from origin: String?, browser: String? = nil
    ) async throws -> TeamUser {
        try requireCurrentSchema()
        return try await SigningInUser(context)(
            email: email, password: password, code: code, from: origin, browser: browser)
    }

    /// The use cases of the sessions of users.
    package var teamSessions: OpeningTeamSession { OpeningTeamSession(context) }

    /// The use cases that read a team.
    package var teamReader: ReadingTeam { ReadingTeam(context) }

    /// The use cases of invitations.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func inviting() throws -> InvitingUser {
        try requireCurrentSchema()
        return InvitingUser(context)
    }

    /// The use cases that change other users.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func changingUser() throws -> ChangingUser {
        try requireCurrentSchema()
        return ChangingUser(context)
    }

    /// The use cases by which users change themselves.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func changingOwnUser() throws -> ChangingOwnUser {
        try requireCurrentSchema()
        return ChangingOwnUser(context)
    }
}
