// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

/// The news of the stream's device: requests whose answers have changed, and
/// sign-ins.
extension EventFeed {
    /// Reads the news since the subscription's number. Without one the stream
    /// begins at the newest news, because the device asks about all of its
    /// requests after the stream is open.
    ///
    /// Sign-ins are left out: the stream hasn't been bound to an account yet.
    func beginDeviceNews() async throws {
        guard newsNumber != nil else {
            return noteRead(try await ReadingDeviceNews(service.context).newest(of: device))
        }
        try await readDeviceNews { $0.kind != .account }
    }

    /// Reads the news after the last number.
    func readDeviceNews() async throws {
        try await readDeviceNews { _ in true }
    }

    private func readDeviceNews(where isWanted: (DeviceNews) -> Bool) async throws {
        var hasMore = true
        while hasMore, !isOver {
            let page = try await ReadingDeviceNews(service.context)(of: device, after: newsNumber ?? 0)
            // The device's next stream reads the news after a sign-in.
            for news in page.news where isWanted(news) && !isOver { note(news) }
            noteRead(page.last)
            hasMore = page.hasMore
        }
    }

    private func note(_ news: DeviceNews) {
        switch news.kind {
        case .request:
            guard let request = news.request else { return }
            pending.append(.request(requestIdentifier: request.rawValue, number: news.number))
        case .account:
            pending.append(.accountChanged(number: news.number))
            isOver = true
        default:
            break
        }
    }

    private func noteRead(_ number: Int64) {
        newsNumber = number
        service.hub.noteRead(subscription, deviceNews: number)
    }
}
