"""A proxy with TLS that cuts its connections now and then: python3 cutting_proxy.py PORT CERTIFICATE KEY CHUNKS SEED

It passes bytes on to 127.0.0.1:PORT, prints the port at which it listens, and a line for each cut. Each time it has
passed on up to CHUNKS pieces it cuts all open connections, at any place of a call: before or after the last piece.
"""

import random
import socket
import ssl
import sys
import threading

behind, certificate, key, chunks, seed = sys.argv[1:]
chance = random.Random(int(seed))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
lock = threading.Lock()
pairs = []
left = chance.randint(1, int(chunks))
cuts = 0


def is_due():
    """Counts a piece, and cuts all connections if it is the last before a cut."""
    global left, cuts
    with lock:
        left -= 1
        if left:
            return False
        left = chance.randint(1, int(chunks))
        cuts += 1
        print("cut", cuts, flush=True)
        return True


def cut():
    """Cuts all connections that are open."""
    with lock:
        open_now = [side for pair in pairs for side in pair]
    for side in open_now:
        closed(side)


def closed(side):
    """Ends a connection, without a word of TLS."""
    try:
        socket.socket.shutdown(side, socket.SHUT_RDWR)
    except OSError:
        pass


def passed(source, target):
    """Passes on what comes, until one side ends."""
    try:
        while data := source.recv(1 << 16):
            cuts_now = is_due()
            if cuts_now and chance.random() < 0.5:
                cut()
            target.sendall(data)
            if cuts_now:
                cut()
    except OSError:
        pass
    closed(source)
    closed(target)


def serve(plain):
    """A connection of a client."""
    try:
        client = context.wrap_socket(plain, server_side=True)
        server = socket.create_connection(("127.0.0.1", int(behind)), 10)
        server.settimeout(None)
    except OSError:
        plain.close()
        return
    for side in (client, server):
        side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    pair = (client, server)
    with lock:
        pairs.append(pair)
    threading.Thread(target=passed, args=(server, client), daemon=True).start()
    passed(client, server)
    with lock:
        pairs.remove(pair)


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
