// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct CatalogueDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Print the changes that the import of a configuration file would make, without making them.",
        discussion: """
            A line for each group, product and setting that would change, and for each product that would stay \
            because it was edited in the store. Exit status: 0 when nothing would change, 1 when something would, 2 \
            when the file or the store can't be read.
            """)

    @OptionGroup var file: CatalogueFile
    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        var hasChanges = false
        do {
            try await storectl.run {
                let (call, _) = try file.call(isTrial: true)
                let answer: Control.ImportCatalogueAnswer = try await store.call(.importCatalogue, call) { context in
                    try await Control.ImportCatalogueAnswer(importing: call, into: context)
                }
                try answer.show(json: json)
                hasChanges = !answer.changes.isEmpty
            }
        } catch is ExitCode {
            throw ExitCode(2)
        }
        if hasChanges { throw ExitCode(1) }
    }
}
