// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Data {
    /// The bytes in base64url without padding (RFC 7515, section 2).
    package var base64URLText: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
