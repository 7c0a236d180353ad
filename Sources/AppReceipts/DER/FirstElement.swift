// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Data {
    /// The first ASN.1 element, without the bytes behind it; all bytes if they
    /// don't begin with an element.
    ///
    /// The contents of the element aren't checked.
    package var firstElement: Data {
        var reader = DERReader([UInt8](self)[...])
        guard let element = try? reader.element() else { return self }
        return element.count == count ? self : Data(element)
    }
}
