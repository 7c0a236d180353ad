// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreKit
import Synchronization

extension SKTestSession {
    /// The failure that the session simulates of a function; `nil` without one.
    public func simulatedError<API>(forAPI api: API) async -> API.Failure? where API: FailableStoreKitAPI {
        SimulatedAPI(API.self).flatMap { settings.simulated[$0] }.flatMap { API.Failure(_fromErrorCode: $0) }
    }

    /// Lets a function of StoreKit 2 fail from now on, until `nil` is set or the
    /// session is reset. Calls that have begun aren't changed.
    ///
    /// - Throws: ``SKTestError`` `invalidAction` for a function that StoreKitTest
    ///   doesn't have.
    public func setSimulatedError<API>(_ error: API.Failure?, forAPI api: API) async throws
    where API: FailableStoreKitAPI {
        guard let function = SimulatedAPI(API.self) else {
            throw SKTestError(.invalidAction, message: "A session can't simulate a failure of \(API.self).")
        }
        simulate(error?._errorCode, of: function)
    }

    /// Records a failure to simulate, which changes nothing in the store.
    private func simulate(_ failure: _SKTestFailureCode?, of function: SimulatedAPI) {
        shared.state.withLock { $0.settings.simulated[function] = failure }
    }
}

extension VerificationResult<Any>.VerificationError {
    /// The reason as the device's agent names it.
    var signed: SignedFailure {
        switch self {
        case .revokedCertificate: .revokedCertificate
        case .invalidCertificateChain: .invalidCertificateChain
        case .invalidDeviceVerification: .invalidDeviceVerification
        case .invalidEncoding: .invalidEncoding
        case .invalidSignature: .invalidSignature
        case .missingRequiredProperties: .missingRequiredProperties
        }
    }
}
