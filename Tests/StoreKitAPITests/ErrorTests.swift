// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import Testing

/// Uses of errors in StoreKit's domain by clients and their tests.
struct ErrorTests {
    private let cancelled = NSError(
        domain: SKErrorDomain, code: SKError.paymentCancelled.rawValue,
        userInfo: [NSLocalizedDescriptionKey: "Never mind."])

    @Test("An NSError of the domain is an SKError") func anNSErrorOfTheDomainIsAnSKError() throws {
        let error: any Error = cancelled
        let optional: (any Error)? = cancelled
        let any: Any = cancelled

        #expect((error as? SKError)?.code == .paymentCancelled)
        #expect((optional as? SKError)?.code == .paymentCancelled)
        #expect((any as? SKError)?.code == .paymentCancelled)
        #expect(try #require(error as? SKError).localizedDescription == "Never mind.")
        #expect(SKError.paymentCancelled ~= error)
    }

    @Test("An NSError of the domain is caught as an SKError") func anNSErrorOfTheDomainIsCaught() {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch SKError.paymentCancelled {
                return "cancelled"
            } catch let error as SKError {
                return "code \(error.errorCode)"
            } catch {
                return "something else"
            }
        }
        #expect(caught(cancelled) == "cancelled")
        #expect(caught(NSError(domain: SKErrorDomain, code: 3)) == "code 3")
        #expect(caught(NSError(domain: "elsewhere", code: 2)) == "something else")
        #expect(caught(URLError(.notConnectedToInternet)) == "something else")
    }

    @Test("An SKError is an NSError with the same code, message and user info")
    func anSKErrorIsAnNSErrorWithAllThatItSays() {
        let error: any Error = SKError(
            .paymentInvalid, userInfo: [NSLocalizedDescriptionKey: "Eleven?", "quantity": 11])
        let bridged = error as NSError

        #expect(bridged.domain == SKErrorDomain)
        #expect(bridged.code == 3)
        #expect(bridged.userInfo["quantity"] as? Int == 11)
        #expect(bridged.localizedDescription == "Eleven?")
        #expect((bridged as? SKError)?.userInfo["quantity"] as? Int == 11)
        #expect((error as AnyObject) is NSError)
    }

    @Test("An SKError wraps an error of any domain and keeps its code") func anyErrorMayBeWrapped() {
        let offline = SKError(_nsError: URLError(.notConnectedToInternet) as NSError)

        #expect(offline.code.rawValue == URLError.notConnectedToInternet.rawValue)
        #expect(offline.code != .unknown)
        #expect(offline.errorCode == URLError.notConnectedToInternet.rawValue)
        #expect(SKError(_nsError: NSError(domain: SKErrorDomain, code: 99)).code.rawValue == 99)
    }

    @Test("Equal errors are one element of a set") func equalErrorsAreOneInASet() {
        let errors: Set<SKError> = [SKError(.unknown), SKError(.unknown), SKError(.paymentInvalid)]

        #expect(errors.count == 2)
        #expect(SKError(.unknown).hashValue == SKError(.unknown).hashValue)
    }
}
