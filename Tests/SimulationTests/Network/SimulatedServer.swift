// SPDX-License-Identifier: Apache-2.0

import StoreAssembly
import StoreService

/// One process of the store, from its start to its end.
final class SimulatedServer: @unchecked Sendable {  // because only the scheduler's thread touches it
    let store: Store
    var service: StoreService { store.service }
    let life: ProcessLife
    private let scheduler: Scheduler
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var endings: [Int: () -> Void] = [:]
    private var names = 0

    init(_ store: Store, _ life: ProcessLife, _ scheduler: Scheduler) {
        self.store = store
        self.life = life
        self.scheduler = scheduler
        run {
            await store.housekeeping.work()
        } answered: { _ in
        }
    }

    /// Runs the body in the process. Calls `answered` with the result if the
    /// process is still alive then.
    @discardableResult
    func run<T: Sendable>(
        _ body: @escaping @Sendable () async throws -> T, answered: @escaping (Result<T, any Error>) -> Void
    ) -> Int {
        names += 1
        let name = names
        nonisolated(unsafe) let answered = answered  // because the scheduler's thread alone calls it
        tasks[name] = Task(executorPreference: scheduler) {
            let result: Result<T, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            self.tasks[name] = nil
            if self.life.isAlive { answered(result) }
        }
        return name
    }

    func cancel(_ name: Int) {
        tasks.removeValue(forKey: name)?.cancel()
    }

    /// Calls the handler when the process ends, as the other end of a
    /// connection is notified of a reset.
    func whenEnded(_ handler: @escaping () -> Void) -> Int {
        names += 1
        endings[names] = handler
        return names
    }

    func forgetEnding(_ name: Int) {
        endings[name] = nil
    }

    func end() {
        life.end()
        for (_, task) in tasks.sorted(by: { $0.key < $1.key }) { task.cancel() }
        tasks = [:]
        for (_, ending) in endings.sorted(by: { $0.key < $1.key }) { ending() }
        endings = [:]
        service.hub.close()
    }
}
