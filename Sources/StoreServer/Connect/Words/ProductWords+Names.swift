// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ProductWords {
    func name(_ kind: Product.Kind) -> String {
        switch kind {
        case .consumable: consumable
        case .nonConsumable: nonConsumable
        case .nonRenewing: nonRenewing
        case .autoRenewable: autoRenewable
        default: kind.rawValue
        }
    }

    func name(_ state: ProductRegistration.State) -> String {
        switch state {
        case .missingMetadata: missingMetadata
        case .readyToSubmit: readyToSubmit
        case .waitingForReview: waitingForReview
        case .inReview: inReview
        case .rejected: rejected
        case .approved: sold
        case .removedFromSale: removedFromSale
        }
    }

    func name(_ state: ProductReview.State) -> String {
        switch state {
        case .prepared: readyToSubmit
        case .waiting: waitingForReview
        case .inReview: inReview
        case .approved: sold
        case .rejected: rejected
        }
    }

    /// The missing values of a product.
    func list(_ missing: [ProductRegistration.Missing]) -> String {
        missing.map { value in
            switch value {
            case .price: missingPrice
            case .texts: missingTexts
            case .screenshot: missingScreenshot
            }
        }.joined(separator: ", ")
    }

    /// The choices of a field that is turned on or off.
    var yesOrNo: [ConsoleOption] { [ConsoleOption("yes", yes), ConsoleOption("no", no)] }

    /// The choices of the list's filter.
    var kinds: [ConsoleOption] {
        [ConsoleOption("", allKinds)] + ProductRegistration.kinds.map { ConsoleOption($0.rawValue, name($0)) }
    }
}
