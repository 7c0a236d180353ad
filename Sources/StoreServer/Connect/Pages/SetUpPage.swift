// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The page of the first account holder of a team.
enum SetUpPage: ConnectLinkPage {
    static func model(_ visit: ConnectLinkVisit) async throws -> ConsoleModel {
        try await visit.service.checkTeamSetUp(visit.token)
        let words = visit.words
        return visit.model(
            title: words.setUp, note: words.setUpNote,
            fields: [
                visit.field(
                    ConsoleField(
                        "team", words.team, value: visit.typed["team"], autocomplete: "organization",
                        hint: words.teamHint)),
                visit.field(
                    ConsoleField(
                        "email", words.email, type: "email", value: visit.typed["email"], autocomplete: "username")),
            ] + visit.userFields, button: words.begin)
    }

    static func carryOut(_ visit: ConnectLinkVisit, from address: String?) async throws -> TeamUser? {
        let form = visit.typed
        return try await visit.service.setUpTeam(
            by: visit.token, named: form["team"],
            user: NewUser(email: form["email"], name: form["name"], password: form["newPassword"]), from: address)
    }
}

/// The page on which an invited person becomes a user.
enum InvitationPage: ConnectLinkPage {
    static func model(_ visit: ConnectLinkVisit) async throws -> ConsoleModel {
        let (invitation, team) = try await visit.service.teamInvitation(visit.token)
        let words = visit.words
        let role = RoleWords.words(visit.language).name(invitation.role)
        return visit.model(
            title: words.fill(\.join, ["team": team.name.isolated]),
            note: words.fill(\.joinNote, ["email": invitation.email.isolated, "role": role]),
            fields: visit.userFields, button: words.joinButton)
    }

    static func carryOut(_ visit: ConnectLinkVisit, from address: String?) async throws -> TeamUser? {
        let form = visit.typed
        return try await visit.service.joinTeam(
            by: visit.token, user: NewUser(name: form["name"], password: form["newPassword"]), from: address)
    }
}

/// The page of a user's new password.
enum RecoveryPage: ConnectLinkPage {
    static func model(_ visit: ConnectLinkVisit) async throws -> ConsoleModel {
        try await visit.service.checkTeamRecovery(visit.token)
        return visit.model(
            title: visit.words.recovery, note: nil, fields: [visit.passwordField], button: visit.words.recoveryButton)
    }

    static func carryOut(_ visit: ConnectLinkVisit, from address: String?) async throws -> TeamUser? {
        try await visit.service.recoverTeamUser(
            by: visit.token, to: visit.typed["newPassword"], from: address)
        return nil
    }
}
