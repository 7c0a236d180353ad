// SPDX-License-Identifier: Apache-2.0

/// The secrets that all nodes of a store have in common.
package struct StoreSecrets: Equatable, Sendable {
    /// The bearer token of the remote control.
    package var controlToken: String
    /// The secret that each app's seller sends to `/verifyReceipt` as
    /// password.
    package var sharedSecrets: [BundleIdentifier: String]
    /// The secrets that sellers have made in Connect, by app.
    package var madeSecrets: [BundleIdentifier: String] = [:]
    /// The secrets that sellers have made in Connect for all apps of a team.
    package var masterSecrets: [TeamIdentifier: String] = [:]

    package init(controlToken: String, sharedSecrets: [BundleIdentifier: String] = [:]) {
        self.controlToken = controlToken
        self.sharedSecrets = sharedSecrets
    }

    /// The name of a secret.
    enum Name: Hashable, Sendable {
        case controlToken
        /// The one of `storectl serve --shared-secret`.
        case sharedSecret(BundleIdentifier)
        /// The one that the seller has made in Connect.
        case madeSecret(BundleIdentifier)
        /// The secret of all apps of a team.
        case masterSecret(TeamIdentifier)

        private static let shared = "shared secret of "
        private static let made = "made secret of "
        private static let master = "master secret of "

        /// The name in a row; `nil` for one that this version doesn't know.
        init?(stored: String) {
            if stored == Name.controlToken.stored {
                self = .controlToken
            } else if stored.hasPrefix(Self.shared) {
                self = .sharedSecret(BundleIdentifier(String(stored.dropFirst(Self.shared.count))))
            } else if stored.hasPrefix(Self.made) {
                self = .madeSecret(BundleIdentifier(String(stored.dropFirst(Self.made.count))))
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
            case .madeSecret(let app): Self.made + app.rawValue
            case .masterSecret(let team): Self.master + team.rawValue
            }
        }
    }

    /// The secrets by name; `nil` without a control token.
    init?(_ secrets: [Name: String]) {
        guard let token = secrets[.controlToken] else { return nil }
        controlToken = token
        sharedSecrets = [:]
        for (name, secret) in secrets {
            switch name {
            case .controlToken: break
            case .sharedSecret(let app): sharedSecrets[app] = secret
            case .madeSecret(let app): madeSecrets[app] = secret
            case .masterSecret(let team): masterSecrets[team] = secret
            }
        }
    }

    /// The secrets that the seller of an app of a team has made in Connect.
    func made(for app: BundleIdentifier, in team: TeamIdentifier) -> SharedSecrets {
        SharedSecrets(app: madeSecrets[app], master: masterSecrets[team])
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
