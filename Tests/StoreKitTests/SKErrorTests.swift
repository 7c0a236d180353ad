// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreCore
import Testing

@testable import StoreKit

struct SKErrorTests {
    @Test("An SKError is caught by the name of its code") func aCodeIsCaughtByItsName() {
        var caught = "nothing"
        do {
            throw SKError(.paymentCancelled)
        } catch SKError.paymentCancelled {
            caught = "paymentCancelled"
        } catch {
            caught = "\(error)"
        }
        #expect(caught == "paymentCancelled")
    }

    @Test("An SKError keeps its code and its message as an NSError") func anErrorKeepsItsCodeAndSentenceAsAnNSError() {
        let error: any Error = SKError(.storeProductNotAvailable, message: "The pear isn't for sale.")

        #expect((error as NSError).domain == SKErrorDomain)
        #expect((error as NSError).code == SKError.storeProductNotAvailable.rawValue)
        #expect(error.localizedDescription == "This isn’t sold in your country.")
        #expect((error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String == "The pear isn't for sale.")
        #expect((error as? SKError)?.code == .storeProductNotAvailable)
    }

    @Test("Errors with the same code and user info are equal") func errorsOfOneCodeAndUserInfoAreEqual() {
        #expect(SKError(.unknown) == SKError(.unknown))
        #expect(SKError(.unknown) != SKError(.clientInvalid))
    }

    @Test("Every code of an SKError has its raw value", arguments: 0...20)
    func everyCodeHasItsRawValue(_ raw: Int) throws {
        let code = try #require(SKError.Code(rawValue: raw))
        #expect(SKError(code).errorCode == raw)
    }

    @Test("The network's error is the underlying error of a failure") func theNetworksErrorIsUnderTheFailure() throws {
        let failure = PurchaseFailure(
            .unknown, "The store can't be reached.",
            underlying: .init(domain: NSURLErrorDomain, code: NSURLErrorCannotConnectToHost, message: "refused"))

        let error = SKError(failure)

        #expect(error.code == .unknown)
        #expect(error.localizedDescription == CustomerSentence.network.text(in: nil))
        #expect(error.userInfo[NSDebugDescriptionErrorKey] as? String == "The store can't be reached.")
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? URLError)
        #expect((underlying as NSError).domain == NSURLErrorDomain)
        #expect(underlying.code == .cannotConnectToHost)
        #expect(underlying.localizedDescription == error.localizedDescription)
        #expect(underlying.userInfo[NSDebugDescriptionErrorKey] as? String == "refused")
    }

    @Test("An unknown code of a newer store keeps its number and its message")
    func aCodeOfANewerStoreKeepsItsNumberAndItsSentence() {
        let error = SKError(PurchaseFailure(.init(rawValue: 4711), "Something new."))

        #expect(error.code.rawValue == 4711)
        #expect(error.code != .unknown)
        #expect(error.userInfo[NSDebugDescriptionErrorKey] as? String == "Something new.")
    }

    @Test("An error of the agent becomes an SKError with the same message")
    func whateverWentWrongAnAppIsGivenAnSKError() {
        let error = SKError(describing: AgentError(.home, "The folder can't be made."))

        #expect(error.code == .unknown)
        #expect(error.userInfo[NSDebugDescriptionErrorKey] as? String == "The folder can't be made.")
        #expect(error.localizedDescription == "This could not be completed. Try again later.")
    }

    @Test(
        "A customer reads a sentence in the language of the storefront, without the developer's words",
        arguments: [
            (nil, "You have this subscription already."), ("USA", "You have this subscription already."),
            ("DEU", "Sie haben dieses Abonnement schon."), ("FRA", "Vous avez déjà cet abonnement."),
        ])
    func sentences(country: String?, sentence: String) {
        #expect(
            CustomerSentence.of(.unknown, underlying: NSError(domain: "ASDServerErrorDomain", code: 3532))
                .text(in: country) == sentence)
        for raw in 0...20 {
            guard let code = SKError.Code(rawValue: raw) else { continue }
            let words = CustomerSentence.of(code, underlying: nil).text(in: country)
            #expect(!words.isEmpty && !words.contains("/") && !words.contains("STOREKIT"))
        }
    }
}
