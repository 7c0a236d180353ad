// SPDX-License-Identifier: Apache-2.0

/// Registers the device with the store, under the credentials of the message.
/// Repeating it changes nothing.
package struct RegisterCall: StoreCall, Hashable {
    package static let path = StorePath.register

    package init() {}

    /// The environment in which the device is registered.
    package struct Answer: Codable, Sendable, Hashable {
        /// `Sandbox` or `Production`: the environment of the listener that
        /// answered.
        package var environment: String

        package init(environment: String) {
            self.environment = environment
        }
    }
}

/// Signs the device out of its account. The unfinished transactions of that
/// account stay in the device's queue, and are delivered when the account is
/// signed in on the device again.
///
/// Repeating it with the same request identifier changes nothing, so that a
/// copy that the network delivers late doesn't sign out an account that has
/// signed in since.
package struct SignOutCall: StoreCall, Hashable {
    package static let path = StorePath.signOut

    @Limited<RequestIdentifierText> package var requestIdentifier: String

    package init(requestIdentifier: String) {
        self.requestIdentifier = requestIdentifier
    }

    /// An empty answer: the sign-out is recorded.
    package struct Answer: Codable, Sendable, Hashable {
        package init() {}
    }
}
