// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct CatalogueImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a configuration file, whether the store is running or not, and print the changes.",
        discussion: """
            The same as serve --configuration. Products that the file lacks are taken off sale. Products that were \
            edited in the store, such as by product price, stay as they are. A running store takes files of at most \
            6 megabytes.
            """)

    @OptionGroup var file: CatalogueFile
    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let (call, remarks) = try file.call(isTrial: false)
            for line in remarks { say(line) }
            let answer: Control.ImportCatalogueAnswer = try await store.call(.importCatalogue, call) { context in
                try await Control.ImportCatalogueAnswer(importing: call, into: context)
            }
            try answer.show(json: json)
        }
    }
}
