// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StoreTestSupport
import Testing

@testable import StoreAgent

@Suite(.timeLimit(.hang))
struct DiskTests {
    /// Writes rows until the power fails. Returns the number of writes that
    /// were answered, and the number of rows found after the restart; `nil`
    /// if the database can't be read then.
    private func writeUntilPowerGoes(_ seed: UInt64, lies: Bool) throws -> (answered: Int, found: Int?) {
        let folder = try TemporaryFolder()
        let disk = SimulatedDisk()
        var random = SeededGenerator(seed: seed)
        let first = ProcessLife("first", on: disk)
        SimulatedVFS.mount(first, at: folder.path("first"))
        let database = try SQLiteDatabase(.file(folder.path("first/test.sqlite")))
        try database.write { try $0.run("CREATE TABLE line (number BIGINT PRIMARY KEY, text TEXT)") }
        disk.lies = lies
        disk.fail(afterChanges: Int(random.next() % 200))
        var answered = 0
        let text = String(repeating: "x", count: 3000)
        while !disk.isDown {
            let number = answered + 1
            do {
                try database.write { try $0.run("INSERT INTO line VALUES ($1, $2)", [number, text]) }
                answered = number
            } catch {
                #expect(disk.isDown)
            }
        }
        first.end()
        disk.restart(&random)

        let second = ProcessLife("second", on: disk)
        SimulatedVFS.mount(second, at: folder.path("second"))
        defer { for name in ["first", "second"] { SimulatedVFS.unmount(folder.path(name)) } }
        let found = try? SQLiteDatabase(.file(folder.path("second/test.sqlite"))).read { connection -> Int in
            try connection.row("SELECT count(*) AS n FROM line")?.get("n") ?? 0
        }
        return (answered, found)
    }

    @Test("Every write answered before the power cut is there, and at most one more", arguments: 1...40)
    func synchronised(seed: Int) throws {
        let (answered, found) = try writeUntilPowerGoes(UInt64(seed), lies: false)
        #expect(found == answered || found == answered + 1, "\(answered) were answered, \(found ?? -1) found")
    }

    @Test(
        "Rows that a process finds at its start survive a power cut, though their writer was killed before the flush",
        arguments: 1...60)
    func found(seed: Int) throws {
        let folder = try TemporaryFolder()
        let disk = SimulatedDisk()
        var random = SeededGenerator(seed: UInt64(seed))
        let lives = ["first", "second", "third"].map { ProcessLife($0, on: disk) }
        for life in lives { SimulatedVFS.mount(life, at: folder.path(life.name)) }
        defer { for life in lives { SimulatedVFS.unmount(folder.path(life.name)) } }
        let first = try SQLiteDatabase(.file(folder.path("first/test.sqlite")))
        try first.write { try $0.run("CREATE TABLE line (number BIGINT)") }
        lives[0].end(afterChanges: Int(random.next() % 40))
        #expect(throws: DatabaseError.self) {
            for number in 1...100 { try first.write { try $0.run("INSERT INTO line VALUES ($1)", [number]) } }
        }

        let second = try SQLiteDatabase(.file(folder.path("second/test.sqlite")))
        let found = try lines(of: second)
        // The second process has read the rows, and ends without closing the database.
        withExtendedLifetime(second) { lives[1].end() }
        disk.restart(&random)

        #expect(try lines(of: SQLiteDatabase(.file(folder.path("third/test.sqlite")))) == found)
    }

    @Test("A device is who it was found to be, though who made it so was killed before its name lasted")
    func identity() throws {
        var random = SeededGenerator(seed: 1)
        for changes in 0...12 {
            let disk = SimulatedDisk()
            let lives = ["first", "second", "third"].map { ProcessLife($0, on: disk) }
            func identify(_ life: ProcessLife) throws -> DeviceIdentity {
                let root = "/" + life.name
                let folder = AgentFolder(
                    home: URL(fileURLWithPath: root + "/home"), bundleIdentifier: "com.example.fruit")
                return try DeviceIdentity.loadOrCreate(
                    in: folder, files: SimulatedFiles(life: life, root: root),
                    random: AgentRandom(SeededGenerator(seed: random.next())))
            }
            lives[0].end(afterChanges: changes)
            _ = try? identify(lives[0])
            lives[0].end()
            let second = try identify(lives[1])
            lives[1].end()
            disk.restart(&random)
            #expect(try identify(lives[2]) == second, "after \(changes) changes")
        }
    }

    private func lines(of database: SQLiteDatabase) throws -> Int {
        try database.read { try $0.row("SELECT count(*) AS n FROM line")?.get("n") ?? 0 }
    }

    @Test("A disk that lies loses answered writes")
    func lying() throws {
        let losses = try (1...40).filter { seed in
            let (answered, found) = try writeUntilPowerGoes(UInt64(seed), lies: true)
            return found.map { $0 < answered } ?? true
        }
        #expect(losses.count > 5)
    }

    @Test("A full disk refuses changes that make files grow, and works again when there is room")
    func full() throws {
        let folder = try TemporaryFolder()
        let disk = SimulatedDisk()
        let life = ProcessLife("process", on: disk)
        SimulatedVFS.mount(life, at: folder.path("process"))
        defer { SimulatedVFS.unmount(folder.path("process")) }
        let database = try SQLiteDatabase(.file(folder.path("process/test.sqlite")))
        try database.write { try $0.run("CREATE TABLE line (text TEXT)") }
        let text = String(repeating: "x", count: 100_000)
        disk.setFull(true)
        #expect(throws: DatabaseError(.diskFull, "")) {
            try database.write { try $0.run("INSERT INTO line VALUES ($1)", [text]) }
        }
        disk.setFull(false)
        try database.write { try $0.run("INSERT INTO line VALUES ($1)", [text]) }
        let lines = try database.read { try $0.rows("SELECT text FROM line").count }
        #expect(lines == 1)
    }

    @Test("Two processes share a file, and a killed one leaves its committed rows and no lock")
    func processes() throws {
        let folder = try TemporaryFolder()
        let disk = SimulatedDisk()
        let lives = ["one", "two"].map { ProcessLife($0, on: disk) }
        for life in lives { SimulatedVFS.mount(life, at: folder.path(life.name)) }
        defer { for life in lives { SimulatedVFS.unmount(folder.path(life.name)) } }
        let one = try SQLiteDatabase(.file(folder.path("one/test.sqlite")))
        try one.write { try $0.run("CREATE TABLE line (number BIGINT)") }
        let two = try SQLiteDatabase(.file(folder.path("two/test.sqlite")))
        try two.write { try $0.run("INSERT INTO line VALUES (1)") }
        #expect(try one.read { try $0.rows("SELECT number FROM line").count } == 1)

        lives[0].end(afterChanges: 1)
        #expect(throws: DatabaseError.self) { try one.write { try $0.run("INSERT INTO line VALUES (2)") } }
        try two.write { try $0.run("INSERT INTO line VALUES (3)") }
        let numbers: [Int] = try two.read { try $0.rows("SELECT number FROM line").map { try $0.get("number") } }
        #expect(numbers == [1, 3])
    }
}
