// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A promotional offer that the seller's server has signed for one payment.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; its stored values are immutable.
    private struct Contents {
        var identifier = ""
        var keyIdentifier = ""
        var nonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var signature = ""
        var timestamp = NSNumber(value: 0)
    }

    private let contents: Contents

    /// The offer's identifier.
    open var identifier: String { contents.identifier }
    /// The identifier of the key that made the signature.
    open var keyIdentifier: String { contents.keyIdentifier }
    /// A unique value that the seller's server uses once.
    open var nonce: UUID { contents.nonce }
    /// The signature: base64 of an ECDSA signature in DER.
    open var signature: String { contents.signature }
    /// The time of the signature, in milliseconds since 1970.
    open var timestamp: NSNumber { contents.timestamp }

    /// Makes an offer with the signature of the seller's server.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        contents = Contents(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp)
        super.init()
    }

    /// An empty offer, for test doubles to derive from.
    public override init() {
        contents = Contents()
        super.init()
    }
}
