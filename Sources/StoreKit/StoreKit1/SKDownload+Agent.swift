// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import Synchronization

/// The values of a download, which its object and the queue share.
final class DownloadContents: Sendable {
    /// Identifies a download: tests have several agents, whose downloads may
    /// have the same identifiers.
    struct Key: Sendable, Hashable {
        var queue: URL
        var identifier: AgentDownload.ID
    }

    let key: Key
    private weak let agent: Agent?
    private let values: Mutex<AgentDownload>
    private let bought: Mutex<SKPaymentTransaction?>

    init(_ download: AgentDownload, of transaction: SKPaymentTransaction?, in agent: Agent) {
        key = Key(queue: agent.configuration.home, identifier: download.id)
        self.agent = agent
        values = Mutex(download)
        bought = Mutex(transaction)
    }

    var value: AgentDownload { values.withLock { $0 } }

    func update(_ download: AgentDownload) {
        values.withLock { $0 = download }
    }

    /// The folder of the finished content, as long as it is there.
    var folder: URL? {
        value.content.flatMap { folder in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
            return exists && isFolder.boolValue ? folder : nil
        }
    }

    /// The transaction, which is read at its first use if the app hasn't
    /// asked it for its downloads.
    var transaction: SKPaymentTransaction? {
        bought.withLock { transaction in
            if transaction == nil {
                transaction = agent.flatMap { agent in
                    agent.transaction(of: value).map { SKPaymentTransaction($0, of: agent) }
                }
            }
            return transaction
        }
    }
}

/// The download objects of this process: one for each download, as long as
/// the app keeps it, so that an app can compare and update its own.
final class DownloadObjects: @unchecked Sendable {
    // @unchecked because SKDownload is open; `lock` protects the references.
    static let shared = DownloadObjects()

    private struct Reference {
        weak var object: SKDownload?
    }

    private let lock = NSLock()
    private var references: [DownloadContents.Key: Reference] = [:]

    /// The objects of some downloads, with their new values.
    func objects(
        for downloads: [AgentDownload], of transaction: SKPaymentTransaction?, in agent: Agent
    ) -> [SKDownload] {
        lock.withLock {
            references = references.filter { $0.value.object != nil }
            return downloads.map { download in
                let key = DownloadContents.Key(queue: agent.configuration.home, identifier: download.id)
                if let known = references[key]?.object {
                    known.contents?.update(download)
                    return known
                }
                let object = SKDownload(DownloadContents(download, of: transaction, in: agent))
                references[key] = Reference(object: object)
                return object
            }
        }
    }
}

/// The downloads of one transaction, read from the agent at each use.
final class DownloadLoader: Sendable {
    private weak let agent: Agent?
    private let transaction: String

    init(of transaction: String, in agent: Agent) {
        self.agent = agent
        self.transaction = transaction
    }

    func downloads(of transaction: SKPaymentTransaction) -> [SKDownload] {
        guard let agent else { return [] }
        return DownloadObjects.shared.objects(
            for: agent.downloads(of: self.transaction), of: transaction, in: agent)
    }
}

extension SKDownloadState {
    init(_ state: AgentDownload.State) {
        switch state {
        case .waiting: self = .waiting
        case .active: self = .active
        case .paused: self = .paused
        case .finished: self = .finished
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}

extension DownloadFailure {
    /// The error that an app sees. Those of the file system are Foundation's.
    var error: any Error {
        let sentence: CustomerSentence =
            switch reason {
            case .damaged: .damaged
            case .diskFull: .space
            default: .unsaved
            }
        let userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: sentence.text, NSDebugDescriptionErrorKey: message,
        ]
        switch reason {
        case .notOwned: return SKError(.clientInvalid, message: message)
        case .notAvailable: return SKError(.storeProductNotAvailable, message: message)
        case .damaged: return CocoaError(.fileReadCorruptFile, userInfo: userInfo)
        case .diskFull: return CocoaError(.fileWriteOutOfSpace, userInfo: userInfo)
        case .notPermitted: return CocoaError(.fileWriteNoPermission, userInfo: userInfo)
        case .file: return CocoaError(.fileWriteUnknown, userInfo: userInfo)
        default: return SKError(.unknown, message: message)
        }
    }
}
