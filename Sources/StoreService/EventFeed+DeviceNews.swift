// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

/// The news of the stream's device: requests whose answers have changed, and
/// sign-ins.
extension EventFeed {
    /// Reads the first page of the news since the subscription's number.
    /// Without one the stream begins at the newest news, because the device
    /// asks about all of its requests after the stream is open.
    func beginDeviceNews() async throws {
        newsNumberAtBegin = newsNumber
        guard newsNumber != nil else {
            let newest = try await ReadingDeviceNews(service.context).newest(of: device)
            newsNumberAtBegin = newest
            return noteRead(newest)
        }
        try await readDeviceNews()
    }

    /// Reads one page of the news after the last number. ``next()`` reads the
    /// following page when the stream has sent this one, so that a device
    /// that was away for long needs no more memory than another.
    ///
    /// Sign-ins are left out until the events are read: the stream hasn't been
    /// bound to an account yet.
    func readDeviceNews() async throws {
        let page = try await ReadingDeviceNews(service.context)(of: device, after: newsNumber ?? 0)
        // The device's next stream reads the news after a sign-in.
        for news in page.news where !isOver && (hasReadEvents || news.kind != .account) { note(news) }
        noteRead(page.last)
        hasMoreDeviceNews = page.hasMore
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
