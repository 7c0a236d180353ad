// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Why a download from a seller's server wasn't started or has failed.
package struct BackgroundFileFailure: Error, Sendable, Hashable, Codable {
    /// The reason, which the journal stores as a text.
    package enum Reason: String, Sendable, Hashable, Codable {
        case request, refused, redirect, answer, file, lost
        case identifierInUse = "identifier-in-use"
        case tooMany = "too-many"
        case tooLarge = "too-large"
        case timeLimit = "time-limit"
        case diskFull = "disk-full"
    }

    package var reason: Reason
    /// A sentence for the developer, with the remedy.
    package var message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}

extension BackgroundFileFailure {
    /// The file of a finished download isn't there.
    static let lost = BackgroundFileFailure(
        .lost,
        """
        The file isn't in the device's caches any more. Start the download again to transfer it anew, or acknowledge \
        it if the app has moved the file.
        """)

    /// The failure for an error of the file system.
    init(_ error: AgentError) {
        switch error.systemError {
        case ENOSPC, EDQUOT:
            self.init(
                .diskFull,
                "The disk is full, and the bytes so far are kept: start the download again later. \(error.message)")
        default:
            self.init(.file, "Check XDG_CACHE_HOME, and start the download again. \(error.message)")
        }
    }
}
