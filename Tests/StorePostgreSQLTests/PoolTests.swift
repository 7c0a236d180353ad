// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreTestSupport
import Testing

@testable import StorePostgreSQL

/// Tests of the pool that need no server.
struct PoolTests {
    private func work(_ kind: PooledWork.Kind, isExclusive: Bool = false) -> PooledWork {
        let scope = ClosureScope(of: Log())
        let job = ClosureJob(scope: scope, { _ in }, answer: { (_: Result<Void, any Error>) in })
        var work = PooledWork(kind: kind, job: job, added: .now)
        work.isExclusive = isExclusive
        return work
    }

    private func all(_ scheduler: inout WorkScheduler) -> [PooledWork] {
        var taken: [PooledWork] = []
        while let next = scheduler.take() { taken.append(next) }
        return taken
    }

    @Test("FIFOQueue gives its elements in the order of their arrival") func theFirstInLineComesFirst() {
        var line = FIFOQueue<Int>()
        var taken: [Int] = []
        for number in 0..<100 {
            line.append(number)
            if number % 3 == 0, let first = line.popFirst() { taken.append(first) }
        }
        while let next = line.popFirst() { taken.append(next) }

        #expect(taken == Array(0..<100))
        #expect(line.isEmpty)
    }

    @Test("The scheduler runs one write of an account at a time") func anAccountHasOneLane() throws {
        var scheduler = WorkScheduler()
        for kind in [PooledWork.Kind.write(.account("ann")), .write(.account("ann")), .write(.account("bob")), .read] {
            scheduler.enter(work(kind))
        }

        let firstTaken = scheduler.take()
        let first = try #require(firstTaken)
        #expect(first.kind == .write(.account("ann")))
        #expect(all(&scheduler).map(\.kind) == [.write(.account("bob")), .read])
        scheduler.leave(first)
        #expect(all(&scheduler).map(\.kind) == [.write(.account("ann"))])
    }

    @Test("An exclusive write waits for the writes before it and runs alone")
    func aLonelyWriteWaitsForTheOthersAndThenRunsAlone() throws {
        var scheduler = WorkScheduler()
        scheduler.enter(work(.write(.all)))
        scheduler.enter(work(.write(.all), isExclusive: true))
        scheduler.enter(work(.write(.all)))

        let firstTaken = scheduler.take()
        let first = try #require(firstTaken)
        #expect(!first.isExclusive && all(&scheduler).isEmpty)
        scheduler.leave(first)
        let secondTaken = scheduler.take()
        let second = try #require(secondTaken)
        #expect(second.isExclusive && all(&scheduler).isEmpty)
        scheduler.leave(second)
        #expect(all(&scheduler).map(\.isExclusive) == [false])
    }

    @Test("The pauses between attempts grow up to a limit and vary") func pausesGrowAndDiffer() {
        let pauses = RetryPauses(SystemRandomNumberGenerator())
        for (attempts, whole) in [(1, 10), (2, 20), (3, 40), (4, 50), (40, 50)] {
            let pauses = (0..<50).map { _ in
                pauses.pause(after: attempts, first: .milliseconds(10), longest: .milliseconds(50))
            }
            #expect(pauses.allSatisfy { $0 >= .milliseconds(whole) / 2 && $0 <= .milliseconds(whole) })
            #expect(Set(pauses).count > 1)
        }
    }

    @Test("A query is prepared, and a statement that changes the schema is recognised") func statementsAreToldApart() {
        #expect(Statement("SELECT $1").isPrepared)
        #expect(!Statement("CREATE TABLE a (b TEXT)").isPrepared)
        #expect(Statement("-- note\nALTER TABLE a ADD b TEXT").changesSchema)
        #expect(!Statement("UPDATE a SET b = 'DROP'").changesSchema)
    }

    @Test("Writes of keys go on while a write of all rows runs alone after its conflicts")
    func besideAnExclusiveWrite() {
        var scheduler = WorkScheduler()
        scheduler.enter(work(.write(.all), isExclusive: true))
        scheduler.enter(work(.write(.all)))
        scheduler.enter(work(.write(.key("phone"))))

        #expect(all(&scheduler).map(\.kind) == [.write(.all), .write(.key("phone"))])
    }
}
