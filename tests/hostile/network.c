/* Attacks by sockets: on the test, which listens, and on the world, to which nothing is sent. */
#include "hostile.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_in at_port(const char *host, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, host, &address.sin_addr);
    return address;
}

static int connect_tcp(void) {
    struct sockaddr_in address = at_port("127.0.0.1", number("tcp"));
    int one = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return one < 0 ? errno : outcome(connect(one, (void *)&address, sizeof address));
}

static int send_udp(void) {
    struct sockaddr_in address = at_port("127.0.0.1", number("udp"));
    int one = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return one < 0 ? errno
                   : outcome(sendto(one, "hello", 5, 0, (void *)&address, sizeof address));
}

/* Finds a way to an address that is nobody's; no packet leaves the machine for that. */
static int find_way_out(void) {
    struct sockaddr_in address = at_port("192.0.2.1", 9);
    int one = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return one < 0 ? errno : outcome(connect(one, (void *)&address, sizeof address));
}

/* Listens, and sees whether that can be reached. */
static int listen_tcp(void) {
    struct sockaddr_in address = at_port("127.0.0.1", 0);
    socklen_t size = sizeof address;
    int one = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (one < 0 || other < 0 || bind(one, (void *)&address, size) || listen(one, 1) ||
        getsockname(one, (void *)&address, &size)) {
        return errno;
    }
    return outcome(connect(other, (void *)&address, size));
}

static int connect_unix(const char *name, int is_abstract) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + is_abstract, sizeof address.sun_path - 1, "%s", name);
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + is_abstract + strlen(name);
    int one = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return one < 0 ? errno : outcome(connect(one, (void *)&address, size));
}

static int connect_abstract(void) { return connect_unix(fact("abstract"), 1); }
static int connect_by_path(void) { return connect_unix(fact("socket"), 0); }
static int open_packets(void) { return outcome(socket(AF_PACKET, SOCK_RAW, 0)); }
static int open_ciphers(void) { return outcome(socket(AF_ALG, SOCK_SEQPACKET, 0)); }

const struct attack network_attacks[] = {
    {"connect-to-loopback", connect_tcp},
    {"send-to-loopback", send_udp},
    {"find-way-out", find_way_out},
    {"listen", listen_tcp},
    {"connect-to-abstract-socket", connect_abstract},
    {"connect-to-socket-file", connect_by_path},
    {"open-packet-socket", open_packets},
    {"open-cipher-socket", open_ciphers},
    {0},
};
