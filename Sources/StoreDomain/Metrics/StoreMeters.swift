// SPDX-License-Identifier: Apache-2.0

package import Metrics

/// The counters of a store's use cases.
///
/// Each counter is made once, with the store. To count is an atomic addition:
/// no lock is taken and no text is made.
package struct StoreMeters: Sendable {
    /// The names of the counters, as in `docs/metrics.md`.
    package enum Name {
        package static let purchases = "openstorekit_purchases_total"
        package static let declines = "openstorekit_declines_total"
        package static let refunds = "openstorekit_refunds_total"
        package static let refundReversals = "openstorekit_refund_reversals_total"
        package static let signatures = "openstorekit_signatures_total"
        package static let contentBytes = "openstorekit_content_bytes_sent_total"
        package static let contentRedirects = "openstorekit_content_redirects_total"
        package static let contentUploads = "openstorekit_content_uploads_total"
        package static let bucketRequests = "openstorekit_bucket_requests_total"
        package static let notificationAttempts = "openstorekit_notification_attempts_total"
        package static let droppedSignals = "openstorekit_event_signals_dropped_total"
    }

    /// The forms of receipt that a store signs.
    enum Signature: String, CaseIterable {
        case receipt
        case transactionReceipt = "transaction_receipt"
        /// Signed transactions and renewals for sellers' servers.
        case jws
    }

    /// The ends of an upload of content.
    enum Upload: String, CaseIterable {
        case published, refused
        /// It wasn't continued.
        case abandoned
    }

    /// The results of a request to the bucket with hosted content.
    package enum BucketResult: String, CaseIterable, Sendable {
        case answered
        /// It failed, and is sent again.
        case repeated
        /// It failed, and isn't sent again.
        case failed
    }

    private let sales: [SaleTally.Change: [Product.Kind: Counter]]
    private let otherSales: [SaleTally.Change: Counter]
    private let signatures: [Signature: Counter]
    private let contentBytes: Counter
    private let contentRedirects: Counter
    private let contentUploads: [Upload: Counter]
    private let bucketRequests: [BucketResult: Counter]
    private let notificationAttempts: [NotificationResult: Counter]
    private let droppedSignals: Counter

    /// Makes the counters of an environment's store.
    package init(_ factory: any MetricsFactory, environment: StoreEnvironment) {
        func counter(_ name: String, _ dimensions: [(String, String)] = []) -> Counter {
            Counter(label: name, dimensions: dimensions, factory: factory)
        }
        func sale(_ change: SaleTally.Change, _ kind: String) -> Counter {
            counter(change.name, [("environment", environment.rawValue.lowercased()), ("kind", kind)])
        }
        sales = Dictionary(
            uniqueKeysWithValues: SaleTally.Change.allCases.map { change in
                (change, Self.kinds.mapValues { sale(change, $0) })
            })
        otherSales = Dictionary(uniqueKeysWithValues: SaleTally.Change.allCases.map { ($0, sale($0, "other")) })
        signatures = Dictionary(
            uniqueKeysWithValues: Signature.allCases.map { ($0, counter(Name.signatures, [("form", $0.rawValue)])) })
        contentBytes = counter(Name.contentBytes)
        contentRedirects = counter(Name.contentRedirects)
        bucketRequests = Dictionary(
            uniqueKeysWithValues: BucketResult.allCases.map {
                ($0, counter(Name.bucketRequests, [("result", $0.rawValue)]))
            })
        contentUploads = Dictionary(
            uniqueKeysWithValues: Upload.allCases.map { ($0, counter(Name.contentUploads, [("result", $0.rawValue)])) })
        notificationAttempts = Dictionary(
            uniqueKeysWithValues: NotificationResult.allCases.map {
                ($0, counter(Name.notificationAttempts, [("result", $0.rawValue.lowercased())]))
            })
        droppedSignals = counter(Name.droppedSignals)
    }

    /// The values of the label `kind`. A catalogue may have a kind that isn't
    /// in this list; it is counted as `other`, so that the number of series
    /// has a limit.
    private static let kinds: [Product.Kind: String] = [
        .consumable: "consumable", .nonConsumable: "non_consumable", .nonRenewing: "non_renewing",
        .autoRenewable: "auto_renewable",
    ]

    /// Counts the changes of a transaction that was committed.
    func count(_ committed: [SaleTally.Entry]) {
        for entry in committed {
            let counter = entry.kind.flatMap { sales[entry.change]?[$0] } ?? otherSales[entry.change]
            counter?.increment()
        }
    }

    /// Counts signatures that were made.
    func count(_ signature: Signature, by number: Int = 1) {
        signatures[signature]?.increment(by: number)
    }

    /// Counts bytes of hosted content that were read to be sent.
    package func countContentBytes(_ count: Int) {
        contentBytes.increment(by: count)
    }

    /// Counts a request for content that was redirected to the storage.
    package func countContentRedirect() {
        contentRedirects.increment()
    }

    /// Counts a request to the bucket with hosted content.
    package func count(_ result: BucketResult) {
        bucketRequests[result]?.increment()
    }

    /// Counts an attempt to send a notification to an address.
    func count(_ result: NotificationResult) {
        notificationAttempts[result]?.increment()
    }

    /// Counts uploads of content that have ended.
    func count(_ upload: Upload, by number: Int = 1) {
        contentUploads[upload]?.increment(by: number)
    }

    /// Counts a signal that an event stream had no room for.
    package func countDroppedSignal() {
        droppedSignals.increment()
    }
}

extension SaleTally.Change {
    /// The name of its counter.
    fileprivate var name: String {
        switch self {
        case .purchase: StoreMeters.Name.purchases
        case .decline: StoreMeters.Name.declines
        case .refund: StoreMeters.Name.refunds
        case .refundReversal: StoreMeters.Name.refundReversals
        }
    }
}
