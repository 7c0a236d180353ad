// SPDX-License-Identifier: Apache-2.0

package import AppReceipts

/// The store that plays scenarios, and the seller's server that receives its
/// notifications.
package protocol ScenarioStore: Sendable {
    /// Sends a call of the remote control.
    ///
    /// - Throws: ``ScenarioFailure`` when there is no answer of the store.
    func call(_ name: String, _ body: JSONValue) async throws -> ScenarioAnswer

    /// Sends a request of the App Store Server API with a key of the store. The
    /// code of a refusal is Apple's number.
    ///
    /// - Throws: ``ScenarioFailure`` when there is no answer of the store.
    func send(_ request: ServerRequest) async throws -> ScenarioAnswer

    /// Lets time pass for an account, and returns when nothing is due any more.
    ///
    /// - Throws: ``ScenarioFailure``.
    func advance(_ email: String, by duration: String) async throws

    /// Sets the statuses of the seller's server for the next notifications, the
    /// last of which stays.
    func setReceiver(_ statuses: [Int]) async

    /// The decoded notifications that have arrived since the last call of this
    /// function, when the store has sent all that are due. Each has the
    /// certificate that has signed it in `certificate`.
    ///
    /// - Throws: ``ScenarioFailure``, also for one with a wrong signature.
    func notifications() async throws -> [JSONValue]
}

/// The answer of a store to a call.
package enum ScenarioAnswer: Sendable, Equatable {
    case value(JSONValue)
    /// The stable code of a refusal, and its sentence.
    case refusal(code: String, message: String)
}
