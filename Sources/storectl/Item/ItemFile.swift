// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreService

/// A file with items, whose images are files beside it.
struct ItemFile {
    private struct Listed: Decodable {
        var items: [Written]
    }

    /// An item as the file has it, with the paths of its images.
    private struct Written: Decodable {
        var item: Int64
        var kind: String
        var bundle: String?
        var seller: String
        var version: String?
        var link: String
        var price: String
        var prices: [String: String]?
        var notSoldIn: [String]?
        var firstDay: String?
        var texts: [String: Control.ItemCall.Text]
        var icon: String?
        var screenshots: [String]?
    }

    /// The largest file, and the largest image.
    private static let largest = 8 << 20

    private let url: URL
    private let written: [Written]

    /// - Throws: ``CommandFailure`` for a file that can't be read, or isn't one
    ///   of items.
    init(path: String) throws {
        url = URL(fileURLWithPath: path)
        let data = try Self.read(url)
        do {
            written = try JSONDecoder().decode(Listed.self, from: data).items
        } catch {
            throw CommandFailure("\(path) isn't a file of items: see storectl item add --help.")
        }
    }

    /// The calls that add the items, with the bytes of their images.
    ///
    /// - Throws: ``CommandFailure`` for an image that can't be read.
    func calls() throws -> [Control.ItemCall] {
        try written.map { item in
            var call = Control.ItemCall(
                item: item.item, kind: item.kind, seller: item.seller, link: item.link, price: item.price,
                texts: item.texts)
            call.bundle = item.bundle
            call.version = item.version
            call.prices = item.prices
            call.notSoldIn = item.notSoldIn
            call.firstDay = item.firstDay
            call.icon = try item.icon.map(image)
            call.screenshots = try item.screenshots?.map(image)
            return call
        }
    }

    private func image(_ path: String) throws -> Data {
        try Self.read(URL(fileURLWithPath: path, relativeTo: url.deletingLastPathComponent()))
    }

    private static func read(_ url: URL) throws -> Data {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw CommandFailure("\(url.path) can't be read: \(error.localizedDescription)")
        }
        guard data.count <= largest else { throw CommandFailure("\(url.path) has more than \(largest) bytes.") }
        return data
    }
}
