// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    struct Image: Encodable {
        /// The SHA-256 of the bytes in lower-case hexadecimal.
        var digest: String
        var type: String
        var width: Int
        var height: Int
        var bytes: Int
    }

    struct Promotion: Encodable {
        var product: String
        var visible: Bool
        /// The digest of its image.
        var image: String?
    }

    struct Promotions: Encodable {
        var promotions: [Promotion]
    }
}

extension ConnectAnswers.Image {
    init(_ image: RegistrationImage) {
        self.init(digest: image.digest, type: image.type, width: image.width, height: image.height, bytes: image.size)
    }
}

extension ConnectAnswers.Promotions {
    init(_ entries: [ArrangingPromotions.Entry]) {
        self.init(
            promotions: entries.map {
                ConnectAnswers.Promotion(
                    product: $0.promoted.product.rawValue, visible: $0.promoted.isVisible, image: $0.image?.digest)
            })
    }
}
