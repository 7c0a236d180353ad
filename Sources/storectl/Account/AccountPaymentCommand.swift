// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreService

struct AccountPaymentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payment", abstract: "Work with the payment methods of an account of a running store.",
        discussion: """
            An account without any is charged by the sandbox's standard method. Customers add and remove theirs on \
            the store's page /account/payment.
            """,
        subcommands: [
            AccountPaymentListCommand.self, AccountPaymentAddCommand.self, AccountPaymentPreferCommand.self,
            AccountPaymentRemoveCommand.self,
        ])
}

/// The store that a command asks, and the form of the output.
struct AccountPaymentArguments: ParsableArguments {
    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    /// Sends a call, and prints the methods that the account has then.
    func call(_ verb: Control.Verb, _ call: some Encodable) async throws {
        try await storectl.run {
            let answer: Control.PaymentMethodsAnswer = try await control.call(verb, call)
            if json { return try printJSON(answer.methods) }
            for method in answer.methods { print(method.line) }
        }
    }
}

struct AccountPaymentListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the payment methods of an account, the oldest first.")

    @Argument(help: "The e-mail address of the account.")
    var email: String

    @OptionGroup var arguments: AccountPaymentArguments

    func run() async throws {
        try await arguments.call(.paymentMethods, Control.PaymentMethodsCall(email: email))
    }
}

struct AccountPaymentAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add one of the sandbox's test cards.",
        discussion: """
            accepted takes every payment, declined none; bank asks the customer for a step on the sandbox's page of a \
            bank, except for renewals; expiring takes payments for 30 days of the account's time.
            """)

    @Argument(help: "The e-mail address of the account.")
    var email: String

    @Argument(help: "accepted, declined, bank or expiring.")
    var card: String

    @Flag(help: "Charge later payments by it. An account's first card is charged without this.")
    var preferred = false

    @OptionGroup var arguments: AccountPaymentArguments

    func run() async throws {
        try await arguments.call(
            .addPaymentMethod, Control.AddPaymentMethodCall(email: email, card: card, isPreferred: preferred))
    }
}

/// An account and one of its methods.
struct AccountPaymentMethodArguments: ParsableArguments {
    @Argument(help: "The e-mail address of the account.")
    var email: String

    @Argument(help: "The method, as account payment list prints it first.")
    var method: String

    @OptionGroup var arguments: AccountPaymentArguments

    func call(_ verb: Control.Verb) async throws {
        try await arguments.call(verb, Control.PaymentMethodCall(email: email, method: method))
    }
}

struct AccountPaymentPreferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefer", abstract: "Charge later payments by a method.")

    @OptionGroup var method: AccountPaymentMethodArguments

    func run() async throws { try await method.call(.preferPaymentMethod) }
}

struct AccountPaymentRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a method.",
        discussion: "Without any method, the account buys nothing, and its subscriptions aren't renewed.")

    @OptionGroup var method: AccountPaymentMethodArguments

    func run() async throws { try await method.call(.removePaymentMethod) }
}

extension Control.PaymentMethodAnswer {
    /// One line about the method.
    var line: String {
        let end =
            expires.map { ", expires \(Date(timeIntervalSince1970: Double($0) / 1000).formatted(.iso8601))" } ?? ""
        return "\(method) \(label) \(digits)\(isPreferred ? ", preferred" : "")\(end)"
    }
}
