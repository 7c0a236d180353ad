// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreService

struct CatalogueExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write an app's products, as they are sold now, to standard output as a configuration file.",
        discussion: """
            The file that was imported last, byte for byte, if nothing was edited since. Otherwise only the edited \
            values are others: every other key of the file stays. Prices of single countries, and countries in which \
            a product isn't sold, are in its key _openStoreKit, for which Xcode has no other.
            """)

    @OptionGroup var app: CatalogueApp
    @OptionGroup var store: AdministeredStore

    func run() async throws {
        try await storectl.run {
            let call = Control.ExportCatalogueCall(bundle: app.bundleID)
            let answer: Control.ExportCatalogueAnswer = try await store.call(.exportCatalogue, call) { context in
                try await Control.ExportCatalogueAnswer(exporting: call, from: context)
            }
            try FileHandle.standardOutput.write(contentsOf: answer.contents)
        }
    }
}
