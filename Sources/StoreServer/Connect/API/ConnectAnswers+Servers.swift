// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    /// A notification address of an app.
    struct Address: Encodable {
        /// The name in paths, which follows from the URL and the environment.
        var address: String
        var url: String
        var version: Int64
        var environment: String
    }

    struct Addresses: Encodable {
        var addresses: [Address]
    }

    /// The shared secrets that `/verifyReceipt` accepts for an app.
    struct Secrets: Encodable {
        var app: String?
        var master: String?
    }
}

extension ConnectAnswers.Address {
    init(_ found: FoundAddress) {
        self.init(
            address: found.identifier, url: found.address.url, version: found.address.version.rawValue,
            environment: found.environment.rawValue)
    }
}

extension ConnectAnswers.Secrets {
    init(_ secrets: SharedSecrets) {
        self.init(app: secrets.app, master: secrets.master)
    }
}
