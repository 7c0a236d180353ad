// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

extension BackgroundDownload {
    /// A request for a file of the seller's server.
    public struct Request: Sendable, Hashable {
        /// Identifies the download to the app: 1 to 200 bytes of UTF-8.
        public var id: String
        /// The address: `https`, or `http` to this machine (`localhost`,
        /// `127.0.0.1`, `[::1]`), at most 8,000 bytes.
        public var url: URL
        /// The header fields to send, at most 32 and 16,000 bytes. They are
        /// sent to the address' origin only, not to another one that it
        /// redirects to. They are saved in the device's folder, which only its
        /// user can read.
        public var fields: [String: String]
        /// The time after which the download fails when it isn't complete, at
        /// least a second and at most 30 days.
        public var timeLimit: Duration

        /// Makes a request, by default with a time limit of seven days.
        public init(
            id: String, url: URL, fields: [String: String] = [:], timeLimit: Duration = .seconds(7 * 24 * 3600)
        ) {
            self.id = id
            self.url = url
            self.fields = fields
            self.timeLimit = timeLimit
        }

        /// The request, if it can be sent.
        var accepted: BackgroundFileRequest {
            get throws {
                try BackgroundDownloadError.rethrowing {
                    try BackgroundFileRequest(
                        identifier: id, address: url.absoluteString, fields: fields, timeLimit: timeLimit)
                }
            }
        }
    }
}
