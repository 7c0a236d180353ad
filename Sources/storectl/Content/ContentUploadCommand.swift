// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreAPI
import StoreService

struct ContentUploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Upload a content package, and publish it as its product's newest version.",
        discussion: """
            Takes a folder, or a file of content pack. An upload that was broken off is continued by the same command, \
            also from another machine, within a day. The store checks everything before it publishes, and names the \
            file that it refuses. Downloads of older versions go on.
            """)

    @Argument(help: "The folder with ContentInfo.plist and Contents, or the packed file.")
    var package: String

    @OptionGroup var app: CatalogueApp

    @Option(help: ArgumentHelp("The product that ContentInfo.plist has to name.", valueName: "id"))
    var product: String?

    @OptionGroup var store: ContentStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let source = try PackageArgument.open(package)
            if let product, product != source.manifest.product {
                throw CommandFailure("ContentInfo.plist names the product \(source.manifest.product), not \(product).")
            }
            let uploader = ContentUploader(
                store: store, source: source, checksum: try PackageArgument.checksum(of: source), bundle: app.bundleID)
            let published = try await uploader()
            if json { return try printJSON(published) }
            print(published.line)
        }
    }
}
