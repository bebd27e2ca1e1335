"""The backend of a platform: standard library only, besides PyJWT for the identity. It listens at three addresses, two of the
shop and one of its next version, writes their ports as a line, and reads from its first line where the gateway's keys are."""

import base64
import hashlib
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jwt

ADDRESSES = {"one": "shop", "two": "shop", "next": "shop-next"}
WEB_SOCKET_ID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PIECE = 65536
BEAT_SECONDS = 0.2
CLOSE = 8
keys = None
# How many bytes of the upload may be read, and how many were; None: all.
upload = {"allowed": 0, "taken": 0}
changed = threading.Condition()


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *parts):
        pass

    def caller(self):
        token = self.headers.get("X-Gateway-Identity", "")
        claims = jwt.decode(
            token,
            keys.get_signing_key_from_jwt(token).key,
            algorithms=["EdDSA"],
            issuer="tidegate-gateway",
            audience=ADDRESSES[self.server.name],
            options={"require": ["exp"]},
            leeway=5,
        )
        return claims["caller"]

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("X-Shop-Version", self.server.name)
        self.end_headers()
        self.wfile.write(text)

    def serve(self):
        if self.path == "/ready":
            self.answer(200, {})
            return
        try:
            caller = self.caller()
        except jwt.PyJWTError:
            self.close_connection = True
            self.answer(401, {"error": "not from the gateway"})
            return
        address = urlsplit(self.path)
        if self.headers.get("Upgrade", "").lower() == "websocket":
            self.echo_messages(caller)
        elif address.path == "/api/events":
            self.send_events(float(parse_qs(address.query)["seconds"][0]))
        elif address.path == "/api/upload":
            self.read_upload()
        else:
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.answer(200, {"at": self.server.name, "path": self.path, "headers": headers, "caller": caller})

    do_GET = do_POST = do_PUT = do_DELETE = serve

    def send_events(self, seconds):
        """Events until that time is over, the last one named end."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        until = time.monotonic() + seconds
        number = 0
        while time.monotonic() < until:
            number += 1
            self.wfile.write(b"id: %d\ndata: beat\n\n" % number)
            time.sleep(BEAT_SECONDS)
        self.wfile.write(b"event: end\ndata: %d\n\n" % number)
        self.close_connection = True

    def read_upload(self):
        """Reads no more than it may; says what came."""
        left = int(self.headers["Content-Length"])
        digest = hashlib.sha256()
        while left > 0:
            with changed:
                changed.wait_for(lambda: upload["allowed"] is None or upload["taken"] < upload["allowed"])
                most = PIECE if upload["allowed"] is None else min(PIECE, upload["allowed"] - upload["taken"])
            piece = self.rfile.read(min(left, most))
            if piece == b"":
                return
            digest.update(piece)
            left -= len(piece)
            with changed:
                upload["taken"] += len(piece)
                changed.notify_all()
        self.answer(200, {"sha256": digest.hexdigest(), "bytes": upload["taken"]})

    def echo_messages(self, caller):
        """A WebSocket (RFC 6455): first says who calls, then sends each text message back."""
        accept = hashlib.sha1((self.headers["Sec-WebSocket-Key"] + WEB_SOCKET_ID).encode()).digest()
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(accept).decode())
        self.end_headers()
        self.close_connection = True
        self.send_frame(1, caller["id"].encode())
        while True:
            head = self.rfile.read(2)
            if len(head) < 2:
                return
            length = head[1] & 0x7F
            if length > 125:
                length = int.from_bytes(self.rfile.read(2 if length == 126 else 8), "big")
            mask = self.rfile.read(4)
            text = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(length)))
            self.send_frame(head[0] & 0x0F, text)
            if head[0] & 0x0F == CLOSE:
                return

    def send_frame(self, kind, payload):
        length = len(payload)
        size = bytes([length]) if length < 126 else bytes([126]) + length.to_bytes(2, "big")
        self.wfile.write(bytes([0x80 | kind]) + size + payload)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Whoever leaves before the answer, such as a health check that is given up, is no error of the backend."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


ports = {}
for name in ADDRESSES:
    server = Server(("127.0.0.1", 0), Shop)
    server.name = name
    ports[name] = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps(ports), flush=True)
keys = jwt.PyJWKClient(sys.stdin.readline().strip())
# Each further line allows so many bytes of the upload, `all` the rest of it, and is answered with how many were read when no more
# may be; the end of the input ends the backend.
for line in sys.stdin:
    with changed:
        upload["allowed"] = None if line.strip() == "all" else int(line)
        changed.notify_all()
        if upload["allowed"] is not None:
            changed.wait_for(lambda: upload["taken"] >= upload["allowed"])
        print(upload["taken"], flush=True)
