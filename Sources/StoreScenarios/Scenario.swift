// SPDX-License-Identifier: Apache-2.0

package import AppReceipts

/// A script that a store plays, with its expectations.
package struct Scenario: Sendable, Equatable {
    /// The name of it in reports.
    package var name: String
    /// The reason why sellers test it, in a sentence.
    package var why: String
    /// The app that sells the products.
    package var bundleIdentifier: String
    /// The products, as a StoreKit configuration file of Xcode has them: a path
    /// that is relative to the scenario's file.
    package var configuration: String
    package var steps: [ScenarioStep]
}

/// One step of a scenario.
package struct ScenarioStep: Sendable, Equatable {
    /// The action of a step.
    package enum Action: Sendable, Equatable {
        /// A call of the remote control, by its name.
        case call(String, JSONValue)
        /// Time passes for an account, until everything that falls due has
        /// happened.
        case advance(email: String, by: String)
        /// The seller's server answers with these statuses from now on, the last
        /// one for good.
        case receiver([Int])
        /// The seller's server sends a request of the App Store Server API.
        case server(ServerRequest)
        /// The seller's server has received these notifications since the last
        /// such step, and no others.
        case notifications([ExpectedNotification])
    }

    /// The line of the step in its file, from 1.
    package var line: Int
    package var action: Action
    /// The name of the answer, for later steps.
    package var name: String?
    /// The values that the answer has.
    package var gives: JSONValue?
    /// The code of the refusal that the store answers with.
    package var fails: String?
}

/// A notification that a step expects.
package struct ExpectedNotification: Sendable, Equatable {
    /// The type, with the subtype after a slash if it has one, as in
    /// `DID_RENEW/BILLING_RECOVERY`.
    package var kind: String
    /// The values that its decoded payload has: that of the notification, with
    /// those of its transaction and renewal in `data.transaction` and
    /// `data.renewal`.
    package var payload: JSONValue?
    /// Whether the certificate that has signed it isn't that of the notification
    /// before; `nil` for any certificate.
    package var hasNewCertificate: Bool?
}

/// A request of a seller's server.
package struct ServerRequest: Sendable, Equatable {
    /// `GET`, `PUT` or `POST`.
    package var method: String
    /// The path with its query. A part of it that begins with `$` stands for a
    /// part of an earlier answer.
    package var path: String
    package var body: JSONValue?
}
