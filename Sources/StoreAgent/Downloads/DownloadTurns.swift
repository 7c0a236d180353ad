// SPDX-License-Identifier: Apache-2.0

/// Chooses the downloads that are transferred at the same time.
enum DownloadTurns {
    /// The largest number of transfers of an app at a time.
    static let limit = 2

    /// The downloads whose turn it is: those that have begun, and then the
    /// others in the order in which the app has started them. A product has
    /// one transfer at a time, because its contents have one folder.
    static func choose(_ started: [Download]) -> [Download] {
        var products: Set<String> = []
        let inOrder = started.sorted { ($0.rank, $0.turn, $0.identifier) < ($1.rank, $1.turn, $1.identifier) }
        return Array(inOrder.filter { products.insert($0.product).inserted }.prefix(limit))
    }
}

extension Download {
    fileprivate var rank: Int { phase == .active ? 0 : 1 }
}
