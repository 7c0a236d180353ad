// SPDX-License-Identifier: Apache-2.0

/// Makes the device known to the store under the credentials of the message.
/// Repeating it changes nothing.
package struct RegisterCall: StoreCall, Hashable {
    package static let path = StorePath.register

    package init() {}

    package struct Answer: Codable, Sendable, Hashable {
        /// `Sandbox` or `Production`, by the listener that answered.
        package var environment: String

        package init(environment: String) {
            self.environment = environment
        }
    }
}

/// Signs the device out of its account. What its queue holds of that account
/// is delivered on other devices from then on.
///
/// Repeating it changes nothing: a copy that the network delivers late must
/// not sign out whoever has signed in since.
package struct SignOutCall: StoreCall, Hashable {
    package static let path = StorePath.signOut

    @Limited<RequestIdentifier> package var requestIdentifier: String

    package init(requestIdentifier: String) {
        self.requestIdentifier = requestIdentifier
    }

    package struct Answer: Codable, Sendable, Hashable {
        package init() {}
    }
}
