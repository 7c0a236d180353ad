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
    let _: URL? = SKDownload.contentURL(forProductID: "com.example.apple")
    let _: () = SKDownload.deleteContent(forProductID: "com.example.apple")
}

func checkSKDownloadStateAPI(_ state: SKDownloadState) -> Int {
    let _: SKDownloadState? = SKDownloadState(rawValue: 0)
    switch state {
    case .waiting, .active, .paused, .finished, .failed, .cancelled: return state.rawValue
    }
}

class DerivedDownload: SKDownload {
    override var state: SKDownloadState { .finished }
    override var downloadState: SKDownloadState { .finished }
    override var contentLength: Int64 { 2 }
    override var expectedContentLength: Int64 { 2 }
    override var contentIdentifier: String { "com.example.apple" }
    override var contentURL: URL? { URL(fileURLWithPath: "/tmp") }
    override var contentVersion: String { "1.0" }
    override var error: (any Error)? { nil }
    override var progress: Float { 1 }
    override var timeRemaining: TimeInterval { 0 }
    override var transaction: SKPaymentTransaction { DerivedTransaction(state: .purchased) }
    override class func contentURL(forProductID productID: String) -> URL? { nil }
    override class func deleteContent(forProductID productID: String) {}
}
