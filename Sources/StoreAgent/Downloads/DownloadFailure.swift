// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Why a download has failed. `SKDownload` shows it to the app as an error.
package struct DownloadFailure: Sendable, Hashable, Codable {
    /// The reason. The journal stores the raw value; a value without a
    /// constant here is kept as it is.
    package struct Reason: RawRepresentable, Sendable, Hashable, Codable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Reads a text.
        ///
        /// - Throws: `DecodingError` when the value isn't a string.
        package init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(String.self)
        }

        /// Writes the text.
        ///
        /// - Throws: `EncodingError`.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }

        /// The customer doesn't own the product any more: it was refunded, for
        /// example.
        package static let notOwned = Reason(rawValue: "not-owned")
        /// The store hosts no content for the product any more.
        package static let notAvailable = Reason(rawValue: "not-available")
        /// The bytes aren't those that the store has announced, also after a
        /// second transfer.
        package static let damaged = Reason(rawValue: "damaged")
        /// The disk is full. The files so far are kept.
        package static let diskFull = Reason(rawValue: "disk-full")
        /// The app may not write to the folder of caches.
        package static let notPermitted = Reason(rawValue: "not-permitted")
        /// A file can't be written for another reason.
        package static let file = Reason(rawValue: "file")
        /// The store refuses the download for another reason.
        package static let refused = Reason(rawValue: "refused")
    }

    package var reason: Reason
    /// A sentence for the developer, with the remedy if one is known.
    package var message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}

extension DownloadFailure {
    /// The failure for an error of the file system.
    init(_ error: AgentError) {
        switch error.systemError {
        case ENOSPC, EDQUOT:
            self.init(.diskFull, "The disk is full: resume the download later, or cancel it. \(error.message)")
        case EACCES, EPERM, EROFS:
            self.init(.notPermitted, "The folder of caches can't be written. Check XDG_CACHE_HOME. \(error.message)")
        default:
            self.init(.file, error.message)
        }
    }
}
