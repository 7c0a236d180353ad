// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Server-sent events for the open pages: notices that the app's state has
/// changed.
@MainActor
final class PageEvents {
    private static let change = "event: change\ndata: look\n\n"

    private var listeners: [Int: AsyncStream<String>.Continuation] = [:]
    private var count = 0
    private var isChangeScheduled = false
    private let heart: any DispatchSourceTimer

    init() {
        // A regular comment makes the write to a closed page fail, which ends that page's stream.
        heart = DispatchSource.makeTimerSource(queue: .main)
        heart.schedule(deadline: .now() + 15, repeating: 15)
        heart.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.broadcast(": still here\n\n") }
        }
        heart.resume()
    }

    /// The frames for one page, until it is closed or the app ends.
    func listen() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(64))
        count += 1
        let number = count
        listeners[number] = continuation
        continuation.onTermination = { _ in
            DispatchQueue.main.async {
                MainActor.assumeIsolated { [weak self] in _ = self?.listeners.removeValue(forKey: number) }
            }
        }
        // The state may have changed since the page was rendered.
        continuation.yield("retry: 1000\n\n" + Self.change)
        return stream
    }

    /// Notifies the pages, once for all changes in one turn of the main queue.
    func sendChange() {
        guard !isChangeScheduled else { return }
        isChangeScheduled = true
        DispatchQueue.main.async {
            MainActor.assumeIsolated { [weak self] in
                self?.isChangeScheduled = false
                self?.broadcast(Self.change)
            }
        }
    }

    private func broadcast(_ frame: String) {
        for listener in listeners.values { listener.yield(frame) }
    }
}
