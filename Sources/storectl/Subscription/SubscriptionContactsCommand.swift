// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreService

struct SubscriptionContactsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "List the names, e-mail addresses and postcodes that subscribers have shared with an app's seller.",
        discussion: """
            A subscription asks for them if its product has "_openStoreKit": { "sharesContact": { "bonus": "P1M" } } \
            in the configuration file: the first period of a customer who shares them is longer by the bonus.
            """)

    @Option(help: ArgumentHelp("The app's bundle identifier.", valueName: "bundle-id"))
    var bundleID: String

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            var all: [Control.ContactAnswer] = []
            var last: Control.ContactAnswer?
            repeat {
                let page: Control.ContactsAnswer = try await control.call(
                    .subscriptionContacts, Control.ContactsCall(bundle: bundleID, after: last?.place))
                all += page.contacts
                last = page.contacts.last
            } while last != nil
            if json { return try printJSON(all) }
            for contact in all {
                let shared = Date(timeIntervalSince1970: Double(contact.shared) / 1000)
                print(
                    [
                        shared.formatted(.iso8601), contact.product, contact.transaction, contact.name, contact.email,
                        contact.postcode,
                    ].joined(separator: "\t"))
            }
        }
    }
}
