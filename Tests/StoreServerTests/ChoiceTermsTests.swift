// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Testing

@testable import StoreServer

@Suite("The terms of choices in a form")
struct ChoiceTermsTests {
    @Test("A product whose identifier has the field's own characters has its own terms, and an offer its own")
    func identifiers() {
        let text = "product a%3Db%3B c=4990 USD P1M; product a=990 USD P1W=up-front%3D1; renewal=1 USD P1D"
        let terms = ChoiceTerms(text)
        #expect(terms[.product("a=b; c")]?.then == "4990 USD P1M" && terms[.product("a=b; c")]?.offer == "")
        #expect(terms[.product("a")]?.then == "990 USD P1W" && terms[.product("a")]?.offer == "up-front=1")
        #expect(terms[.renewal]?.then == "1 USD P1D" && terms[.agreement] == nil && terms[.product("b")] == nil)
    }
}
