// SPDX-License-Identifier: Apache-2.0

import Foundation

/// nginx with sendfile, which serves the objects of a folder of content.
enum Nginx {
    /// The path of an object's file: those of the folder's last three names.
    static func path(of object: URL) -> String { "/" + object.pathComponents.suffix(3).joined(separator: "/") }

    /// Runs nginx while a closure runs. The folder of content may be made
    /// later.
    ///
    /// - Throws: ``BenchmarkFailure`` when nginx isn't installed, and the
    ///   closure's error.
    static func serving<T: Sendable>(
        _ content: URL, in folder: URL, _ body: (_ port: Int) async throws -> T
    ) async throws -> T {
        let port = try LoopbackSocket.freePort()
        let place = folder.appending(path: "nginx", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(configuration(content, port, place).utf8).write(to: place.appending(path: "nginx.conf"))
        let process = try await onThreads(1) { _ in
            Tool.allowSignals()
            return try start(in: place)
        }[0]
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        try await wait(for: process, port, in: place)
        return try await body(port)
    }

    private static func start(in place: URL) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["nginx", "-p", place.path, "-c", "nginx.conf", "-e", "error.log"]
        var environment = ProcessInfo.processInfo.environment
        // Debian installs it where the path of most users doesn't lead.
        environment["PATH", default: "/usr/bin:/bin"] += ":/usr/sbin"
        process.environment = environment
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Waits until nginx listens.
    private static func wait(for process: Process, _ port: Int, in place: URL) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while (try? HTTPConnection(port: port)) == nil {
            guard process.isRunning, ContinuousClock.now < end else {
                let log = (try? String(contentsOf: place.appending(path: "error.log"), encoding: .utf8)) ?? ""
                throw BenchmarkFailure(
                    log.isEmpty ? "nginx isn't installed: `apt-get install nginx-light`." : "nginx: \(log)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func configuration(_ content: URL, _ port: Int, _ place: URL) -> String {
        // Without this nginx opens the files as another user, which can't enter the folder.
        let user = getuid() == 0 ? "user root;" : ""
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);" }
        return """
            \(user)
            daemon off;
            worker_processes auto;
            pid nginx.pid;
            events { worker_connections 1024; }
            http {
                \(temporary.joined(separator: "\n    "))
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000;
                server {
                    listen 127.0.0.1:\(port);
                    root "\(content.path)";
                }
            }
            """
    }
}
