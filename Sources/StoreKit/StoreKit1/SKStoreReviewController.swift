// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Requests a rating or a review of the app from the customer.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(visionOS, deprecated: 2.0)
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; it stores nothing.

    /// Writes a line to standard error: this store collects no reviews.
    /// Apple's doesn't show its dialog on each call either, and never reports
    /// whether it did.
    @available(iOS, deprecated: 14.0)
    open class func requestReview() {
        AgentHost.say("The app has asked for a review; this store collects none.")
    }

    /// Makes an object without state; the class has only a class method.
    public override init() {
        super.init()
    }
}
