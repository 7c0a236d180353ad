// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct SubscriptionPriceConsentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "price-consent", abstract: "Ask a subscriber for consent to a higher price, and answer.",
        subcommands: [PriceConsentAskCommand.self, PriceConsentAgreeCommand.self, PriceConsentDeclineCommand.self])
}

struct PriceConsentAskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Ask a subscriber of the sandbox for consent, without a change of the price.",
        discussion: "The subscription ends with its period unless the customer agrees.")

    @OptionGroup var arguments: SubscriptionArguments

    @Option(help: "The price, a decimal such as 0.99; that of the catalogue without it.")
    var price: String?

    func run() async throws {
        try await storectl.run {
            let answer: Control.SubscriptionAnswer = try await arguments.control.call(
                .askPriceConsent,
                Control.AskPriceConsentCall(transaction: arguments.transaction, price: price))
            try arguments.show(answer)
        }
    }
}

struct PriceConsentAgreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agree", abstract: "Agree to a higher price, as the customer does.")

    @OptionGroup var arguments: SubscriptionArguments

    func run() async throws {
        try await arguments.answerPriceConsent(true)
    }
}

struct PriceConsentDeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Refuse a higher price, as the customer does: the renewal is turned off.")

    @OptionGroup var arguments: SubscriptionArguments

    func run() async throws {
        try await arguments.answerPriceConsent(false)
    }
}

extension SubscriptionArguments {
    /// Answers a higher price, and prints the subscription.
    fileprivate func answerPriceConsent(_ agrees: Bool) async throws {
        try await storectl.run {
            let answer: Control.SubscriptionAnswer = try await control.call(
                .answerPriceConsent, Control.AnswerPriceConsentCall(transaction: transaction, agrees: agrees))
            try show(answer)
        }
    }

    /// Prints a subscription, in a line or as JSON.
    fileprivate func show(_ answer: Control.SubscriptionAnswer) throws {
        if json { return try printJSON(answer) }
        print(answer.line)
    }
}

extension Control.PriceIncreaseAnswer {
    /// The increase, to follow the end of the paid period.
    var line: String {
        let consent = needsConsent ? isAgreed ? ", agreed" : ", consent needed" : ""
        return "\(price) \(currency) from \(applies)\(consent)"
    }
}
