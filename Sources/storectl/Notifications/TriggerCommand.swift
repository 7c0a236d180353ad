// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct TriggerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger", abstract: "Cause a notification by a history that fits it.",
        discussion: """
            A new tester, or the given one, buys, and time passes for the tester, until the store has caused the \
            notification. An extension of all subscribers, an end of a sale and a grace period concern other testers \
            of the app too. The types are:

            \(TriggerRecipe.names.joined(separator: "\n"))
            """)

    @Argument(help: ArgumentHelp("The type, with its subtype after a slash.", valueName: "type[/subtype]"))
    var type: String

    @Option(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var app: String

    @Option(help: ArgumentHelp("The tester. Default: a new one.", valueName: "email"))
    var account: String?

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let answer: Control.TriggerAnswer = try await control.call(
                .trigger, Control.TriggerCall(type: type, bundle: app, email: account))
            if json { return try printJSON(answer) }
            print("\(answer.email)  \(answer.notification.line)")
        }
    }
}
