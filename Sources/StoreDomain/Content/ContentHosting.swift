// SPDX-License-Identifier: Apache-2.0

/// The operator's settings of hosted content.
package struct ContentHosting: Sendable {
    /// The folder or bucket with the bytes.
    package var storage: any ContentStorage
    /// The bytes that the content of one app may have, with its uploads.
    package var quota: Int64
    /// Whether devices download from the storage itself, if it has addresses.
    package var redirects: Bool
    /// The folder of this machine in which packages of Connect's page are kept
    /// until they are complete; `nil` for the system's temporary folder.
    package var incoming: String?

    /// 20 GB.
    package static let quota: Int64 = 20_000_000_000

    /// The content of all apps of a team has as many bytes as this number of
    /// apps may have. The operator's team has no limit.
    package static let appsOfATeam: Int64 = 5

    package init(storage: any ContentStorage, quota: Int64 = Self.quota, redirects: Bool = false) {
        self.storage = storage
        self.quota = quota
        self.redirects = redirects
    }
}
