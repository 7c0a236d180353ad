// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Reads the news of a device after a number.
package struct ReadingDeviceNews: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The largest number of news that one call returns.
    package static let limit = 200

    /// The oldest news after a number, and the number after which the next
    /// call continues.
    package struct Page: Sendable {
        /// In the order of their numbers.
        package var news: [DeviceNews]
        /// The number after which the next call continues.
        package var last: Int64
        /// Whether the device has more news.
        package var hasMore: Bool
    }

    /// The number of a device's newest news; 0 before the first.
    package func newest(of device: DeviceIdentifier) async throws -> Int64 {
        try await read { db in try DeviceNews.newest(of: device, db) }
    }

    /// The news of a device after a number. When the device has no news of
    /// that number, because the store was restored from a backup or the
    /// device was deleted, there are none, and `last` is the newest number.
    package func callAsFunction(of device: DeviceIdentifier, after number: Int64) async throws -> Page {
        try await read { db in
            let newest = try DeviceNews.newest(of: device, db)
            guard number < newest else { return Page(news: [], last: newest, hasMore: false) }
            let news = try DeviceNews.after(number, of: device, limit: Self.limit, db)
            // News that were deleted for their age leave a gap.
            guard news.count == Self.limit, let last = news.last else {
                return Page(news: news, last: newest, hasMore: false)
            }
            return Page(news: news, last: last.number, hasMore: true)
        }
    }
}
