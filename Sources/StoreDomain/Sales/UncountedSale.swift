// SPDX-License-Identifier: Apache-2.0

/// A charge of the ledger that ``CountingSales`` hasn't counted yet.
struct UncountedSale: Hashable, Sendable {
    var app: BundleIdentifier
    var product: ProductIdentifier
    /// 1, or -1 for a charge that was deleted in a test.
    var change: Int64
}
