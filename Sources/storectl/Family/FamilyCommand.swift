// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct FamilyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "family", abstract: "Work with the families of a running store.",
        discussion: """
            A family has one storefront and the clock of its organiser: storectl clock moves all its members' clocks \
            together. The organiser and the parents answer the children's requests to buy on the store's page \
            /account/family.
            """,
        subcommands: [
            FamilyShowCommand.self, FamilyCreateCommand.self, FamilyAddCommand.self, FamilyRoleCommand.self,
            FamilyRemoveCommand.self, FamilyEndCommand.self, FamilyRevokeCommand.self,
        ])
}

/// The store that a command asks, and the form of the output.
struct FamilyArguments: ParsableArguments {
    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    /// Sends a call, and prints the members that the family has then.
    func call(_ verb: Control.Verb, _ call: some Encodable) async throws {
        try await storectl.run {
            let family: Control.FamilyAnswer = try await control.call(verb, call)
            if json { return try printJSON(family) }
            for member in family.members { print(member.line) }
        }
    }
}

struct FamilyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the members of an account's family, the organiser first.")

    @Argument(help: "The e-mail address of a member.")
    var account: String

    @OptionGroup var arguments: FamilyArguments

    func run() async throws { try await arguments.call(.family, Control.FamilyCall(email: account)) }
}

struct FamilyCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Begin a family.")

    @Argument(help: "The e-mail address of the organiser.")
    var organiser: String

    @OptionGroup var arguments: FamilyArguments

    func run() async throws { try await arguments.call(.beginFamily, Control.FamilyCall(email: organiser)) }
}

struct FamilyAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an account to a family.",
        discussion: """
            The account gets the organiser's time, unless something has happened in it later. A child asks to buy \
            from then on; storectl account set EMAIL --no-ask-to-buy ends that.
            """)

    @Argument(help: "The e-mail address of the organiser.")
    var organiser: String

    @Argument(help: "The e-mail address of the account that joins.")
    var account: String

    @Option(help: "parent, adult or child.")
    var role: String

    @OptionGroup var arguments: FamilyArguments

    func run() async throws {
        try await arguments.call(
            .addFamilyMember, Control.FamilyMemberCall(email: account, role: role, organiser: organiser))
    }
}

struct FamilyRoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Give a member of a family another role.",
        discussion: """
            A child who gets another role doesn't ask to buy any more, and the requests that wait fail.
            """)

    @Argument(help: "The e-mail address of the member.")
    var account: String

    @Argument(help: "parent, adult or child.")
    var role: String

    @OptionGroup var arguments: FamilyArguments

    func run() async throws {
        try await arguments.call(.setFamilyRole, Control.FamilyMemberCall(email: account, role: role))
    }
}

struct FamilyRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a member out of a family, and print those who remain.",
        discussion: "The member's requests to buy that wait fail. The member keeps the clock.")

    @Argument(help: "The e-mail address of the member.")
    var account: String

    @OptionGroup var arguments: FamilyArguments

    func run() async throws { try await arguments.call(.removeFamilyMember, Control.FamilyCall(email: account)) }
}

struct FamilyEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End a family: all its members leave it.")

    @Argument(help: "The e-mail address of the organiser.")
    var organiser: String

    @OptionGroup var arguments: FamilyArguments

    func run() async throws { try await arguments.call(.endFamily, Control.FamilyCall(email: organiser)) }
}

extension Control.FamilyMemberAnswer {
    /// One line about the member.
    var line: String { "\(email): \(role)\(asksToBuy ? ", asks to buy" : "")" }
}

struct FamilyRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a shared purchase away from a member, without a refund.",
        discussion: """
            The number is that of the member's purchase. The seller's servers get REVOKE. The member doesn't get the \
            purchase again from the same account while both are in the family.
            """)

    @OptionGroup var decision: PendingPurchaseArguments

    func run() async throws { try await decision.send(.revoke) }
}
