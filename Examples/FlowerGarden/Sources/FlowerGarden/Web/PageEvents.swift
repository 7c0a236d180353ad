// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Server-sent events for the open pages: notices that the app's state has
/// changed.
@MainActor
final class PageEvents {
    private static let change = "event: change\ndata: look\n\n"

    private var pages: [AsyncStream<String>.Continuation] = []
    private let heart = DispatchSource.makeTimerSource(queue: .main)

    init() {
        // A regular comment makes the write to a closed page fail, which ends that page's stream.
        heart.schedule(deadline: .now() + 15, repeating: 15)
        heart.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.send(": still here\n\n") }
        }
        heart.resume()
    }

    /// The frames for one page, until it is closed or the app ends.
    func listen() -> AsyncStream<String> {
        let (stream, page) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(64))
        pages.append(page)
        // The state may have changed since the page was rendered.
        page.yield("retry: 1000\n\n" + Self.change)
        return stream
    }

    /// Notifies the pages. A page that loads already loads once more after that.
    func sendChange() { send(Self.change) }

    private func send(_ frame: String) {
        pages.removeAll { page in
            if case .terminated = page.yield(frame) { true } else { false }
        }
    }
}
