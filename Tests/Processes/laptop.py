# SPDX-License-Identifier: Apache-2.0
"""A seller's server on the developer's machine."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Laptop:
    """A seller's server that keeps the bodies of its requests, and refuses the first `refused` ones."""

    def __init__(self, refused=0):
        self.bodies = []
        laptop = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fields = json.loads(body)
                laptop.bodies.append(fields.get("signedPayload", fields))
                self.send_response(500 if len(laptop.bodies) <= refused else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/notify"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
