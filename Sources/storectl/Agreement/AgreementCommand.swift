// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

struct AgreementCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agreement",
        abstract: "Publish the contract that sellers accept in Connect before production sells their products.",
        discussion: "The operator's own team, which has the apps of imported files, needs no contract.",
        subcommands: [AgreementPublishCommand.self, AgreementShowCommand.self, AgreementListCommand.self])
}

struct AgreementPublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Publish a version of the contract, which account holders accept.",
        discussion: "The first version is due now. The text of the newest version publishes nothing.")

    @Argument(help: "A text file in UTF-8, or - for the standard input.")
    var file: String

    @Option(help: "The days until the earlier version isn't in force any more, 0 to 365.")
    var days = 30

    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            let call = Control.PublishAgreementCall(text: try text(), days: days)
            let published: Control.AgreementAnswer = try await store.call(.publishAgreement, call) { context in
                try await Control.AgreementAnswer(publishing: call, in: context)
            }
            let due = Date(timeIntervalSince1970: TimeInterval(published.due) / 1000)
            print("Version \(published.version) of the contract is due on \(due.formatted(.iso8601)).")
        }
    }

    private func text() throws -> String {
        guard let text = String(bytes: try readFile(file, what: "contract"), encoding: .utf8) else {
            throw CommandFailure("\(file) isn't a text in UTF-8: save it as one.")
        }
        return text
    }
}

struct AgreementShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the newest version of the contract.")

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            let call = Control.AgreementCall()
            let contract: Control.AgreementAnswer = try await store.call(.agreement, call) { context in
                try await Control.AgreementAnswer(showing: call, in: context)
            }
            if json { return try printJSON(contract) }
            guard contract.version > 0 else {
                throw CommandFailure("The store has no contract: publish one by storectl agreement publish.")
            }
            print(contract.text)
        }
    }
}

struct AgreementListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the teams, with the version that each has accepted.")

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            var teams: [Control.TeamAgreementAnswer] = []
            while true {
                let call = Control.TeamAgreementsCall(after: teams.last?.team)
                let page: Control.TeamAgreementsAnswer = try await store.call(.teamAgreements, call) { context in
                    try await Control.TeamAgreementsAnswer(listing: call, of: context)
                }
                teams += page.teams
                if page.teams.count < PublishingContract.pageSize { break }
            }
            if json { return try printJSON(teams) }
            for team in teams {
                let accepted = team.version.map { "version \($0) by \(team.by ?? "")" } ?? "nothing accepted"
                let state = team.missing.isEmpty ? "in force" : "lacks \(team.missing.joined(separator: ", "))"
                print([team.team, team.name, accepted, state].joined(separator: "\t"))
            }
        }
    }
}
