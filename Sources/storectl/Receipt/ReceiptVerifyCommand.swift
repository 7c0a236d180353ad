// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation
import StoreCore
import StoreDomain

struct ReceiptVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a receipt or a signed payload against a root certificate.",
        discussion: """
            Prints one line for each check. Exit status 0 when all of it holds, 1 when anything doesn't.
            The file of root certificates may have intermediate ones too, which transaction receipts need.
            """)

    @Argument(help: "The receipt; - is standard input.")
    var file: String

    @Option(help: ArgumentHelp("The trusted root certificates, PEM or DER.", valueName: "file"))
    var root: String

    @Option(help: "The app that the receipt must be for.")
    var bundleID: String?

    @Option(help: ArgumentHelp("The device that the app receipt must be for.", valueName: "hexadecimal"))
    var device: String?

    @Option(help: ArgumentHelp("A revocation list, PEM or DER; may be given several times.", valueName: "file"))
    var crl: [String] = []

    @Flag(help: "Go by the rules for receipts of Apple, Xcode and others: SHA-1, BER, other chains.")
    var lenient = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await storectl.run {
            let identifier = try device.map { text in
                guard let data = Data(hexadecimal: text) else {
                    throw CommandFailure("--device takes hexadecimal, not \"\(text)\".")
                }
                return data
            }
            let trust = try ReceiptTrust(root: root, lists: crl, profile: lenient ? .lenient : .strict)
            let refusals: [AppReceiptVerifier.Refusal]
            do {
                refusals = try trust.refusals(of: ReceiptFile(file), bundleIdentifier: bundleID, device: identifier)
            } catch let error as AppReceiptError {
                try CheckReport(unreadable: error).show(json: json)
                throw ExitCode(1)
            }
            try CheckReport(
                refusals,
                asked: Set((bundleID == nil ? [] : [.wrongBundleIdentifier]) + (device == nil ? [] : [.wrongDevice])),
                isStrict: !lenient
            ).show(json: json)
            if !refusals.isEmpty { throw ExitCode(1) }
        }
    }
}

/// The certificates and revocations that a receipt is verified against.
struct ReceiptTrust {
    private let roots: [Data]
    private let intermediates: [Data]
    private let revoked: RevokedCertificates
    private let profile: VerificationProfile

    init(root: String, lists: [String], profile: VerificationProfile) throws {
        let given = try TrustRoots(pemOrDER: readFile(root, what: "root certificate")).certificates
        let summaries = try given.map { ($0, try CertificateSummary(der: $0)) }
        // A root certificate's issuer is its own subject.
        roots = summaries.filter { $0.1.subject == $0.1.issuer }.map(\.0)
        intermediates = summaries.filter { $0.1.subject != $0.1.issuer }.map(\.0)
        self.profile = profile
        var revoked = RevokedCertificates.none
        for list in lists {
            let read = try RevokedCertificates(
                list: readFile(list, what: "revocation list"), signedByOneOf: roots + intermediates)
            revoked.serialNumbers.formUnion(read.serialNumbers)
        }
        self.revoked = revoked
    }

    func refusals(
        of file: ReceiptFile, bundleIdentifier: String?, device: Data?
    ) throws -> [AppReceiptVerifier.Refusal] {
        switch file {
        case .appReceipt(let data):
            let verifier = AppReceiptVerifier(roots: roots, profile: profile, revoked: revoked)
            let verdict = try verifier.verify(
                data, expecting: .init(bundleIdentifier: bundleIdentifier, deviceIdentifier: device))
            if case .refused(let refusals) = verdict { return refusals }
        case .transactionReceipt(let data):
            let verifier = TransactionReceiptVerifier(
                roots: roots, intermediates: intermediates, profile: profile, revoked: revoked)
            if case .refused(let refusals) = try verifier.verify(data, expecting: bundleIdentifier) { return refusals }
        case .jws(let text):
            let kind = PayloadKind(of: try UnverifiedJWS<UntypedPayload>(parsing: text).payload.members)
            return try refusals(of: text, as: kind.type, bundleIdentifier: bundleIdentifier)
        }
        return []
    }

    private func refusals<Payload: SignedPayload>(
        of text: String, as type: Payload.Type, bundleIdentifier: String?
    ) throws -> [AppReceiptVerifier.Refusal] {
        let verifier = JWSVerifier(roots: roots, profile: profile, revoked: revoked)
        let verdict = try verifier.verify(text, as: type, expecting: .init(bundleIdentifier: bundleIdentifier))
        if case .refused(let refusals) = verdict { return refusals }
        return []
    }
}
