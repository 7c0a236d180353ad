// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Testing

@testable import StoreAgent

@Suite("The next step after a transfer was interrupted")
struct TransferDecisionTests {
    private func decision(
        _ error: any Error, asksForVersion: Bool = true, hasStartedOver: Bool = false
    ) -> TransferDecision {
        TransferDecision(after: error, asksForVersion: asksForVersion, hasStartedOver: hasStartedOver)
    }

    private func reason(_ decision: TransferDecision) -> DownloadFailure.Reason? {
        if case .fail(let failure, _) = decision { failure.reason } else { nil }
    }

    private func keepsPartial(_ decision: TransferDecision) -> Bool? {
        if case .fail(_, let keepsPartial) = decision { keepsPartial } else { nil }
    }

    @Test("Trouble of the network and of the store is waited out", arguments: [true, false])
    func retries(_ hasStartedOver: Bool) {
        let codes: [StoreFailure.Code] = [
            .unavailable, .throttled, .internalError, .unreadableAnswer, .unknownDevice, .notSignedIn,
            .contentAddressExpired,
        ]
        for code in codes {
            #expect(decision(StoreFailure(code, ""), hasStartedOver: hasStartedOver) == .retry, "\(code)")
        }
        for reach in [ConnectionFailure.Reach.notSent, .unanswered] {
            let failure = ConnectionFailure(reach: reach, underlying: ScriptedStore.Outage())
            #expect(decision(failure, hasStartedOver: hasStartedOver) == .retry)
        }
    }

    @Test("A product that isn't owned fails the download, and its files are removed")
    func notOwned() {
        let step = decision(StoreFailure(.contentNotOwned, "It was refunded."))
        #expect(step == .fail(DownloadFailure(.notOwned, "It was refunded."), keepsPartial: false))
    }

    @Test("A version that is gone is replaced by the newest, and a product without content fails the download")
    func notFound() {
        #expect(decision(StoreFailure(.contentNotFound, "")) == .takeNewest)
        #expect(reason(decision(StoreFailure(.contentNotFound, ""), asksForVersion: false)) == .notAvailable)
    }

    @Test("Damaged content is transferred once more, and then fails")
    func damaged() {
        #expect(decision(DamagedContent("")) == .startOver)
        let step = decision(DamagedContent("a.png"), hasStartedOver: true)
        #expect(reason(step) == .damaged)
        #expect(keepsPartial(step) == false)
    }

    @Test("An error of the disk fails the download with its reason, and the files are kept")
    func disk() {
        let reasons: [Int32: DownloadFailure.Reason] = [
            ENOSPC: .diskFull, EDQUOT: .diskFull, EACCES: .notPermitted, EPERM: .notPermitted, EROFS: .notPermitted,
            EIO: .file,
        ]
        for (number, expected) in reasons {
            let step = decision(AgentError(.home, "", systemError: number))
            #expect(reason(step) == expected, "\(number)")
            #expect(keepsPartial(step) == true)
        }
    }

    @Test(
        "Another refusal fails the download, and the files are kept", arguments: [StoreFailure.Code.invalid, .notFound])
    func refused(_ code: StoreFailure.Code) {
        let step = decision(StoreFailure(code, ""))
        #expect(reason(step) == .refused)
        #expect(keepsPartial(step) == true)
    }
}
