// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreCore

extension ItemPageRequest {
    /// Reads the parameters of a product page. Keys of other kinds, such as
    /// those of ad networks, are ignored.
    ///
    /// - Throws: `SKError` `unknown` with the key and its remedy.
    init(parameters: [String: Any]) throws(SKError) {
        let key = SKStoreProductParameterITunesItemIdentifier
        guard let item = parameters[key].flatMap(Self.number), ItemNumber.refusal(of: item) == nil else {
            throw SKError(
                .unknown,
                message: "A product page needs the number of an item, from 1 on, under "
                    + "SKStoreProductParameterITunesItemIdentifier (\"\(key)\").")
        }
        self.init(item: item)
        product = try Self.text(parameters, SKStoreProductParameterProductIdentifier)
        if let product, let refusal = AppText.refusal(of: product) {
            throw SKError(.unknown, message: "The value of \"\(SKStoreProductParameterProductIdentifier)\" \(refusal).")
        }
        tokens = try Self.tokens(parameters)
    }

    private static func tokens(_ parameters: [String: Any]) throws(SKError) -> CampaignTokens {
        var values: [CampaignTokens.Name: String] = [:]
        for name in CampaignTokens.Name.allCases {
            guard let token = try text(parameters, name.rawValue) else { continue }
            guard CampaignTokens.isToken(token) else {
                throw SKError(
                    .unknown,
                    message: "The value of \"\(name.rawValue)\" has 1 to \(CampaignTokens.bytes.upperBound) letters, "
                        + "digits and characters of -._~.")
            }
            values[name] = token
        }
        return CampaignTokens(values)
    }

    /// A parameter that is a text; `nil` without it.
    private static func text(_ parameters: [String: Any], _ key: String) throws(SKError) -> String? {
        guard let value = parameters[key] else { return nil }
        if let text = value as? String { return text }
        if let text = value as? NSString { return text as String }
        throw SKError(.unknown, message: "The value of \"\(key)\" is a String.")
    }

    /// A whole number of any type, or the decimal text of one.
    private static func number(_ value: Any) -> Int64? {
        switch value {
        case let text as String: Int64(text)
        case let text as NSString: Int64(text as String)
        case let number as NSNumber: Int64(number.stringValue)
        case let number as any BinaryInteger: Int64(exactly: number)
        default: nil
        }
    }
}
