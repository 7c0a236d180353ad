// SPDX-License-Identifier: Apache-2.0

import StoreAgent
import StoreCore

/// A serial queue of one process, on simulated time.
final class SimulatedQueue: WorkQueue, @unchecked Sendable {  // because only the scheduler's thread touches it
    private let scheduler: Scheduler
    private let life: ProcessLife
    private let name: Int

    init(_ scheduler: Scheduler, _ life: ProcessLife) {
        self.scheduler = scheduler
        self.life = life
        name = scheduler.newName()
    }

    func async(_ work: @escaping @Sendable () -> Void) {
        scheduler.add(to: name) { [life] in
            if life.isAlive { work() }
        }
    }

    func async(after pause: Duration, _ work: @escaping @Sendable () -> Void) {
        scheduler.after(pause.milliseconds) { [self] in async(work) }
    }

    func sync(_ work: () -> Void) {
        scheduler.takeAll(of: name).forEach { $0() }
        if life.isAlive { work() }
    }
}
