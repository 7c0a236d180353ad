// SPDX-License-Identifier: Apache-2.0

import AppReceipts

/// One line for each check of a receipt.
struct CheckReport: Encodable {
    struct Check: Encodable {
        var name: String
        var holds: Bool
        var reasons: [String]
    }

    var verified: Bool
    var checks: [Check]

    private static let all: [(name: String, codes: [AppReceiptVerifier.Refusal.Code])] = [
        ("root is trusted", [.untrustedRoot]),
        ("certificates are a receipt authority's", [.brokenChain]),
        ("certificates were valid when signed", [.certificateNotValidAtSigning, .undated]),
        ("certificates aren't revoked", [.revoked]),
        ("algorithms are strong", [.weakAlgorithm]),
        ("signature holds", [.wrongSignature]),
        ("bytes are the store's own", [.notCanonical]),
        ("app is the expected one", [.wrongBundleIdentifier]),
        ("device is the expected one", [.wrongDevice]),
        ("environment is the expected one", [.wrongEnvironment]),
    ]

    /// Makes a report of a readable receipt.
    ///
    /// - Parameters:
    ///   - refusals: The reasons to refuse it.
    ///   - asked: The codes of the expectations that were given; without an
    ///     expectation its check isn't listed.
    ///   - isStrict: Whether algorithms and encoding were checked.
    init(
        _ refusals: [AppReceiptVerifier.Refusal], asked: Set<AppReceiptVerifier.Refusal.Code>, isStrict: Bool
    ) {
        verified = refusals.isEmpty
        var wanted = asked.union([
            .untrustedRoot, .brokenChain, .certificateNotValidAtSigning, .revoked, .wrongSignature,
        ])
        if isStrict { wanted.formUnion([.weakAlgorithm, .notCanonical]) }
        wanted.formUnion(refusals.map(\.code))
        checks = [Check(name: "format can be read", holds: true, reasons: [])]
        for (name, codes) in Self.all where !wanted.isDisjoint(with: codes) {
            let reasons = refusals.filter { codes.contains($0.code) }.map(\.message)
            checks.append(Check(name: name, holds: reasons.isEmpty, reasons: reasons))
        }
    }

    init(unreadable error: AppReceiptError) {
        verified = false
        checks = [Check(name: "format can be read", holds: false, reasons: [error.message])]
    }

    func show(json: Bool) throws {
        if json { return try printJSON(self) }
        for check in checks {
            let reasons = check.reasons.isEmpty ? "" : ": " + check.reasons.joined(separator: "; ")
            print("\(check.holds ? "ok      " : "refused ") \(check.name)\(reasons)")
        }
    }
}
