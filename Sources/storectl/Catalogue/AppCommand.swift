// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Work with the settings of an app.", subcommands: [AppGracePeriodCommand.self])
}

struct AppGracePeriodCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grace-period",
        abstract: "Set how long customers keep a subscription whose renewal couldn't be charged.",
        discussion: "Weekly subscriptions have at most 6 days. Grace periods that have begun keep their ends.")

    @Option(help: "The app's bundle identifier.")
    var bundleId: String

    @Option(help: "The number of days: 0, 3, 16 or 28.")
    var days: Int

    @OptionGroup var control: RemoteControl

    func run() async throws {
        try await storectl.run {
            let set: Control.SetGracePeriodCall = try await control.call(
                .setGracePeriod, Control.SetGracePeriodCall(bundle: bundleId, days: days))
            print("\(set.bundle) has a grace period of \(set.days) days.")
        }
    }
}
