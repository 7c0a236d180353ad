// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct ContentListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the newest content of each product of an app.")

    @OptionGroup var app: CatalogueApp
    @OptionGroup var store: ContentStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            try await store.versions(of: nil, in: app.bundleID).filter(\.isNewest).show(json: json)
        }
    }
}

struct ContentVersionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "List the versions of a product's content.")

    @Argument(help: "The product's identifier.")
    var product: String

    @OptionGroup var app: CatalogueApp
    @OptionGroup var store: ContentStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            try await store.versions(of: product, in: app.bundleID).show(json: json)
        }
    }
}
