// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore

extension RequestLimits {
    /// Reads the form of a page that an address has sent.
    ///
    /// - Throws: The errors of `BodyBudget.withBody`; `StoreFailure`
    ///   `malformed`.
    func form(of request: Request, from address: String?) async throws -> CustomerForm {
        try await bodies.withBody(of: request, from: address, upTo: CustomerForm.limit) { body in
            try CustomerForm(reading: String(buffer: body))
        }
    }
}
