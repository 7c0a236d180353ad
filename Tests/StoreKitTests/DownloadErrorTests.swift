// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import Testing

@testable import StoreKit

@Suite("The errors of downloads")
struct DownloadErrorTests {
    @Test(
        "A refusal of the store is an error of StoreKit, with the store's sentence",
        arguments: [
            (DownloadFailure.Reason.notOwned, SKError.Code.clientInvalid),
            (.notAvailable, .storeProductNotAvailable), (.refused, .unknown),
            (DownloadFailure.Reason(rawValue: "of-a-newer-version"), .unknown),
        ])
    func refusals(_ reason: DownloadFailure.Reason, _ code: SKError.Code) {
        let error = DownloadFailure(reason, "The store says no.").error
        #expect((error as? SKError)?.code == code)
        #expect((error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String == "The store says no.")
    }

    @Test(
        "An error of the disk is one of Foundation",
        arguments: [
            (DownloadFailure.Reason.damaged, CocoaError.Code.fileReadCorruptFile),
            (.diskFull, .fileWriteOutOfSpace), (.notPermitted, .fileWriteNoPermission), (.file, .fileWriteUnknown),
        ])
    func disk(_ reason: DownloadFailure.Reason, _ code: CocoaError.Code) {
        let error = DownloadFailure(reason, "No room.").error
        #expect((error as? CocoaError)?.code == code)
        #expect((error as NSError).domain == NSCocoaErrorDomain && (error as NSError).code == code.rawValue)
        #expect((error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String == "No room.")
        #expect(error.localizedDescription != "No room.")
    }

    @Test("A download that was never in a queue has the values of an empty one")
    func empty() {
        let download = SKDownload()
        #expect(download.state == .waiting && download.progress == 0 && download.error == nil)
        #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown && download.contentURL == nil)
        #expect(download.contentIdentifier.isEmpty && download.contentVersion.isEmpty)
        #expect(download.expectedContentLength == 0 && download.transaction.transactionIdentifier == nil)
        #expect(download != SKDownload() && download == download)
    }
}
