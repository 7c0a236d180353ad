// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

/// The shared secrets that sellers send to `/verifyReceipt` for an app.
package struct SharedSecrets: Hashable, Sendable {
    /// The secret of the app alone.
    package var app: String?
    /// The master secret of its team, which holds for all its apps.
    package var master: String?

    /// An owner of a shared secret.
    package enum Owner: String, CaseIterable, Sendable {
        case app, master
    }

    package init(app: String? = nil, master: String? = nil) {
        self.app = app
        self.master = master
    }

    /// The secret of an owner.
    package subscript(_ owner: Owner) -> String? {
        switch owner {
        case .app: app
        case .master: master
        }
    }

    /// Whether there is no secret, neither of the app nor of its team. If one
    /// exists, a request about a subscription needs it.
    package var isEmpty: Bool { app == nil && master == nil }

    /// Whether a password is one of the secrets. The time doesn't depend on
    /// the place of a difference.
    package func contains(_ password: String) -> Bool {
        let typed = Data(password.utf8)
        return [app, master].reduce(false) { found, secret in
            let isEqual = secret.map { Data($0.utf8).equalsInConstantTime(typed) } ?? false
            return isEqual || found
        }
    }

    /// A text that differs for each secret of an owner, and doesn't reveal it;
    /// empty without a secret. A form has it.
    package func version(of owner: Owner) -> String {
        guard let secret = self[owner] else { return "" }
        return Data(SHA256.hash(data: Data("shared secret \(secret)".utf8)).prefix(8)).hexadecimal
    }
}
