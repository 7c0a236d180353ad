// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI
import StoreDomain

extension Hummingbird.Request {
    var wantsJSON: Bool {
        headers[.accept]?.contains("application/json") ?? false
    }

    /// The languages of a reader, best first: those that a page, its texts of
    /// products and its terms are chosen by. An account's storefront adds its
    /// own behind them (`LanguagePreference`).
    func languages(of account: Account?) -> [String] { acceptedLanguages }

    /// The browser's languages, best first, at most as many as a message may
    /// name. Their weights are ignored, because browsers send them in order.
    var acceptedLanguages: [String] {
        (headers[.acceptLanguage] ?? "").split(separator: ",", maxSplits: Languages.count).prefix(Languages.count)
            .compactMap { part in
                part.split(separator: ";").first.map { String($0.replacing(" ", with: "").replacing("-", with: "_")) }
            }
            .filter { Language.refusal(of: $0) == nil }
    }
}
