// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI

/// The error for a request with a method that its path doesn't take.
struct MethodNotAllowed: Error {
    var allowed: [HTTPRequest.Method]

    /// A failure with the code `methodNotAllowed`. Its header names the
    /// methods of the path (RFC 9110, section 15.5.6).
    func response() -> Response {
        let names = allowed.map(\.rawValue)
        var response = StoreFailure(.methodNotAllowed, "This takes \(names.joined(separator: " or ")) only.").response()
        response.headers[.allow] = names.joined(separator: ", ")
        return response
    }
}
