// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The images of apps and products in Connect, and the promoted products.
struct RegistrationImageTests {
    private static let app = BundleIdentifier(TestStore.bundleIdentifier)
    private static let square = TestImage.png(width: 1024, height: 1024)

    private func problem(_ bytes: Data, _ purpose: RegistrationImage.Purpose) -> FieldProblem.Kind? {
        do {
            _ = try RegistrationImage(checking: bytes, for: purpose)
            return nil
        } catch let error as InvalidFields {
            return error.problems.first?.kind
        } catch {
            return nil
        }
    }

    @Test("An image is PNG or JPEG by its own bytes, and has the size of its purpose")
    func formats() throws {
        #expect(problem(Self.square, .icon) == nil)
        #expect(problem(TestImage.jpeg(width: 1024, height: 1024), .promotion) == nil)
        #expect(problem(TestImage.png(width: 640, height: 920, hasAlpha: true), .review) == nil)
        #expect(problem(TestImage.jpeg(width: 2796, height: 1290), .review) == nil)
        #expect(problem(Data(), .icon) == .missing)
        #expect(problem(TestImage.png(width: 1024, height: 1023), .icon) == .wrongSize)
        #expect(problem(TestImage.png(width: 639, height: 2000), .review) == .wrongSize)
        #expect(problem(TestImage.png(width: 700, height: 9000), .review) == .wrongSize)
        #expect(problem(TestImage.png(width: 1024, height: 1024, hasAlpha: true), .promotion) == .transparent)
        let large = Self.square + Data(count: RegistrationImage.largest)
        #expect(problem(large, .icon) == .fileTooLarge)
    }

