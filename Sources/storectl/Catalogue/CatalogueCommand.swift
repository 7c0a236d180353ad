// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

struct CatalogueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue", abstract: "Import, export and compare an app's products.",
        subcommands: [CatalogueImportCommand.self, CatalogueExportCommand.self, CatalogueDiffCommand.self])
}

/// A configuration file and the app that it belongs to.
struct CatalogueFile: ParsableArguments {
    @Argument(help: ArgumentHelp("An Xcode StoreKit configuration file.", valueName: "file.storekit"))
    var file: String

    @OptionGroup var app: CatalogueApp

    @Flag(help: "Take the file's values also for products that were edited in the store.")
    var overwriteEdits = false

    /// The message that imports the file, or only compares it. The file is
    /// read here first, so that its faults need no store.
    ///
    /// - Throws: ``CommandFailure``, `DomainError` `configuration`.
    func call(isTrial: Bool) throws -> (call: Control.ImportCatalogueCall, remarks: [String]) {
        guard let contents = FileManager.default.contents(atPath: file) else {
            throw CommandFailure("The configuration file \(file) can't be read.")
        }
        let read = try StoreKitConfigurationFile(
            contents, file: file, bundleIdentifier: BundleIdentifier(app.bundleID))
        return (
            Control.ImportCatalogueCall(
                bundle: app.bundleID, name: file, contents: contents, overwritesEdits: overwriteEdits,
                isTrial: isTrial),
            read.remarks
        )
    }
}

/// The app of a catalogue.
struct CatalogueApp: ParsableArguments {
    @Option(help: ArgumentHelp("The app's bundle identifier.", valueName: "id"))
    var bundleID: String

    func validate() throws {
        guard (1...255).contains(bundleID.utf8.count) else {
            throw ValidationError("--bundle-id takes an identifier of 1 to 255 bytes, such as com.example.fruit.")
        }
    }
}

extension Control.ImportCatalogueAnswer {
    /// Prints the changes and the products that stay, a line each or as JSON.
    func show(json: Bool) throws {
        if json { return try printJSON(self) }
        for line in changes + leftAlone { print("\(line.subject): \(line.change).") }
    }
}
