"""A small OAuth2 server on loopback: a device flow, refresh tokens, and the answers that go wrong."""

from __future__ import annotations

import http.server
import json
import threading
import urllib.parse


class Authorisation:
    """`requests` holds each form it was sent, with its path. `answers` [(status, body)] come before its own ones.

    `rotates`: each refresh gives a new refresh token and forgets the old one. `patience`: how often a device has to ask.
    """

    def __init__(self, *, refresh="refresh-1", access="access", rotates=False, expires=3600, patience=0):
        self.refresh, self.access, self.rotates, self.expires, self.patience = (
            refresh,
            access,
            rotates,
            expires,
            patience,
        )
        self.requests, self.answers, self.given = [], [], 0
        kit = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = dict(urllib.parse.parse_qsl(body))
                kit.requests.append((self.path, form))
                status, answer = kit.answers.pop(0) if kit.answers else kit._answer(self.path, form)
                raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                if status in {301, 302, 307}:
                    self.send_header("Location", f"{kit.url}/elsewhere")
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST  # noqa: N815  (http.server's name)

            def log_message(self, *_words):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, path, form):
        if path == "/device":
            return 200, {
                "device_code": "device-secret", "user_code": "LUNE-1234", "verification_uri": "https://example.org/device",
                "interval": 5, "expires_in": 900,
            }  # fmt: skip
        if form.get("grant_type", "").endswith("device_code"):
            if self.patience:
                self.patience -= 1
                return 400, {"error": "authorization_pending"}
            return 200, {"access_token": self.access, "refresh_token": self.refresh, "expires_in": self.expires}
        if form.get("refresh_token") != self.refresh:
            return 400, {"error": "invalid_grant"}
        self.given += 1
        answer = {"access_token": f"{self.access}-{self.given}", "expires_in": self.expires}
        if self.rotates:
            self.refresh = answer["refresh_token"] = f"refresh-{self.given + 1}"
        return 200, answer
