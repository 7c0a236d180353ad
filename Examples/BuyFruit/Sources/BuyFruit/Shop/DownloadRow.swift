// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// The download of a product as the pages show it.
struct DownloadRow: Encodable, Sendable {
    /// A button on the download.
    struct Button: Encodable, Sendable {
        var action: String
        var verb: String
        var label: String
        var identifier: String
    }

    var state: String
    var percent: Int
    /// A sentence about the state, such as `45 % of 200 MB, 30 seconds left`.
    var text: String
    var showsBar: Bool
    var buttons: [Button]

    init(_ download: SKDownload, title: String) {
        let progress = Int(download.progress * 100)
        percent = progress
        showsBar = [.waiting, .active, .paused].contains(download.state)
        let actions: [DownloadAction]
        switch download.state {
        case .waiting:
            (state, actions) = ("waiting", [.cancel])
            text = "Waiting to download \(Self.size(download))"
        case .active:
            (state, actions) = ("active", [.pause, .cancel])
            text = "\(progress) % of \(Self.size(download))" + Self.remaining(download.timeRemaining)
        case .paused:
            (state, actions) = ("paused", [.resume, .cancel])
            text = "Paused at \(progress) % of \(Self.size(download))"
        case .failed:
            (state, actions) = ("failed", [.resume, .cancel])
            text = download.error?.localizedDescription ?? "The download has failed."
        case .cancelled:
            (state, actions) = ("cancelled", [.start])
            text = "Not downloaded"
        case .finished:
            (state, actions) = ("finished", [])
            text = "Downloaded"
        }
        buttons = actions.map { action in
            let verb = Self.verbs[action] ?? ""
            return Button(
                action: action.rawValue, verb: verb, label: "\(verb) the download of \(title)",
                identifier: download.contentIdentifier)
        }
    }

    private static let verbs: [DownloadAction: String] = [
        .start: "Download", .pause: "Pause", .resume: "Resume", .cancel: "Cancel",
    ]

    private static func size(_ download: SKDownload) -> String {
        let bytes = Double(download.expectedContentLength)
        let (value, unit) = bytes < 1_000_000 ? (bytes / 1_000, "KB") : (bytes / 1_000_000, "MB")
        return "\(max(1, Int(value.rounded()))) \(unit)"
    }

    private static func remaining(_ seconds: TimeInterval) -> String {
        guard seconds != SKDownloadTimeRemainingUnknown else { return "" }
        let (number, unit) = seconds < 90 ? (Int(seconds.rounded(.up)), "second") : (Int(seconds / 60) + 1, "minute")
        return ", \(number) \(unit)\(number == 1 ? "" : "s") left"
    }
}

/// The progress of a download, for an open page.
struct DownloadProgress: Encodable, Sendable {
    var name: String
    var percent: Int
    var text: String
}
