// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The contract between sellers and the operator.
struct AgreementTests {
    private static let app = "com.example.basket"
    private static let bank = Payee.BankValues(holder: "Basket Ltd", iban: "DE89 3704 0044 0532 0130 00", bic: "")
    private static let tax = Payee.TaxValues(
        legalName: "Basket Ltd", address: "1 Fruit Street", country: "gbr", number: "GB123456789")

    /// The products of the other team's app that a device can buy.
    private func sold(_ device: TestDevice) async throws -> [String] {
        let identifiers = ["banana", "free"]
        let answer = try await device.call(
            ProductsCall(bundleIdentifier: Self.app, productIdentifiers: identifiers, languages: ["en_US"]))
        #expect(Set(answer.products.map(\.productIdentifier) + answer.invalidProductIdentifiers) == Set(identifiers))
        return answer.products.map(\.productIdentifier).sorted()
    }

    /// Another team than the operator's, with a product that costs money and
    /// one that is free, which the operator has approved.
    private func withSeller(
        _ engine: Engine, log: RecordingLogHandler? = nil,
        _ body: (_ store: TestStore, _ seller: TeamUser, _ phone: TestDevice) async throws -> Void
    ) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: .production, log: log)
            let seller = try await store.setUpTeam("other", holder: "seller@other.example")
            _ = try await store.service.registeringApp()(
                AppRegistration.Values(bundleIdentifier: Self.app, name: "Basket", sku: "1", primaryLocale: "en_US"),
                by: seller)
            let registering = try store.service.registeringProduct()
            for (name, tier) in [("banana", "1"), ("free", "0")] {
                try await store.registerProduct(
                    name, in: Self.app, values: TestStore.productValues(tier: tier), by: seller)
                try await registering.submit(
                    ProductIdentifier(name), of: BundleIdentifier(Self.app), version: 1, by: seller)
                try await ReviewingProducts(store.context).decide(
                    .approve, on: ProductIdentifier(name), of: BundleIdentifier(Self.app))
            }
            try await body(store, seller, try await store.addDevice())
        }
    }

    @Test(
        "Production sells a seller's products that cost money from the acceptance of the contract on, with both forms",
        arguments: Engine.stores)
    func whole(engine: Engine) async throws {
        let log = RecordingLogHandler()
        try await withSeller(engine, log: log) { store, seller, phone in
            #expect(try await sold(phone) == ["free"], "A free product needs no contract.")
            #expect(log.lines.contains { $0.contains("no contract in force") && $0.contains("banana") })
            let signing = try store.service.signingAgreements()
            await #expect(throws: DomainError.changed, "There is no version.") {
                try await signing.accept(1, by: seller)
            }
            try await PublishingContract(store.context)("Sellers get 70 percent.", days: 30)
            try await signing.accept(1, by: seller)
            try await signing.setBank(Self.bank, version: 0, by: seller)
            #expect(try await sold(phone) == ["free"], "The tax form is missing.")
            #expect(try await signing.agreements(as: seller).missing == [.tax])
            await #expect(throws: DomainError.changed) {
                try await signing.setTax(Self.tax, version: 0, by: seller)
            }
            try await signing.setTax(Self.tax, version: 1, by: seller)
            #expect(try await sold(phone) == ["banana", "free"])
            #expect(try await signing.agreements(as: seller).missing.isEmpty)
        }
    }

    @Test("A free subscription with an offer that costs money needs the contract, and one with a free offer doesn't")
    func offers() {
        var product = Product(
            bundleIdentifier: BundleIdentifier(Self.app), productIdentifier: "monthly", kind: .autoRenewable,
            referenceName: "Monthly", milliunits: 0, localizations: [])
        product.lacksContract = true
        let period = SubscriptionPeriod(1, .month)
        product.offers = [Product.Offer(.introductory, mode: .free, period: period, milliunits: 990)]
        #expect(!product.isWithoutContract(in: .unitedStates) && !product.costsMoney)
        product.offers.append(
            Product.Offer(.promotional, identifier: "year", mode: .payUpFront, period: period, milliunits: 9990))
        #expect(product.isWithoutContract(in: .unitedStates) && product.costsMoney)
    }

    @Test("A new version is accepted again until it is due, and then nothing is sold", arguments: Engine.stores)
    func versions(engine: Engine) async throws {
        try await withSeller(engine) { store, seller, phone in
            let (signing, publishing) = (try store.service.signingAgreements(), PublishingContract(store.context))
            try await publishing("Sellers get 70 percent.", days: 30)
            try await signing.accept(1, by: seller)
            try await signing.setBank(Self.bank, version: 0, by: seller)
            try await signing.setTax(Self.tax, version: 1, by: seller)
            let second = try await publishing("Sellers get 85 percent.", days: 2)
            #expect(second.number == 2)
            #expect(try await publishing("Sellers get 85 percent.", days: 2) == second, "The same text is one version.")
            #expect(try await signing.agreements(as: seller).isOpen)
            store.clock.advance(by: .seconds(2 * 86_400 - 1))
            #expect(try await sold(phone) == ["banana", "free"])
            store.clock.advance(by: .seconds(1))
            #expect(try await sold(phone) == ["free"])
            let anna = try await store.addAccount()
            let call = PaymentCall(
                requestIdentifier: "r1", bundleIdentifier: Self.app, productIdentifier: "banana", quantity: 1)
            if let sheet = try await phone.call(call).sheet {
                _ = try? await store.service.buy(onSheet: phone.token(sheet), as: anna, shown: nil)
            }
            let failure = try await phone.call(call).failure
            #expect("\(String(describing: failure))".contains("no contract in force"))
            #expect(try await store.ledger().isEmpty)
            await #expect(throws: DomainError.changed, "Version 1 isn't the newest one.") {
                try await signing.accept(1, by: seller)
            }
            try await signing.accept(2, by: seller)
            try await signing.accept(2, by: seller)
            #expect(try await sold(phone) == ["banana", "free"])
            let log = try await store.service.teamReader.changes(containing: "contract-accepted", as: seller).entries
            #expect(log.map(\.subject) == ["version 2", "version 1"])
            #expect(try await publishing.teams().map(\.missing) == [[]])
        }
    }

    @Test(
        "The operator's own team, whose apps come from files, and the sandbox need no contract",
        arguments: Engine.stores)
    func unbound(engine: Engine) async throws {
        try await withSeller(engine) { store, seller, phone in
            let answer = try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: ["apple"], languages: ["en_US"]))
            #expect(answer.products.map(\.productIdentifier) == ["apple"])
            let sandbox = try await TestStore(store.context.database)
            #expect(try await sold(try await sandbox.addDevice(2)) == ["banana", "free"])
            let holder = try await store.setUpTeam()
            let agreements = try await store.service.agreementReader.agreements(as: holder)
            #expect(agreements.missing.isEmpty && agreements.isOperator)
        }
    }

    @Test("Bank and tax numbers are in no log", arguments: Engine.stores)
    func secrets(engine: Engine) async throws {
        let log = RecordingLogHandler()
        try await withSeller(engine, log: log) { store, seller, _ in
            let signing = try store.service.signingAgreements()
            try await signing.setBank(Self.bank, version: 0, by: seller)
            try await signing.setTax(Self.tax, version: 1, by: seller)
            let changes = try await store.service.teamReader.changes(as: seller).entries.map { "\($0)" }
            for text in changes + log.lines {
                #expect(!text.contains("0532013000") && !text.contains("123456789"), "\(text)")
            }
            #expect(changes.contains { $0.contains("DE•••3000") })
        }
    }

    @Test("Forms with wrong values save nothing, and name the fields", arguments: Engine.stores)
    func wrong(engine: Engine) async throws {
        try await withSeller(engine) { store, seller, _ in
            let signing = try store.service.signingAgreements()
            await #expect(
                throws: InvalidFields(problems: [
                    FieldProblem(field: "holder", kind: .missing), FieldProblem(field: "iban", kind: .malformed),
                    FieldProblem(field: "bic", kind: .malformed),
                ])
            ) {
                try await signing.setBank(
                    Payee.BankValues(holder: "", iban: "DE88 3704 0044 0532 0130 00", bic: "X"), version: 0, by: seller)
            }
            await #expect(throws: InvalidFields.self) {
                try await signing.setTax(
                    Payee.TaxValues(legalName: "A", address: "B", country: "Germany", number: ""), version: 0,
                    by: seller)
            }
            await #expect(throws: DomainError.self) { try await PublishingContract(store.context)(" ", days: 1) }
            await #expect(throws: DomainError.self) { try await PublishingContract(store.context)("A", days: 366) }
            #expect(try await store.count("team_payee") == 0)
        }
    }

    @Test(
        "The check digits of an IBAN are checked",
        arguments: [
            ("GB82 WEST 1234 5698 7654 32", true), ("gb82west12345698765432", true), ("DE89370400440532013000", true),
            ("FR1420041010050500013M02606", true), ("NO9386011117947", true), ("DE98370400440532013000", false),
            ("GB82WEST12345698765423", false), ("DE8937040044053201300", false), ("", false), ("DE", false),
            ("ÄÖ89370400440532013000", false), ("DE89٣704004405320130", false), ("XX00000000000000000", false),
        ])
    func iban(text: String, isRight: Bool) {
        #expect((IBAN(text) != nil) == isRight)
    }
}
