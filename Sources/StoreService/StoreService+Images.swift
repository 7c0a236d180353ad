// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The images of apps and products in Connect, and the promoted products.
extension StoreService {
    /// Whether the operator looks at submitted products.
    package var reviewsProducts: Bool { context.reviewsProducts }

    /// Whether each submission is approved without a review (`serve
    /// --approve-products`).
    package var approvesProducts: Bool { context.approvesProducts }

    /// The use cases that read images.
    package var imageReader: RegisteringImage { RegisteringImage(context) }

    /// The use cases that change images.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func registeringImage() throws -> RegisteringImage {
        try requireCurrentSchema()
        return RegisteringImage(context)
    }

    /// The use cases that read promoted products.
    package var promotionReader: ArrangingPromotions { ArrangingPromotions(context) }

    /// The use cases that change promoted products.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func arrangingPromotions() throws -> ArrangingPromotions {
        try requireCurrentSchema()
        return ArrangingPromotions(context)
    }
}