    private static let notImages: [Data] = [
        Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), Data("<html><script>".utf8), Data("GIF89a".utf8),
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), Data([0xFF, 0xD8, 0xFF, 0xD9]),
        Data(square.dropLast(3)), square + Data("<script>".utf8),
        TestImage.png(width: 0, height: 1024), TestImage.jpeg(width: 1024, height: 0),
        Data(TestImage.jpeg(width: 1024, height: 1024).prefix(26)),
    ]

    @Test("Bytes that aren't an image of the two kinds are refused", arguments: notImages)
    func others(bytes: Data) {
        #expect(problem(bytes, .icon) == .malformed)
    }

    @Test("Each cut of an image is read without a fault")
    func cuts() {
        for image in [TestImage.png(width: 1024, height: 1024), TestImage.jpeg(width: 1024, height: 1024)] {
            for length in 0..<image.count { _ = PictureFormat(image.prefix(length)) }
            for place in image.indices {
                var changed = image
                changed[place] = 0xFF
                _ = PictureFormat(changed)
            }
        }
    }

    @Test(
        "A product is submitted with a screenshot, which only the team and the reviewer see", arguments: Engine.stores,
        [StoreEnvironment.production, .sandbox])
    func screenshot(engine: Engine, environment: StoreEnvironment) async throws {
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, environment: environment)
            let holder = try await store.setUpTeam()
            let other = try await store.setUpTeam("other", holder: "holder@other.example")
            let registering = try store.service.registeringProduct()
            try await store.registerProduct("bare", by: holder)
            try await store.service.registeringImage().remove(.review, of: "bare", in: Self.app, by: holder)
            await #expect(throws: DomainError.self) {
                try await registering.submit("bare", of: Self.app, version: 1, by: holder)
            }
            #expect(try await store.registration("bare", as: holder).missingForReview == [.screenshot])

            try await store.addScreenshot(of: "bare", by: holder)
            try await registering.submit("bare", of: Self.app, version: 1, by: holder)
            let reviewing = ReviewingProducts(store.context)
            let seen = try await reviewing.submission(of: "bare", in: Self.app, withScreenshot: true)
            #expect(seen.screenshotBytes == TestImage.png(width: 640, height: 920))
            #expect(seen.values.contains { $0.name == "display name en_US" && $0.value == "Banana" })
            let digest = try #require(seen.screenshot?.digest)
            _ = try await store.service.imageReader.bytes(of: digest, product: "bare", in: Self.app, as: holder)
            await #expect(throws: DomainError.self, "Another team doesn't see it.") {
                try await store.service.imageReader.bytes(of: digest, product: "bare", in: Self.app, as: other)
            }
            try await store.addItem(5, app: Self.app)
            await #expect(throws: DomainError.self, "A customer doesn't see it.") {
                try await store.service.artwork(digest, of: 5)
            }

            // Another screenshot is a change that the reviewer hasn't seen.
            let image = TestImage.png(width: 700, height: 1000)
            try await store.service.registeringImage()(image, for: .review, of: "bare", in: Self.app, by: holder)
            await #expect(throws: DomainError.changed) {
                try await reviewing.decide(
                    .approve, on: "bare", of: Self.app, version: seen.registration.version)
            }
        }
    }

    @Test("The seller's note reaches the reviewer", arguments: Engine.stores)
    func note(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            var values = TestStore.productValues()
            values.reviewNote = "Sign in as tester.\nThen tap the banana."
            try await store.registerProduct(values: values, by: holder)
            let found = try await ReviewingProducts(store.context).submission(
                of: "banana", in: Self.app, withScreenshot: false)
            #expect(found.registration.reviewNote == values.reviewNote && found.screenshot == nil)
            await #expect(throws: DomainError.self) {
                try await ReviewingProducts(store.context).submission(
                    of: "unknown", in: Self.app, withScreenshot: false)
            }
        }
    }

    @Test(
        "A product with an image is promoted, moved, hidden and shown, and the store's page follows",
        arguments: Engine.stores)
    func promotion(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            try await store.addItem(5, app: Self.app)
            let (images, promoting) = (try store.service.registeringImage(), try store.service.arrangingPromotions())
            await #expect(throws: DomainError.self, "It has no image.") {
                try await promoting(.add, "apple", of: Self.app, before: "", by: holder)
            }
            for (mark, product) in [("a", "apple"), ("p", "pear")] {
                let image = TestImage.png(width: 1024, height: 1024, mark: mark)
                try await images(image, for: .promotion, of: ProductIdentifier(product), in: Self.app, by: holder)
            }
            try await promoting(.add, "apple", of: Self.app, before: "", by: holder)
            try await promoting(.add, "pear", of: Self.app, before: "apple", by: holder)
            // A change of the same user at the same moment counts as a repetition after a lost commit.
            store.clock.advance(by: .seconds(1))
            await #expect(throws: DomainError.changed) {
                try await promoting(.up, "pear", of: Self.app, before: "apple", by: holder)
            }
            try await promoting(.up, "pear", of: Self.app, before: "apple, pear", by: holder)
            try await promoting(.hide, "apple", of: Self.app, before: "pear, apple", by: holder)
            var page = try await store.service.itemPage(5, in: .unitedStates)
            #expect(page.promoted.map(\.productIdentifier) == ["pear"])
            let digest = try #require(page.images["pear"])
            let image = try await store.service.artwork(digest, of: 5)
            #expect(image.type == "image/png" && image.bytes == TestImage.png(width: 1024, height: 1024, mark: "p"))
            page = try await store.service.itemPage(5, in: .unitedStates, DevicePromotions(shown: ["apple"]))
            #expect(page.promoted.map(\.productIdentifier) == ["pear", "apple"])
            await #expect(throws: DomainError.self, "A promoted product keeps its image.") {
                try await images.remove(.promotion, of: "pear", in: Self.app, by: holder)
            }
            try await promoting(.remove, "pear", of: Self.app, before: "pear, apple (hidden)", by: holder)
            try await images.remove(.promotion, of: "pear", in: Self.app, by: holder)
            try await promoting(.show, "apple", of: Self.app, before: "apple (hidden)", by: holder)
            #expect(
                try await store.service.itemPage(5, in: .unitedStates).promoted.map(\.productIdentifier) == ["apple"])

            #expect(try await store.service.itemPage(5, in: .unitedStates).icon == nil)
            try await images(Self.square, for: .icon, of: nil, in: Self.app, by: holder)
            let icon = try #require(try await store.service.itemPage(5, in: .unitedStates).icon)
            #expect(try await store.service.artwork(icon, of: 5).bytes == Self.square)
            let log = try await store.service.teamReader.changes(containing: "promotion-changed", as: holder).entries
            #expect(log.last?.after == "apple" && log.count == 6)
        }
    }

    @Test("A refused image leaves the earlier one")
    func refused() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let holder = try await store.setUpTeam()
            let images = try store.service.registeringImage()
            try await images(Self.square, for: .icon, of: nil, in: Self.app, by: holder)
            let before = try await images.all(of: nil, in: Self.app, as: holder)
            await #expect(throws: InvalidFields.self) {
                try await images(Self.square.dropLast(1), for: .icon, of: nil, in: Self.app, by: holder)
            }
            #expect(try await images.all(of: nil, in: Self.app, as: holder) == before)
        }
    }
}
