// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

extension AgreedTerms {
    /// Agrees to terms as they are shown.
    package init(_ shown: ShownTerms) {
        self.init(price: shown.price, change: shown.change, offer: shown.offer, then: shown.then)
    }
}
