// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreService

struct ItemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item", abstract: "Work with the apps and other media that the store sells on its pages.",
        subcommands: [ItemAddCommand.self, ItemListCommand.self])
}

struct ItemAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add the items of a file, whether the store is running or not.",
        discussion: """
            The file is JSON: {"items": [{"item": 1001, "kind": "song", "seller": "Fruit Records", \
            "link": "https://seller.example/1001", "price": "0.99", "prices": {"DEU": "1.09"}, \
            "notSoldIn": ["JPN"], "texts": {"en_US": {"title": "Peel", "description": "A song."}}, \
            "icon": "peel.png", "screenshots": ["one.png"]}]}. "firstDay": "2026-12-31" is the first day \
            of the sale. An app has "bundle", its bundle identifier, and "version", which becomes the one that is sold. \
            An app that has an Apple ID in Connect has it as "item". The paths of images are relative to the file. \
            An item replaces the one with its number; items before a wrong one are added.
            """)

    @Argument(help: ArgumentHelp("The file of the items.", valueName: "file"))
    var file: String

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            var added: [Control.ItemAnswer] = []
            for call in try ItemFile(path: file).calls() {
                let answer: Control.ItemAnswer = try await store.call(.addItem, call) { context in
                    try await Control.ItemAnswer(adding: call, to: context)
                }
                if !json { print(answer.line) }
                added.append(answer)
            }
            if json { try printJSON(Control.ItemsAnswer(items: added)) }
        }
    }
}

struct ItemListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the items.")

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            var items: [Control.ItemAnswer] = []
            var page: Control.ItemsAnswer
            repeat {
                let call = Control.ItemsCall(after: items.last?.item)
                page = try await store.call(.items, call) { context in
                    try await Control.ItemsAnswer(listing: call, of: context)
                }
                items += page.items
            } while !page.items.isEmpty
            if json { return try printJSON(Control.ItemsAnswer(items: items)) }
            for item in items { print(item.line) }
        }
    }
}

extension Control.ItemAnswer {
    /// A line of a list.
    fileprivate var line: String {
        "\(item)  \(kind)  \(title)  \(price)  \(seller)  \(version)\(bundle.map { "  \($0)" } ?? "")"
    }
}
