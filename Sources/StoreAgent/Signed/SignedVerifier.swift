// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Crypto
package import Foundation
import Synchronization

/// Verifies signed values of the store for this device and app.
///
/// The verdict depends on the value, the root certificates and the store's
/// environment only: the certificates have to be valid at the date of signing.
final class SignedVerifier: Sendable {
    private let roots: @Sendable () throws -> [Data]
    private let bundleIdentifier: String
    /// A UUID in lower case.
    private let device: String
    /// The verifier of the root certificates that were read last, which knows
    /// the chains and the values that it has verified.
    private let last = Mutex<(roots: [Data], verifier: CachingVerifier)?>(nil)
    /// The environment of the store; `nil` while the device doesn't know it.
    private let environment = Mutex<PayloadEnvironment?>(nil)

    /// A verifier.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: The app.
    ///   - device: The device's identifier.
    ///   - roots: Reads the root certificates, each as DER; none when there is
    ///     no file of them. It throws when the file can't be read.
    init(bundleIdentifier: String, device: Data, roots: @escaping @Sendable () throws -> [Data]) {
        self.roots = roots
        self.bundleIdentifier = bundleIdentifier
        self.device = UUID(deviceIdentifier: device)?.uuidString.lowercased() ?? ""
    }

    /// Verifies a value. Without root certificates, no chain is trusted.
    func verdict<Payload: DevicePayload>(_ signed: String, as type: Payload.Type) -> SignedVerdict<Payload> {
        let (payload, refusals): (Payload, [JWSVerifier.Refusal])
        do {
            (payload, refusals) = try verifier().verify(
                signed, of: bundleIdentifier, in: environment.withLock { $0 })
        } catch {
            return SignedVerdict(signed: signed, payload: nil, failure: .invalidEncoding)
        }
        var failure = SignedFailure(refusals)
        if failure == nil, !Payload.required.allSatisfy({ payload.members[$0].map { $0 != .null } ?? false }) {
            failure = .missingRequiredProperties
        }
        if failure == nil, !isBound(payload) { failure = .invalidDeviceVerification }
        return SignedVerdict(signed: signed, payload: payload, failure: failure)
    }

    /// Reads a value without verifying it; `nil` when it can't be read.
    func unverified<Payload: SignedPayload>(_ signed: String, as type: Payload.Type) -> Payload? {
        try? verifier().payload(signed)
    }

    private func isBound(_ payload: some DevicePayload) -> Bool {
        guard let nonce = payload.nonce, UUID(uuidString: nonce) != nil, let value = payload.verification else {
            return false
        }
        let expected = SHA384.hash(data: Data((nonce.lowercased() + device).utf8))
        return Data(base64Encoded: value) == Data(expected)
    }

    /// Requires an environment of later values, or any.
    func require(_ environment: PayloadEnvironment?) {
        self.environment.withLock { $0 = environment }
    }

    /// Reads the root certificates again. It blocks the thread for a file.
    ///
    /// While the file can't be read, those that were read last stay trusted:
    /// all entitlements would go otherwise.
    func readRoots() {
        guard let certificates = try? roots() else { return }
        last.withLock { last in
            guard last?.roots != certificates else { return }
            last = (certificates, CachingVerifier(roots: certificates))
        }
    }

    private func verifier() -> CachingVerifier {
        if let verifier = last.withLock({ $0?.verifier }) { return verifier }
        readRoots()
        return last.withLock { $0?.verifier } ?? CachingVerifier(roots: [])
    }
}

/// A payload that the store signs for one device.
protocol DevicePayload: SignedPayload {
    /// The fields without which an app can't use the payload.
    static var required: [String] { get }
    /// The nonce of the binding to the device.
    var nonce: String? { get }
    /// The binding to the device, in base64.
    var verification: String? { get }
}

extension TransactionPayload: DevicePayload {
    static var required: [String] {
        [
            "transactionId", "originalTransactionId", "productId", "bundleId", "purchaseDate", "originalPurchaseDate",
            "type", "environment", "inAppOwnershipType", "deviceVerification", "deviceVerificationNonce",
        ]
    }
    var nonce: String? { self.deviceVerificationNonce }
    var verification: String? { self.deviceVerification }
}

extension RenewalInfoPayload: DevicePayload {
    static var required: [String] {
        [
            "originalTransactionId", "productId", "autoRenewStatus", "environment", "deviceVerification",
            "deviceVerificationNonce",
        ]
    }
    var nonce: String? { self.deviceVerificationNonce }
    var verification: String? { self.deviceVerification }
}

extension AppTransactionPayload: DevicePayload {
    static var required: [String] {
        [
            "bundleId", "applicationVersion", "originalApplicationVersion", "originalPurchaseDate", "receiptType",
            "deviceVerification", "deviceVerificationNonce",
        ]
    }
    var nonce: String? { self.deviceVerificationNonce }
    var verification: String? { self.deviceVerification }
}

extension UUID {
    /// The device's identifier as a UUID (`AppStore.deviceVerificationID`);
    /// `nil` unless it has 16 bytes.
    package init?(deviceIdentifier: Data) {
        guard deviceIdentifier.count == 16 else { return nil }
        let bytes = Array(deviceIdentifier)
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
