// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import AppReceipts

/// Another implementation verifies our messages: the `openssl` command,
/// without which these tests fail.
struct OpenSSLTests {
    private let authority = Fixtures.authority

    @Test(
        "OpenSSL verifies a receipt as CMS and extracts its contents",
        arguments: [Fixtures.receipt(), Fixtures.fullReceipt])
    func verifiesTheReceipt(receipt: AppReceipt) throws {
        let directory = try TemporaryFolder()
        let paths = try write(receipt, into: directory.url)
        let contents = directory.url.appendingPathComponent("contents")

        let result = try openssl(
            "cms", "-verify", "-inform", "DER", "-in", paths.receipt, "-CAfile", paths.root, "-purpose", "any",
            "-x509_strict", "-binary", "-out", contents.path)

        #expect(result.status == 0, "\(result.output)")
        #expect(try Data(contentsOf: contents) == Data(receipt.encodedPayload()))
    }

    @Test("OpenSSL verifies a receipt as PKCS #7") func verifiesTheReceiptAsPKCS7() throws {
        let directory = try TemporaryFolder()
        let paths = try write(Fixtures.fullReceipt, into: directory.url)

        let result = try openssl(
            "smime", "-verify", "-inform", "DER", "-in", paths.receipt, "-CAfile", paths.root, "-purpose", "any",
            "-out", "/dev/null")

        #expect(result.status == 0, "\(result.output)")
    }

    @Test("OpenSSL refuses a receipt under another root") func refusesTheReceiptUnderAnotherRoot() throws {
        let directory = try TemporaryFolder()
        let paths = try write(Fixtures.receipt(), into: directory.url)
        try Fixtures.otherAuthority.rootCertificatePEM.write(toFile: paths.root, atomically: false, encoding: .utf8)

        let result = try openssl(
            "cms", "-verify", "-inform", "DER", "-in", paths.receipt, "-CAfile", paths.root, "-purpose", "any",
            "-out", "/dev/null")

        #expect(result.status != 0)
    }

    @Test("OpenSSL accepts the chain with strict checks") func acceptsTheChainStrictly() throws {
        let directory = try TemporaryFolder()
        let paths = try write(Fixtures.receipt(), into: directory.url)
        let bundle = directory.url.appendingPathComponent("bundle.pem")
        try authority.bundlePEM.write(to: bundle, atomically: false, encoding: .utf8)

        let result = try openssl(
            "verify", "-x509_strict", "-CAfile", paths.root, "-untrusted", bundle.path, "-show_chain", bundle.path)

        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("depth=2"))
    }

    @Test("OpenSSL prints the structure of a receipt, which has no signed attributes")
    func findsNothingWrongWithTheStructure() throws {
        let directory = try TemporaryFolder()
        let paths = try write(Fixtures.receipt(), into: directory.url)

        let result = try openssl("cms", "-cmsout", "-print", "-noout", "-inform", "DER", "-in", paths.receipt)

        #expect(result.status == 0)
        #expect(result.output.contains("pkcs7-data"))
        #expect(!result.output.contains("messageDigest"))
    }

    private func write(_ receipt: AppReceipt, into directory: URL) throws -> (receipt: String, root: String) {
        let receiptFile = directory.appendingPathComponent("receipt")
        let rootFile = directory.appendingPathComponent("root.pem")
        try authority.sign(receipt).write(to: receiptFile)
        try authority.rootCertificatePEM.write(to: rootFile, atomically: false, encoding: .utf8)
        return (receiptFile.path, rootFile.path)
    }
}
