// SPDX-License-Identifier: Apache-2.0

import Crypto
package import Foundation

extension StoreKitConfigurationFile {
    /// The public part of a file's key for promotional offers.
    package struct OfferKey: Hashable, Sendable {
        package var identifier: String
        /// The key in the form of X9.63.
        package var publicKey: Data
    }
}

extension ConfigurationReader {
    /// The file's key for promotional offers, of which Xcode writes the private
    /// part (PKCS #8, in base64); `nil` when the file has none.
    func offerKey(_ root: [String: Any]) throws -> StoreKitConfigurationFile.OfferKey? {
        let place = ConfigurationKeys.keyPair
        guard let value = root[place], !(value is NSNull) else { return nil }
        let pair = try object(value, place)
        let identifier = try identifier(pair, "id", at: place)
        guard let text = try optionalText(pair, "privateKey", at: place), !text.isEmpty else { return nil }
        guard let der = Data(base64Encoded: text), let key = try? P256.Signing.PrivateKey(derRepresentation: der) else {
            // The value is a secret.
            throw error(place, "privateKey", "is not the base64 of a private key of the curve P-256 (PKCS #8)")
        }
        return StoreKitConfigurationFile.OfferKey(
            identifier: identifier, publicKey: key.publicKey.x963Representation)
    }
}
