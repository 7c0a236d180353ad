// SPDX-License-Identifier: Apache-2.0

/// The secrets that all nodes of a store have in common.
package struct StoreSecrets: Equatable, Sendable {
    /// The bearer token of the remote control.
    package var controlToken: String
    /// The secret that each app's seller sends to `/verifyReceipt` as
    /// password.
    package var sharedSecrets: [BundleIdentifier: String]

    package init(controlToken: String, sharedSecrets: [BundleIdentifier: String] = [:]) {
        self.controlToken = controlToken
        self.sharedSecrets = sharedSecrets
    }

    /// The name of a secret.
    enum Name: Hashable, Sendable {
        case controlToken
        case sharedSecret(BundleIdentifier)
        /// The secret of all apps of a team.
        case masterSecret(TeamIdentifier)

        private static let shared = "shared secret of "
        private static let master = "master secret of "

        /// The name in a row; `nil` for one that this version doesn't know.
        init?(stored: String) {
            if stored == Name.controlToken.stored {
                self = .controlToken
            } else if stored.hasPrefix(Self.shared) {
                self = .sharedSecret(BundleIdentifier(String(stored.dropFirst(Self.shared.count))))
            } else if stored.hasPrefix(Self.master) {
                self = .masterSecret(TeamIdentifier(String(stored.dropFirst(Self.master.count))))
            } else {
                return nil
            }
        }

        /// The form in a row.
        var stored: String {
            switch self {
            case .controlToken: "control token"
            case .sharedSecret(let app): Self.shared + app.rawValue
            case .masterSecret(let team): Self.master + team.rawValue
            }
        }
    }

    /// The secrets by name; `nil` without a control token.
    init?(_ secrets: [Name: String]) {
        guard let token = secrets[.controlToken] else { return nil }
        controlToken = token
        sharedSecrets = secrets.reduce(into: [:]) { found, secret in
            if case .sharedSecret(let app) = secret.key { found[app] = secret.value }
        }
    }
}

/// The secrets that a start of a node adds, replaces and removes.
struct StoreSecretsChange {
    var saved: [StoreSecrets.Name: String]
    var removed: [StoreSecrets.Name]

    /// Compares the secrets in the database with those that are wanted.
    /// `token` is the control token of a store that has none yet.
    init(
        of found: [StoreSecrets.Name: String], token: @autoclosure () -> String, setting: [BundleIdentifier: String],
        removing: Set<BundleIdentifier>
    ) {
        var wanted = Dictionary(uniqueKeysWithValues: setting.map { (StoreSecrets.Name.sharedSecret($0), $1) })
        if found[.controlToken] == nil { wanted[.controlToken] = token() }
        saved = wanted.filter { found[$0.key] != $0.value }
        removed = removing.map { .sharedSecret($0) }.filter { found[$0] != nil }
    }

    var isEmpty: Bool { saved.isEmpty && removed.isEmpty }
}
