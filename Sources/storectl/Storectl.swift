// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreCore

/// The command line of OpenStoreKit.
@main
struct Storectl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storectl",
        abstract: "A store for In-App Purchases: run one, and work with it.",
        discussion: """
            Exit status: 0 when it worked, 1 when it didn't (the reason is on stderr), 64 when the command line \
            can't be understood.
            """,
        version: StoreVersion.current,
        subcommands: [
            ServeCommand.self, AccountCommand.self, FamilyCommand.self, BuyCommand.self, FinishCommand.self,
            RestoreCommand.self, ChargesCommand.self, RequestsCommand.self, ApproveCommand.self,
            DeclineCommand.self, ResolveCommand.self, RefundCommand.self, RefundsCommand.self, PaymentCommand.self,
            ClockCommand.self, SubscriptionCommand.self, ResetCommand.self,
            ProductCommand.self, AppCommand.self, ItemCommand.self, ReportCommand.self, CatalogueCommand.self,
            ContentCommand.self, KeyCommand.self, TeamCommand.self, AgreementCommand.self,
            ReviewCommand.self, CodeCommand.self,
            NotificationsCommand.self, TriggerCommand.self, ScenarioCommand.self, DeviceCommand.self,
            AuthorityCommand.self, CopyCommand.self, ReceiptCommand.self,
        ])
}
