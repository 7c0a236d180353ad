// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Server-sent events for the open pages: notices that the app's state has
/// changed, and alerts.
@MainActor
final class ServerEvents {
    private static let change = "event: change\ndata: look\n\n"

    private var listeners: [Int: AsyncStream<String>.Continuation] = [:]
    private var count = 0
    /// Alerts that were sent while no page was open. The next page shows
    /// them.
    private var waiting: [Alert] = []
    private var isChangeScheduled = false
    private let heart: any DispatchSourceTimer
    private let encoder = JSONEncoder()

    init() {
        // A regular comment makes the write to a closed page fail, which ends that page's stream.
        heart = DispatchSource.makeTimerSource(queue: .main)
        heart.schedule(deadline: .now() + 15, repeating: 15)
        heart.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.broadcast(": still here\n\n") }
        }
        heart.resume()
    }

    /// The frames for one page, until it is closed.
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
        continuation.yield("retry: 1000\n\n")
        // The state may have changed since the page was rendered.
        continuation.yield(Self.change)
        let alerts = waiting
        waiting = []
        for alert in alerts { send(alert) }
        return stream
    }

    func send(_ alert: Alert) {
        guard !listeners.isEmpty else {
            if !waiting.contains(alert) { waiting.append(alert) }
            return
        }
        guard let data = try? encoder.encode(alert) else { return }
        broadcast("event: alert\ndata: \(String(decoding: data, as: UTF8.self))\n\n")
    }

    /// Shows the progress of a download on the open pages.
    func send(_ progress: DownloadProgress) {
        guard let data = try? encoder.encode(progress) else { return }
        broadcast("event: progress\ndata: \(String(decoding: data, as: UTF8.self))\n\n")
    }

    /// Notifies the pages that the app's state has changed, once for all
    /// changes in one turn of the main queue.
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
