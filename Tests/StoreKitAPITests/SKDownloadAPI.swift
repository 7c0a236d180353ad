// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkSKDownloadAPI(_ download: SKDownload) {
    let _: NSObject = download
    let _: SKDownload = SKDownload()
    let _: SKDownloadState = download.state
    let _: SKDownloadState = download.downloadState
    let _: Int64 = download.contentLength
    let _: Int64 = download.expectedContentLength
    let _: String = download.contentIdentifier
    let _: URL? = download.contentURL
    let _: String = download.contentVersion
    let _: (any Error)? = download.error
    let _: Float = download.progress
    let _: TimeInterval = download.timeRemaining
    let _: SKPaymentTransaction = download.transaction
    let _: TimeInterval = SKDownloadTimeRemainingUnknown
}

func checkSKDownloadStateAPI(_ state: SKDownloadState) -> Int {
    let _: SKDownloadState? = SKDownloadState(rawValue: 0)
    switch state {
    case .waiting, .active, .paused, .finished, .failed, .cancelled: return state.rawValue
    }
}

class DerivedDownload: SKDownload {
    override var state: SKDownloadState { .finished }
    override var progress: Float { 1 }
}
