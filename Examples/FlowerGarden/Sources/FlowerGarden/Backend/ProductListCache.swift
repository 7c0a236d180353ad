// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The list of products as the back end last sent it.
///
/// The app starts with it and doesn't wait for the network.
struct ProductListCache: Sendable {
    struct Item: Codable, Equatable, Sendable {
        var product: String
        /// `seeds`, `coins`, `season` or `subscription`.
        var kind: String
        /// The name and the description of a free product, which the store doesn't have.
        var title: String?
        var description: String?
        var isFree: Bool
        var hasContent: Bool
        /// The days for which a season pass is valid.
        var days: Int?
    }

    private struct Stored: Codable {
        var items: [Item]
        var tag: String?
    }

    let file: URL

    /// The last good list; empty before the first one has arrived.
    var items: [Item] { stored?.items ?? [] }

    private var stored: Stored? {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Stored.self, from: $0) }
    }

    /// Asks for a newer list. An error leaves the last good one in place.
    ///
    /// - Returns: Whether there was a newer one.
    func refresh(_ client: GardenClient) async throws -> Bool {
        let tag = stored?.tag
        let fields = tag.map { ["If-None-Match": $0] } ?? [:]
        let (data, response) = try await client.send("GET", "products", fields: fields)
        guard response.statusCode == 200 else { return false }
        let new = Stored(
            items: try JSONDecoder().decode([Item].self, from: data), tag: response.value(forHTTPHeaderField: "ETag"))
        try JSONEncoder().encode(new).write(to: file, options: .atomic)
        return true
    }
}
