// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

extension ConnectAnswers.Team {
    init(_ caller: ConnectCaller) {
        self.init(
            team: caller.team.identifier.rawValue, name: caller.team.name,
            environment: caller.service.environment.rawValue, key: caller.user.key ?? "",
            role: caller.user.role.rawValue, actions: ConnectAnswers.Role(caller.user.role).actions)
    }
}

extension ConnectAnswers.Role {
    init(_ role: TeamRole) {
        self.init(
            role: role.rawValue,
            actions: TeamAction.allCases.filter { role.may($0) && !$0.isOfTheOperator }.map(\.rawValue))
    }
}

extension ConnectAnswers.User {
    init(_ user: TeamUser) {
        self.init(
            user: user.identifier.rawValue, email: user.email, name: user.name, role: user.role.rawValue,
            usesCodes: user.usesCodes, joined: user.joined.iso8601)
    }
}

extension ConnectAnswers.Invitation {
    init(_ invitation: TeamInvitation) {
        self.init(
            email: invitation.email, role: invitation.role.rawValue, inviter: invitation.inviter,
            created: invitation.created.iso8601, expires: invitation.expires.iso8601)
    }
}

extension ConnectAnswers.Change {
    init(_ change: TeamChange) {
        self.init(
            number: change.number, at: change.at.iso8601, user: change.user.isEmpty ? nil : change.user,
            kind: change.kind.rawValue, subject: change.subject, before: change.before, after: change.after)
    }
}

extension WallTime {
    /// The moment in ISO 8601.
    var iso8601: String { StoreTime(milliseconds: milliseconds).iso8601 }
}
