"""A proxy with TLS that cuts its connections now and then: python3 cutting_proxy.py PORT CERTIFICATE KEY SECONDS SEED

It passes bytes on to 127.0.0.1:PORT, prints the port at which it listens, and a line for each cut. After each pause of
up to SECONDS it cuts all open connections, at any place of a call.
"""

import random
import socket
import ssl
import sys
import threading
import time

behind, certificate, key, seconds, seed = sys.argv[1:]
chance = random.Random(int(seed))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
lock = threading.Lock()
pairs = []


def passed(source, target):
    """Passes on what comes, until one side ends."""
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for side in (source, target):
        try:
            socket.socket.shutdown(side, socket.SHUT_RDWR)
        except OSError:
            pass


def serve(plain):
    """A connection of a client."""
    try:
        client = context.wrap_socket(plain, server_side=True)
        server = socket.create_connection(("127.0.0.1", int(behind)), 10)
        server.settimeout(None)
    except OSError:
        plain.close()
        return
    with lock:
        pairs.append((client, server))
    threading.Thread(target=passed, args=(server, client), daemon=True).start()
    passed(client, server)
    with lock:
        pairs.remove((client, server))


def cut():
    """Cuts all connections again and again."""
    count = 0
    while True:
        time.sleep(chance.uniform(0, float(seconds)))
        with lock:
            open_now = [side for pair in pairs for side in pair]
        for side in open_now:
            try:
                socket.socket.shutdown(side, socket.SHUT_RDWR)
            except OSError:
                pass
        if open_now:
            count += 1
            print("cut", count, flush=True)


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=cut, daemon=True).start()
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
