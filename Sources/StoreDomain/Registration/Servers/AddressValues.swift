// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The values of the form of a notification address in Connect.
package struct AddressValues: Sendable {
    /// Without the spaces around it.
    package var url: String
    /// `1` or `2`.
    package var version: String
    /// `Sandbox` or `Production`.
    package var environment: String

    package init(url: String, version: String, environment: String) {
        self.url = url.trimmingWhitespace()
        self.version = version
        self.environment = environment
    }

    /// The address of an app of a team.
    ///
    /// A team that isn't the operator's has the addresses of production in the
    /// sandbox too: it can't send to the operator's computer.
    ///
    /// - Throws: ``InvalidFields``.
    func address(
        of app: BundleIdentifier, in team: TeamIdentifier
    ) throws -> (environment: StoreEnvironment, address: NotificationAddress) {
        var checks = FieldChecks()
        let environment = StoreEnvironment.all.first { $0.rawValue == self.environment }
        if environment == nil { checks.add("environment", .unknown) }
        let version = Int64(version).flatMap(NotificationVersion.init)
        if version == nil { checks.add("version", .unknown) }
        let reach = NotificationReach(of: team)
        let address = try? NotificationAddress(
            url, of: app, in: reach == .internet ? .production : environment ?? .production)
        if url.isEmpty {
            checks.add("url", .missing)
        } else if url.utf8.count > NotificationAddress.longest {
            checks.add("url", .tooLong, limit: NotificationAddress.longest)
        } else if address == nil {
            checks.add("url", .malformed)
        }
        try checks.finish()
        guard var address, let version, let environment else { throw InvalidFields(problems: []) }
        address.version = version
        address.reach = reach
        return (environment, address)
    }
}

extension NotificationAddress {
    /// The words of the log.
    func logged(in environment: StoreEnvironment) -> String {
        "\(environment.rawValue), version \(version.rawValue): \(url)"
    }
}
