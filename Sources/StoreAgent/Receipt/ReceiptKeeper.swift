// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreCore
import Synchronization

/// Verifies receipts from the store and stores the current one where apps
/// look for it.
final class ReceiptKeeper: Sendable {
    let folder: AgentFolder
    let files: any FileSystem
    /// The file of the root certificates.
    let trust: URL?
    let storeURL: URL?
    let deviceIdentifier: Data
    /// Held from the comparison with the receipt on disk until that is
    /// replaced.
    private let replacing = Mutex(())

    init(folder: AgentFolder, files: any FileSystem, trust: URL?, storeURL: URL?, deviceIdentifier: Data) {
        self.folder = folder
        self.files = files
        self.trust = trust
        self.storeURL = storeURL
        self.deviceIdentifier = deviceIdentifier
    }

    /// A receipt that was verified.
    struct Accepted: Sendable {
        fileprivate let der: Data
        fileprivate let receipt: VerifiedAppReceipt

        fileprivate var isSandbox: Bool { !receipt.contents.environment.isProduction }
        /// The transactions that it lists.
        fileprivate var transactions: Set<String> {
            Set(receipt.contents.inAppPurchases.map(\.transactionIdentifier))
        }
        var environment: String { isSandbox ? "Sandbox" : "Production" }
    }

    /// The reason, with the remedy, why no receipt can be accepted on this
    /// device; `nil` when there are root certificates.
    var untrusted: PurchaseFailure? {
        do {
            _ = try roots()
            return nil
        } catch {
            return PurchaseFailure(.unknown, "\(error)")
        }
    }

    /// Verifies a receipt.
    ///
    /// - Throws: ``AgentError`` with the code `receipt`, naming all that is
    ///   wrong with the receipt or with the root certificates.
    func verified(_ der: Data) throws -> Accepted {
        let verifier = AppReceiptVerifier(trusting: try roots())
        let expectation = AppReceiptVerifier.Expectation(
            bundleIdentifier: folder.bundleIdentifier, deviceIdentifier: deviceIdentifier)
        let verdict: AppReceiptVerifier.Verdict
        do {
            verdict = try verifier.verify(der, expecting: expectation)
        } catch {
            throw AgentError(.receipt, "The store's receipt can't be read: \(PrintableText.of("\(error)"))")
        }
        switch verdict {
        case .verified(let receipt):
            return Accepted(der: der, receipt: receipt)
        case .refused(let refusals):
            let reasons = PrintableText.of(refusals.map(\.message).joined(separator: "; "))
            let remedy = refusals.contains { $0.code == .untrustedRoot } ? " " + self.remedy : ""
            throw AgentError(.receipt, "The store's receipt is refused: \(reasons).\(remedy)")
        }
    }

    /// Replaces the receipt on disk atomically and durably, and then records
    /// its position in the journal.
    ///
    /// Keeps a newer receipt, and that of another account which has signed in
    /// since this one was requested. An older one than required isn't stored
    /// in place of a receipt that was removed.
    ///
    /// - Returns: whether the receipt on disk is now this one, or a newer one
    ///   of its account.
    /// - Throws: ``AgentError`` with the code `home`, `DatabaseError`.
    func keep(
        _ accepted: Accepted, as position: EventPosition?, askedFor account: String?, in journal: Journal,
        faults: FaultPoints, temporary: String
    ) throws -> Bool {
        try replacing.withLock { _ in
            if let position {
                try journal.follow(position, askedFor: account)
                let state = try journal.state()
                guard state.mayReplaceReceipt(with: position) else {
                    return position.account == state.receiptAccount && state.receipt != nil
                }
                try journal.willReplaceReceipt(by: position, listing: accepted.transactions)
            }
            faults.before(.receipt)
            let file = folder.receipt(isSandbox: accepted.isSandbox)
            try files.replace(file, temporary: temporary) { _ in accepted.der }
            faults.after(.receipt)
            try journal.received(position, environment: accepted.environment, listing: accepted.transactions)
            return true
        }
    }

    /// Whether there is a receipt on disk, of either environment.
    var isOnDisk: Bool {
        [true, false].contains { files.inode(of: folder.receipt(isSandbox: $0)) != nil }
    }

    /// The root certificates. They are read each time, because a store that
    /// is set up beside the app may write the file after the app has started.
    @Sendable func roots() throws -> TrustRoots {
        guard let trust else {
            throw AgentError(.receipt, "No receipt can be trusted, because STOREKIT_TRUST isn't set. \(remedy)")
        }
        do {
            return try TrustRoots(pemOrDER: try Data(contentsOf: trust))
        } catch {
            let reason = (error as? AppReceiptError).map { "\($0)" } ?? error.localizedDescription
            throw AgentError(.receipt, "STOREKIT_TRUST, \(trust.path), can't be used: \(reason). \(remedy)")
        }
    }

    /// The root certificates of signed values, each as DER; none without a file,
    /// or when the file has no certificate.
    ///
    /// - Throws: the error of reading the file, and `AppReceiptError` for a
    ///   certificate that can't be read: the file may be written just now.
    @Sendable func signingRoots() throws -> [Data] {
        guard let trust else { return [] }
        let file: Data
        do {
            file = try Data(contentsOf: trust)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return []
        }
        let hasCertificate = file.first == 0x30 || file.range(of: Data("-----BEGIN".utf8)) != nil
        return hasCertificate ? try TrustRoots(pemOrDER: file).certificates : []
    }

    private var remedy: String {
        let address = storeURL?.appendingPathComponent("pki/roots.pem").absoluteString ?? "<store>/pki/roots.pem"
        return "Save the store's root certificates (\(address)) and set STOREKIT_TRUST to the file."
    }
}
