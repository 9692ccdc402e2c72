/* A bot that takes more of the machine than it may, in ways that have no safe form: `taker MODE`. What it
 * takes is bounded, and all of it ends after twenty seconds. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PIECE = 16 << 20, PIECES = 64, PROCESSES = 400, FEW_PROCESSES = 24, LIFE = 20 };

static void take_memory(void) {
    for (int at = 0; at < PIECES; at++) {
        char *piece = malloc(PIECE);
        if (piece) memset(piece, at + 1, PIECE);
    }
}

static void take_files(void) {
    static char piece[PIECE];
    memset(piece, 7, sizeof piece);
    for (int at = 0; at < PIECES; at++) {
        int file = memfd_create("taken", MFD_CLOEXEC);
        if (file < 0 || write(file, piece, sizeof piece) < 0) break;
    }
}

static void take_processes(int count) {
    for (int at = 0; at < count; at++) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) {
            sleep(LIFE);
            _exit(0);
        }
    }
}

static void take_descriptors(void) {
    while (dup(0) >= 0) continue;
    take_processes(FEW_PROCESSES);
}

static void take(const char *mode) {
    if (strstr(mode, "memory")) take_memory();
    if (strstr(mode, "files")) take_files();
    if (strstr(mode, "processes")) take_processes(PROCESSES);
    if (strstr(mode, "descriptors")) take_descriptors();
    sleep(LIFE);
    _exit(0);
}

static void *take_later(void *mode) {
    take(mode);
    return NULL;
}

int main(int count, char **words) {
    static char request[1 << 20];
    size_t length = 0;
    for (ssize_t more; length + 1 < sizeof request; length += more) {
        more = read(0, request + length, sizeof request - 1 - length);
        if (more <= 0) break;
    }
    /* Before a match begins every bot is started without a request. */
    if (count < 2 || !strstr(request, "\nlegal ")) return 0;
    if (!strncmp(words[1], "headless-", strlen("headless-"))) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, take_later, words[1])) return 2;
        /* Ends this thread alone, the first one of the process. */
        syscall(SYS_exit, 0);
    }
    take(words[1]);
    return 0;
}
