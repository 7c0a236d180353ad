// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird

extension StoreRequestContext {
    /// A named part of the path without its percent-encoding (RFC 3986,
    /// section 2.1). A part whose encoding is wrong stays as it is.
    ///
    /// - Throws: `HTTPError` for a name that the route's path lacks.
    func part(_ name: String) throws -> String {
        let text = try parameters.require(name)
        return text.removingPercentEncoding ?? text
    }
}
