// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct ContentRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a product's content, or one version of it.",
        discussion: """
            A download of a removed version begins again with the newest one, and fails if there is none. Customers \
            keep the files that they have downloaded.
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: "The version to remove. Default: all.")
    var version: String?

    @OptionGroup var app: CatalogueApp
    @OptionGroup var store: ContentStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let call = Control.RemoveContentCall(bundle: app.bundleID, product: product, version: version)
            let removed: Control.ContentsAnswer = try await store.call(.removeContent, call) { context in
                try await Control.ContentsAnswer(removing: call, from: context)
            }
            if json { return try printJSON(removed.contents) }
            for content in removed.contents { print("Removed \(content.product) \(content.version).") }
        }
    }
}
