// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct TeamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "team",
        abstract: "Add teams of sellers to Connect, and let their users in again.",
        subcommands: [TeamListCommand.self, TeamAddCommand.self, TeamRecoverCommand.self])
}

struct TeamListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the teams that have been set up.")

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            var teams: [Control.TeamAnswer] = []
            while true {
                let call = Control.TeamsCall(after: teams.last?.team)
                let page: Control.TeamsAnswer = try await store.call(.teams, call) { context in
                    try await Control.TeamsAnswer(listing: call, of: context)
                }
                teams += page.teams
                if page.teams.count < ListingTeams.pageSize { break }
            }
            if json { return try printJSON(teams) }
            for team in teams { print([team.team, "\(team.users) users", team.name].joined(separator: "\t")) }
        }
    }
}

struct TeamAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a one-time address at which another team is set up.",
        discussion: "The store's own team has the address that serve prints while it has no user.")

    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            let call = Control.AddTeamCall()
            let answer: Control.TeamAddressAnswer = try await store.call(.addTeam, call) { context in
                try await Control.TeamAddressAnswer(adding: call, to: context)
            }
            print(answer.address)
        }
    }
}

struct TeamRecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Make a one-time address at which a user chooses a new password.",
        discussion: """
            It also ends the use of the user's authenticator app. Without a running store it is a path behind the \
            store's address.
            """)

    @Argument(help: "The user's e-mail address.")
    var email: String

    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            let call = Control.RecoverTeamUserCall(email: email)
            let answer: Control.TeamAddressAnswer = try await store.call(.recoverTeamUser, call) { context in
                try await Control.TeamAddressAnswer(recovering: call, in: context)
            }
            print(answer.address)
        }
    }
}
