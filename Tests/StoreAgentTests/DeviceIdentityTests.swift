// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

struct DeviceIdentityTests {
    private let device: Device
    private let random = AgentRandom(SeededGenerator(seed: 7))

    init() throws {
        device = try Device()
    }

    private func load(_ home: URL) throws -> DeviceIdentity {
        let folder = AgentFolder(home: home, bundleIdentifier: Device.bundle)
        try folder.create()
        return try DeviceIdentity.loadOrCreate(in: folder, files: PosixFiles(), random: random)
    }

    @Test("A device keeps its identity in a file that only its user can read")
    func identityStaysAndIsReadableByItsUserOnly() throws {
        let first = try load(device.home)

        #expect(try load(device.home) == first)
        #expect(first.identifier.count == 16)
        #expect(first.credentials.isWellFormed)
        #expect(try permissions(of: device.home.appendingPathComponent("device.json").path) == 0o600)
    }

    @Test("A copied home is a new device, and a moved home stays the same device")
    func copiedHomeIsANewDeviceAndAMovedOneTheSame() throws {
        let first = try load(device.home)
        let copy = device.folder.appendingPathComponent("copy")
        try FileManager.default.copyItem(at: device.home, to: copy)
        let moved = device.folder.appendingPathComponent("moved")
        try FileManager.default.moveItem(at: device.home, to: moved)

        #expect(try load(moved) == first)
        #expect(try load(copy) != first)
        #expect(try load(copy) == load(copy))
    }

    @Test("The journal of a copied home sends none of its entries")
    func journalOfACopiedHomeSendsNothing() async throws {
        let store = ScriptedStore()
        let first = try device.process(store)
        try first.agent.add(.apple)
        first.agent.close()
        let folder = AgentFolder(home: device.home, bundleIdentifier: Device.bundle)

        let journal = try Journal(try PosixSystem().openJournal(folder.journal), device: "another")

        let entries = try await journal.database.read { connection in
            try JournalEntry.load(connection, in: JournalEntry.Phase.allCases)
        }
        #expect(entries.isEmpty)
    }

    @Test("A damaged identity is an error that names the file") func damagedIdentityIsAnErrorThatNamesTheFile() throws {
        _ = try load(device.home)
        let file = device.home.appendingPathComponent("device.json")
        try Data("{".utf8).write(to: file)

        let error = #expect(throws: AgentError.self) { try load(device.home) }
        #expect(error?.message.contains(file.path) == true)
    }
}
