// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreService

struct ContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content", abstract: "Pack, upload, list and remove the content that a store hosts for products.",
        discussion: """
            A content package is a folder with ContentInfo.plist, which has the keys IAPProductIdentifier and \
            ContentVersion, and a folder Contents. Customers who own the product download the newest version \
            (SKDownload).
            """,
        subcommands: [
            ContentPackCommand.self, ContentUploadCommand.self, ContentListCommand.self, ContentVersionsCommand.self,
            ContentRemoveCommand.self,
        ])
}

extension Control.ContentVersion {
    /// One line of a list.
    var line: String {
        let date = Date(timeIntervalSince1970: Double(published) / 1000).formatted(.iso8601)
        let newest = isNewest ? "\tnewest" : ""
        return "\(product)\t\(version)\t\(ByteCount(bytes: fileBytes).text)\t\(files) files\t\(date)\(newest)"
    }
}

extension [Control.ContentVersion] {
    /// Prints a line for each version, or JSON.
    func show(json: Bool) throws {
        if json { return try printJSON(self) }
        for content in self { print(content.line) }
    }
}

extension ContentStore {
    /// All versions of an app, or of one of its products.
    func versions(of product: String?, in bundle: String) async throws -> [Control.ContentVersion] {
        var all: [Control.ContentVersion] = []
        var place = product.map { Control.ContentVersion.Place(product: $0, version: "") }
        while true {
            let call = Control.ContentsCall(bundle: bundle, after: place)
            let page: Control.ContentsAnswer = try await self.call(.content, call) { context in
                try await Control.ContentsAnswer(listing: call, of: context)
            }
            let wanted = page.contents.filter { product == nil || $0.product == product }
            all += wanted
            guard let last = page.contents.last, wanted.count == page.contents.count else { return all }
            place = last.place
        }
    }
}
