// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    struct ContentVersion: Encodable {
        var version: String
        /// Whether customers download it.
        var isLive: Bool
        /// The number of its files.
        var files: Int
        /// The bytes of its files.
        var bytes: Int64
        var published: String
    }

    /// An upload that isn't complete.
    struct ContentUpload: Encodable {
        var version: String
        var received: Int64
        var bytes: Int64
        var touched: String
    }

    struct Content: Encodable {
        /// The version that customers download.
        var live: String?
        var versions: [ContentVersion]
        var uploads: [ContentUpload]
        var next: String?
    }
}

extension ConnectAnswers.ContentVersion {
    init(_ content: HostedContent) {
        self.init(
            version: content.version, isLive: content.isNewest, files: content.files.count,
            bytes: content.files.bytes, published: content.published.iso8601)
    }
}

extension ConnectAnswers.Content {
    init(_ page: HostingTeamContent.Page) {
        self.init(
            live: page.newest?.version, versions: page.versions.map(ConnectAnswers.ContentVersion.init),
            uploads: page.uploads.map { upload in
                ConnectAnswers.ContentUpload(
                    version: upload.version, received: upload.received, bytes: upload.bytes,
                    touched: upload.touched.iso8601)
            }, next: page.next)
    }
}
