// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import StoreAPI
internal import StoreAgent

/// Asks for a new receipt. The customer may be asked to sign in.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?

    /// The properties that the request was made with.
    open var receiptProperties: [String: Any]? { properties }

    /// A request for the receipt as it is.
    public override init() {
        properties = nil
        super.init()
    }

    /// A request for a receipt with properties of the sandbox's.
    ///
    /// An expired receipt has an expiration date in the past; in a revoked
    /// one that is its creation date, and every purchase is cancelled; one of
    /// volume purchase says so in its type. Other keys are kept and mean
    /// nothing, as do all of them in production.
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
        super.init()
    }

    /// Sends the request. Starting a running request changes nothing.
    open override func start() {
        let properties = wanted
        begin { agent in
            try await agent.refreshReceipt(properties)
        } answered: { _, _ in
        }
    }

    /// What the store is asked for: a Boolean, or the number that stands for
    /// one in Objective-C.
    var wanted: ReceiptProperties? {
        guard let properties = receiptProperties else { return nil }
        func isSet(_ name: String) -> Bool {
            properties[name] as? Bool ?? (properties[name] as? NSNumber)?.boolValue ?? false
        }
        return ReceiptProperties(
            isExpired: isSet(SKReceiptPropertyIsExpired), isRevoked: isSet(SKReceiptPropertyIsRevoked),
            isVolumePurchase: isSet(SKReceiptPropertyIsVolumePurchase))
    }
}

/// Receipt property: whether the receipt is expired. A Boolean.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
public let SKReceiptPropertyIsExpired = "expired"
/// Receipt property: whether the receipt is revoked. A Boolean.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
public let SKReceiptPropertyIsRevoked = "revoked"
/// Receipt property: whether it is a receipt of the volume purchase
/// programme. A Boolean.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
public let SKReceiptPropertyIsVolumePurchase = "vpp"
