// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Yams

/// Makes a scenario of the nodes of its file, and reports each error with its
/// line.
struct ScenarioReader {
    let root: Node

    init(_ root: Node) { self.root = root }

    /// - Throws: ``ScenarioFailure``.
    func scenario() throws -> Scenario {
        let fields = try Self.fields(of: root, ["name", "why", "bundle", "configuration", "steps"], "a scenario")
        guard let list = fields["steps"]?.sequence, !list.isEmpty else {
            throw ScenarioFailure("a scenario needs steps, which is a list", line: fields["steps"]?.line ?? root.line)
        }
        guard list.count <= ScenarioFile.steps else {
            throw ScenarioFailure("a scenario has at most \(ScenarioFile.steps) steps", line: root.line)
        }
        func text(_ key: String) throws -> String {
            guard let text = fields[key]?.string, !text.isEmpty, text.count <= 500 else {
                throw ScenarioFailure(
                    "a scenario needs \(key), a text of at most 500 characters", line: fields[key]?.line ?? root.line)
            }
            return text
        }
        return Scenario(
            name: try text("name"), why: try text("why"), bundleIdentifier: try text("bundle"),
            configuration: try text("configuration"), steps: try list.map(Self.step))
    }

    /// The fields of a mapping whose keys are known.
    private static func fields(of node: Node, _ known: [String]?, _ name: String) throws -> [String: Node] {
        guard let mapping = node.mapping else { throw ScenarioFailure("\(name) is a mapping", line: node.line) }
        var fields: [String: Node] = [:]
        for (key, value) in mapping {
            guard let text = key.string, known?.contains(text) != false else {
                throw ScenarioFailure(
                    "\(name) has no \(key.string ?? "such key"), but \(known?.joined(separator: ", ") ?? "texts")",
                    line: key.line)
            }
            fields[text] = value
        }
        return fields
    }

    private static func step(_ node: Node) throws -> ScenarioStep {
        let fields = try fields(of: node, nil, "a step")
        let others = ["as", "gives", "fails"]
        let actions = fields.keys.filter { !others.contains($0) }
        guard let action = actions.first, actions.count == 1, let argument = fields[action] else {
            throw ScenarioFailure(
                "a step has one action, and perhaps \(others.joined(separator: ", ")); here are \(actions.count)",
                line: node.line)
        }
        return ScenarioStep(
            line: node.line, action: try Self.action(action, argument), name: try fields["as"].map(string),
            gives: try fields["gives"].map(value), fails: try fields["fails"].map(string))
    }

    private static func action(_ name: String, _ argument: Node) throws -> ScenarioStep.Action {
        switch name {
        case "advance":
            let fields = try fields(of: argument, ["email", "by"], "advance")
            guard let email = try fields["email"].map(string), let by = try fields["by"].map(string) else {
                throw ScenarioFailure("advance needs email and by", line: argument.line)
            }
            return .advance(email: email, by: by)
        case "receiver":
            let statuses = try list(argument).map { node in
                guard let status = node.int, (200...599).contains(status) else {
                    throw ScenarioFailure("a receiver answers with statuses from 200 to 599", line: node.line)
                }
                return status
            }
            guard !statuses.isEmpty else { throw ScenarioFailure("a receiver needs a status", line: argument.line) }
            return .receiver(statuses)
        case "server": return .server(try request(argument))
        case "notifications":
            return .notifications(try list(argument).map(notification))
        default: return .call(name, try value(argument))
        }
    }

    private static func notification(_ node: Node) throws -> ExpectedNotification {
        if node.scalar != nil { return ExpectedNotification(kind: try string(node)) }
        let fields = try fields(of: node, ["type", "payload", "certificate"], "a notification")
        guard let kind = try fields["type"].map(string) else {
            throw ScenarioFailure("a notification needs its type", line: node.line)
        }
        return ExpectedNotification(
            kind: kind, payload: try fields["payload"].map(value),
            hasNewCertificate: try fields["certificate"].map(isNew))
    }

    private static func isNew(_ node: Node) throws -> Bool {
        switch try string(node) {
        case "new": return true
        case "same": return false
        default: throw ScenarioFailure("a certificate is new or same", line: node.line)
        }
    }

    private static func request(_ node: Node) throws -> ServerRequest {
        let methods = ["get", "put", "post"]
        let fields = try fields(of: node, methods + ["body"], "a request of the server")
        let named = methods.filter { fields[$0] != nil }
        guard let method = named.first, named.count == 1, let path = try fields[method].map(string),
            path.hasPrefix("/inApps/")
        else {
            throw ScenarioFailure(
                "a request has get, put or post with a path that begins with /inApps/", line: node.line)
        }
        return ServerRequest(method: method.uppercased(), path: path, body: try fields["body"].map(value))
    }

    private static func list(_ node: Node) throws -> [Node] {
        guard let list = node.sequence else { throw ScenarioFailure("here stands a list", line: node.line) }
        return Array(list)
    }

    private static func string(_ node: Node) throws -> String {
        guard let text = node.scalar?.string else { throw ScenarioFailure("here stands a text", line: node.line) }
        return text
    }

    /// The value that a node stands for by the rules of JSON: a plain `true`,
    /// `null` or `3` isn't a text.
    private static func value(_ node: Node) throws -> JSONValue {
        if let mapping = node.mapping {
            var fields: [String: JSONValue] = [:]
            for (key, item) in mapping { fields[try string(key)] = try value(item) }
            return .object(fields)
        }
        if let list = node.sequence { return .array(try list.map(value)) }
        guard let scalar = node.scalar else { throw ScenarioFailure("here stands a value", line: node.line) }
        guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
        switch scalar.string {
        case "", "~", "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        // Other numbers, such as the price 0.99, are texts in the remote control.
        case let text: return Int64(text).map(String.init) == text ? .number(text) : .string(text)
        }
    }
}

extension Node {
    /// The line of the node in its file, from 1.
    fileprivate var line: Int { mark?.line ?? 1 }
}
