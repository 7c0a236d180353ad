// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreAPI

extension Hummingbird.Request {
    var wantsJSON: Bool {
        headers[.accept]?.contains("application/json") ?? false
    }

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
