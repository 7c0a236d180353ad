// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

struct CodeCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a batch of codes for a product's offer, or promo codes for a product or an app.",
        discussion: """
            The codes are derived from a file, which the command writes first: `storectl code export` reads it. A \
            command that was interrupted is repeated with --repeat and the file, and makes the same codes.
            """)

    @Option(help: "The bundle identifier of the app.")
    var bundleID: String?

    @Option(help: "The product's identifier. Without it, the codes are promo codes of the app itself.")
    var product: String?

    @Option(help: "The name of the product's code offer. Without it, the codes are promo codes.")
    var offer: String?

    @Option(help: "Your own name for the batch. Default: its identifier.")
    var name: String?

    @Option(help: "The number of codes.")
    var count: Int?

    @Option(help: "A code of your own, of 4 to 64 letters, digits and hyphens, that many customers redeem.")
    var custom: String?

    @Option(help: "How often the code of your own can be redeemed.")
    var limit: Int?

    @Option(help: "The end of the codes, such as 2026-12-31T00:00:00Z.")
    var expires: String?

    @Option(help: ArgumentHelp("The new file. Default: OfferCodes_<batch>.json.", valueName: "file"))
    var output: String?

    @Option(name: .customLong("repeat"), help: ArgumentHelp("Repeat the command of a file.", valueName: "file"))
    var repeated: String?

    @OptionGroup var store: AdministeredStore

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if repeated != nil {
            guard bundleID == nil, product == nil, offer == nil, custom == nil, count == nil, limit == nil,
                expires == nil, name == nil, output == nil
            else { throw ValidationError("--repeat takes all values from its file.") }
            return
        }
        guard bundleID != nil else { throw ValidationError("Name --bundle-id.") }
        guard product != "" else {
            throw ValidationError("--product is empty: name a product, or leave it out for codes of the app itself.")
        }
        guard product != nil || offer == nil else { throw ValidationError("An --offer is one of a --product.") }
        guard (custom == nil) == (limit == nil) else {
            throw ValidationError("A code of your own has --custom and --limit.")
        }
        guard (custom == nil) != (count == nil) else { throw ValidationError("Name either --count or --custom.") }
        if custom != nil, offer == nil { throw ValidationError("A code of your own is for an --offer.") }
        _ = try expiry()
    }

    func run() async throws {
        try await storectl.run {
            let file = try repeated.map(CodeFile.init(path:)) ?? CodeFile(try newCall())
            let path = repeated ?? output ?? "OfferCodes_\(file.batch).json"
            // Written first: codes without their file can't be exported.
            if repeated == nil { try file.create(path) }
            let call = file.call
            let answer: Control.CreateCodesAnswer
            do {
                answer = try await store.call(.createCodes, call) { context in
                    try await Control.CreateCodesAnswer(creating: call, in: context)
                }
            } catch let failure as CommandFailure where failure.isTemporary {
                throw CommandFailure(
                    "\(failure.description) The store may have made a part of the codes: complete them with "
                        + "`storectl code create --repeat \(path)`.")
            } catch  where error is DomainError || error is CommandFailure {
                // The store has refused the batch.
                if repeated == nil { try? FileManager.default.removeItem(atPath: path) }
                throw error
            }
            if json { return try printJSON(answer.batch) }
            print(
                "The batch \(answer.batch.batch) has \(answer.codes.count) codes; its file is \(path). Keep the file "
                    + "secret: it has the codes. `storectl code export \(path)` prints them.")
        }
    }

    private func newCall() throws -> Control.CreateCodesCall {
        let random = SystemDependencies.random
        let batch = random.hexadecimal(bytes: 8)
        let kind: OfferCodeBatch.Kind = custom != nil ? .custom : offer == nil ? .promo : .oneTime
        return Control.CreateCodesCall(
            batch: batch, bundle: bundleID ?? "", product: product ?? "", kind: kind.rawValue, offer: offer,
            name: name ?? batch, size: count, limit: limit, expires: try expiry(),
            seed: custom == nil ? random.bytes(OfferCodeText.seedLength) : nil, code: custom)
    }

    /// The end in milliseconds since 1970.
    private func expiry() throws -> Int64? {
        guard let expires else { return nil }
        guard let date = try? Date(expires, strategy: .iso8601) else {
            throw ValidationError("\"\(expires)\" is no time: write one such as 2026-12-31T00:00:00Z.")
        }
        return WallTime(date).milliseconds
    }
}
