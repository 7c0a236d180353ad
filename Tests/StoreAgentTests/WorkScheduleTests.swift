// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Testing

@testable import StoreAgent

/// The choice of the background work that starts now.
struct WorkScheduleTests {
    private struct FirstWork: BackgroundWork {
        static let name = "first"
        func pieces(_ connection: any Connection) throws -> [WorkPiece] { [] }
        func perform(_ name: String) async throws {}
    }

    private struct SecondWork: BackgroundWork {
        static let name = "second"
        func pieces(_ connection: any Connection) throws -> [WorkPiece] { [] }
        func perform(_ name: String) async throws {}
    }

    private let waiting = WorkPiece(work: FirstWork(), name: "a", isWaiting: true)

    private func start(
        _ schedule: inout WorkSchedule, _ pieces: WorkPiece..., repeatsAll: Bool = false
    ) -> [WorkPiece.ID] {
        schedule.start(pieces, repeatsAll: repeatsAll).map(\.id)
    }

    @Test("A piece that runs isn't started a second time before it has ended")
    func runningPieceIsNotStartedAgain() {
        var schedule = WorkSchedule()
        let piece = WorkPiece(work: FirstWork(), name: "a")

        #expect(start(&schedule, piece) == [piece.id])
        #expect(start(&schedule, piece, repeatsAll: true).isEmpty)
        schedule.record(ended: [piece.id], notified: [])
        #expect(start(&schedule, piece) == [piece.id])
    }

    @Test("Pieces start in the given order, and pieces of two kinds may have the same name")
    func piecesOfTwoKindsMayHaveTheSameName() {
        var schedule = WorkSchedule()
        let first = WorkPiece(work: FirstWork(), name: "a")
        let second = WorkPiece(work: SecondWork(), name: "a")

        #expect(start(&schedule, second, first) == [second.id, first.id])
    }

    @Test("A piece that waits is started once for each notification about its request")
    func waitingPieceStartsOnceForEachNotification() {
        var schedule = WorkSchedule()

        #expect(start(&schedule, waiting).isEmpty)
        schedule.record(ended: [], notified: ["a"])
        #expect(start(&schedule, waiting) == [waiting.id])
        schedule.record(ended: [waiting.id], notified: [])
        #expect(start(&schedule, waiting).isEmpty)
    }

    @Test("A notification that comes while the piece runs starts it again after its end")
    func notificationDuringARunStartsThePieceAgain() {
        var schedule = WorkSchedule()
        schedule.record(ended: [], notified: ["a"])
        #expect(start(&schedule, waiting) == [waiting.id])

        schedule.record(ended: [], notified: ["a"])
        #expect(start(&schedule, waiting).isEmpty)
        schedule.record(ended: [waiting.id], notified: [])
        #expect(start(&schedule, waiting) == [waiting.id])
    }

    @Test("Every open request is repeated when notifications may have been lost")
    func lostNotificationsRepeatEveryOpenRequest() {
        var schedule = WorkSchedule()
        let other = WorkPiece(work: SecondWork(), name: "b", isWaiting: true)

        #expect(start(&schedule, waiting, other, repeatsAll: true) == [waiting.id, other.id])
    }

    @Test("A notification about a request that isn't open is dropped")
    func notificationAboutAnUnknownRequestIsDropped() {
        var schedule = WorkSchedule()
        schedule.record(ended: [], notified: ["a"])

        #expect(start(&schedule).isEmpty)
        #expect(start(&schedule, waiting).isEmpty)
    }
}
