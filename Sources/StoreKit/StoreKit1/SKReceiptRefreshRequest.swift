// SPDX-License-Identifier: Apache-2.0

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
    /// The properties are kept and not sent: this store issues no expired,
    /// revoked or volume receipts on request.
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
        super.init()
    }

    /// Sends the request. Starting a running request changes nothing.
    open override func start() {
        begin { agent in
            try await agent.refreshReceipt()
        } answered: { _, _ in
        }
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
