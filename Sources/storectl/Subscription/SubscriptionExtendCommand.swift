// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain
import StoreService

struct SubscriptionExtendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Move the end of the paid period, for one subscription or for all subscribers of a product.",
        discussion: """
            A subscription is extended if its paid period runs, and at most twice in 365 days. Nothing is charged, and \
            the next renewal is due later. At a shortened speed the days are shortened too.

            A call that is repeated with the same --identifier extends each subscription once: if the answer is lost, \
            the message has the identifier.
            """)

    @Argument(help: "Any transaction of the subscription, as subscription list prints it.")
    var transaction: String?

    @Option(help: ArgumentHelp("All subscribers of this product.", valueName: "product"))
    var product: String?

    @Option(help: "The bundle identifier of the product's app.")
    var bundleId: String?

    @Option(help: "The number of days, from 1 to 90.")
    var days: Int

    @Option(help: "Why: undeclared, satisfaction, other or outage.")
    var reason: String

    @Option(
        help: ArgumentHelp(
            "The identifier of an extension that is repeated. Default: a new one.", valueName: "identifier"))
    var identifier: String?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (transaction == nil) == (product != nil), (product == nil) == (bundleId == nil) else {
            throw ValidationError("Give either a transaction, or --product with --bundle-id.")
        }
    }

    func run() async throws {
        try await storectl.run {
            let identifier = identifier ?? SystemDependencies.random.hexadecimal(bytes: 16)
            let remedy = "To repeat it, add --identifier \(identifier): each subscription is extended once."
            if let transaction {
                let answer: Control.ExtendedAnswer = try await control.call(
                    .extendSubscription,
                    Control.ExtendSubscriptionCall(
                        transaction: transaction, days: days, reason: reason, identifier: identifier),
                    remedy: remedy)
                return json ? try printJSON(answer) : print(answer.line)
            }
            let all = try await extendSubscribers(as: identifier, remedy: remedy)
            if json { return try printJSON(all) }
            for one in all.extended { print(one.line) }
            for one in all.refused { print("\(one.subscription) isn't extended: \(one.message)") }
            print("\(all.extended.count) extended, \(all.refused.count) not.")
        }
    }

    /// Extends the subscribers of the product, page by page.
    private func extendSubscribers(
        as identifier: String, remedy: String
    ) async throws -> Control.ExtendSubscribersAnswer {
        var call = Control.ExtendSubscribersCall(
            bundle: bundleId ?? "", product: product ?? "", days: days, reason: reason, identifier: identifier)
        var all: Control.ExtendSubscribersAnswer = try await control.call(.extendSubscribers, call, remedy: remedy)
        while let next = all.next {
            call.after = next
            let page: Control.ExtendSubscribersAnswer = try await control.call(
                .extendSubscribers, call, remedy: remedy)
            all.extended += page.extended
            all.refused += page.refused
            all.next = page.next
        }
        return all
    }
}

extension Control.ExtendedAnswer {
    /// One line about the subscription.
    fileprivate var line: String { "\(subscription) is paid until \(until)" }
}
