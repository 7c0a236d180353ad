// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension AddressValues {
    /// The notification address of a body.
    init(reading body: inout ConnectBody) {
        self.init(
            url: body.text("url") ?? "", version: body.number("version") ?? "",
            environment: body.text("environment") ?? "")
    }
}
