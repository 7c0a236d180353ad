// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent

/// Requests a new receipt. The customer may have to sign in.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?

    /// The properties that the request was made with.
    open var receiptProperties: [String: Any]? { properties }

    /// Makes a request for a receipt without test properties.
    public override init() {
        properties = nil
        super.init()
    }

    /// Makes a request for a receipt with properties for tests in the sandbox.
    ///
    /// An expired receipt has an expiration date in the past. A revoked
    /// receipt expires at its creation date, and all its purchases are
    /// cancelled. A volume purchase receipt has the type of such receipts.
    /// Other keys are stored without effect. In production no key has an
    /// effect.
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

    /// The properties for the store. A value is a Boolean, or the number that
    /// represents one in Objective-C.
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
