// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Asks the customer to rate the app.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(visionOS, deprecated: 2.0)
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; it stores nothing.

    /// Tells standard error that the app has asked for a review: this store
    /// collects none. Apple's doesn't ask each time either, and never says
    /// whether it did.
    @available(iOS, deprecated: 14.0)
    open class func requestReview() {
        AgentHost.say("The app has asked for a review; this store collects none.")
    }

    /// Nothing to hold; the class has only a class method.
    public override init() {
        super.init()
    }
}
