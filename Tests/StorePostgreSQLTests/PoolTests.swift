// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Testing

@testable import StorePostgreSQL

/// Tests of the pool that need no server.
struct PoolTests {
    private func work(_ kind: Work.Kind, isAlone: Bool = false) -> Work {
        let scope = ClosureScope(of: Log())
        let job = ClosureJob(scope: scope, { _ in }, answer: { (_: Result<Void, any Error>) in })
        var work = Work(kind: kind, job: job, added: .now)
        work.isAlone = isAlone
        return work
    }

    private func all(_ lanes: inout Lanes) -> [Work] {
        var taken: [Work] = []
        while let next = lanes.take() { taken.append(next) }
        return taken
    }

    @Test func theFirstInLineComesFirst() {
        var line = Line<Int>()
        var taken: [Int] = []
        for number in 0..<100 {
            line.append(number)
            if number % 3 == 0, let first = line.popFirst() { taken.append(first) }
        }
        while let next = line.popFirst() { taken.append(next) }

        #expect(taken == Array(0..<100))
        #expect(line.isEmpty)
    }

    @Test func anAccountHasOneLane() throws {
        var lanes = Lanes()
        for kind in [Work.Kind.account("ann"), .account("ann"), .account("bob"), .read] { lanes.enter(work(kind)) }

        let firstTaken = lanes.take()
        let first = try #require(firstTaken)
        #expect(first.kind == .account("ann"))
        #expect(all(&lanes).map(\.kind) == [.account("bob"), .read])
        lanes.leave(first)
        #expect(all(&lanes).map(\.kind) == [.account("ann")])
    }

    @Test func aLonelyWriteWaitsForTheOthersAndThenRunsAlone() throws {
        var lanes = Lanes()
        lanes.enter(work(.write))
        lanes.enter(work(.write, isAlone: true))
        lanes.enter(work(.write))

        let firstTaken = lanes.take()
        let first = try #require(firstTaken)
        #expect(!first.isAlone && all(&lanes).isEmpty)
        lanes.leave(first)
        let secondTaken = lanes.take()
        let second = try #require(secondTaken)
        #expect(second.isAlone && all(&lanes).isEmpty)
        lanes.leave(second)
        #expect(all(&lanes).map(\.isAlone) == [false])
    }

    @Test func pausesGrowAndDiffer() {
        let backoff = Backoff(SystemRandomNumberGenerator())
        for (attempts, whole) in [(1, 10), (2, 20), (3, 40), (4, 50), (40, 50)] {
            let pauses = (0..<50).map { _ in
                backoff.pause(after: attempts, first: .milliseconds(10), longest: .milliseconds(50))
            }
            #expect(pauses.allSatisfy { $0 >= .milliseconds(whole) / 2 && $0 <= .milliseconds(whole) })
            #expect(Set(pauses).count > 1)
        }
    }

    @Test func statementsAreToldApart() {
        #expect(Statement("SELECT $1").isPrepared)
        #expect(!Statement("CREATE TABLE a (b TEXT)").isPrepared)
        #expect(Statement("-- note\nALTER TABLE a ADD b TEXT").changesSchema)
        #expect(!Statement("UPDATE a SET b = 'DROP'").changesSchema)
    }
}
