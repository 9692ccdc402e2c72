/* Ways for two bots to talk, or for one to remember. A sign is whatever is there under a key. */
#include "hostile.h"

#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static const char *name_of(int key) {
    static char name[64];
    snprintf(name, sizeof name, "/hostile-%d", key);
    return name;
}

static int send_segment(int key) { return outcome(shmget(key, 1, IPC_CREAT | 0600)); }
static int look_segment(int key) {
    int found = shmget(key, 0, 0);
    return found < 0 ? errno : takes_away() ? outcome(shmctl(found, IPC_RMID, NULL)) : GOT;
}
static int send_semaphore(int key) { return outcome(semget(key, 1, IPC_CREAT | 0600)); }
static int look_semaphore(int key) {
    int found = semget(key, 0, 0);
    return found < 0 ? errno : takes_away() ? outcome(semctl(found, 0, IPC_RMID)) : GOT;
}
static int send_queue(int key) { return outcome(msgget(key, IPC_CREAT | 0600)); }
static int look_queue(int key) {
    int found = msgget(key, 0);
    return found < 0 ? errno : takes_away() ? outcome(msgctl(found, IPC_RMID, NULL)) : GOT;
}
static int send_posix_queue(int key) {
    return outcome(mq_open(name_of(key), O_CREAT | O_RDWR, 0600, NULL));
}
static int look_posix_queue(int key) {
    int found = outcome(mq_open(name_of(key), O_RDONLY));
    if (takes_away()) mq_unlink(name_of(key));
    return found;
}
static int send_posix_segment(int key) {
    return outcome(shm_open(name_of(key), O_CREAT | O_RDWR, 0600));
}
static int look_posix_segment(int key) {
    int found = outcome(shm_open(name_of(key), O_RDONLY, 0));
    if (takes_away()) shm_unlink(name_of(key));
    return found;
}

static int send_file(const char *folder, int key) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s", folder, name_of(key));
    return outcome(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}
static int look_file(const char *folder, int key) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s", folder, name_of(key));
    int found = outcome(access(path, F_OK));
    if (takes_away()) unlink(path);
    return found;
}

static int send_in_tmp(int key) { return send_file("/tmp", key); }
static int look_in_tmp(int key) { return look_file("/tmp", key); }
static int send_in_scratch(int key) { return send_file(".", key); }
static int look_in_scratch(int key) { return look_file(".", key); }
static int send_in_folder(int key) { return send_file(fact("shared"), key); }
static int look_in_folder(int key) { return look_file(fact("shared"), key); }
/* The folder above that of the bot, of which only the bot is shown. */
static int send_above(int key) { return send_file(fact("above"), key); }
static int look_above(int key) { return look_file(fact("above"), key); }

/* The folder above the scratch folder, which is not made anew; where it is the machine's, a file. */
static const char *lasting(int key) {
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/lasting-%d", fact("shared"), key);
    return is_isolated() ? "/tmp" : path;
}
static int begin(int key) {
    return is_isolated() ? GOT : outcome(open(lasting(key), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}
static int send_attribute(int key) {
    char value = key;
    int failed = begin(key);
    return failed ? failed : outcome(setxattr(lasting(key), "user.hostile", &value, 1, 0));
}
static int look_attribute(int key) {
    char value, expected = key;
    if (getxattr(lasting(key), "user.hostile", &value, 1) != 1) return errno;
    return value == expected ? GOT : ENODATA;
}
/* A time far ahead, which no reading changes. */
static int send_time(int key) {
    struct timespec times[2] = {{.tv_sec = 4000000000 + key % 1000000}, {.tv_nsec = UTIME_OMIT}};
    int failed = begin(key);
    return failed ? failed : outcome(utimensat(AT_FDCWD, lasting(key), times, 0));
}
static int look_time(int key) {
    struct stat found;
    if (stat(lasting(key), &found)) return errno;
    return found.st_atim.tv_sec == 4000000000 + key % 1000000 ? GOT : ENODATA;
}

/* The process that has started the bot, which stays for the next game. */
static int send_limit(int key) {
    struct rlimit limit;
    if (prlimit(keeper(), RLIMIT_MSGQUEUE, NULL, &limit)) return errno;
    limit.rlim_cur = key % 100000;
    return outcome(prlimit(keeper(), RLIMIT_MSGQUEUE, &limit, NULL));
}
static int look_limit(int key) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MSGQUEUE, &limit)) return errno;
    return limit.rlim_cur == (rlim_t)(key % 100000) ? GOT : ENODATA;
}

/* Leaves a process behind that has let go of everything, and does something for as long as it lives. */
static int leave_behind(void (*to_do)(int, int), int key) {
    int ready[2];
    char byte = 1;
    if (pipe(ready)) return errno;
    pid_t child = fork();
    if (child < 0) return errno;
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            close(ready[0]);
            for (int stream = 0; stream < 3; stream++) close(stream);
            alarm(50);
            to_do(key, ready[1]);
        }
        _exit(0);
    }
    close(ready[1]);
    waitpid(child, NULL, 0);
    return read(ready[0], &byte, 1) == 1 ? byte : ECHILD;
}
static void stay(int ready, long result) {
    char byte = outcome(result);
    (void)!write(ready, &byte, 1);
    if (!byte) pause();
    _exit(0);
}

static struct sockaddr_un abstract(int key) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path + 1, name_of(key));
    return address;
}
static void serve(int key, int ready) {
    struct sockaddr_un address = abstract(key);
    int one = socket(AF_UNIX, SOCK_STREAM, 0);
    stay(ready, bind(one, (void *)&address, sizeof address) ?: listen(one, 9));
}
static int send_server(int key) { return leave_behind(serve, key); }
static int look_server(int key) {
    struct sockaddr_un address = abstract(key);
    int one = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return one < 0 ? errno : outcome(connect(one, (void *)&address, sizeof address));
}

/* A byte of a file that every bot sees. */
static int program(int how) { return open("/bin/sh", how | O_CLOEXEC); }
static void hold(int key, int ready) {
    struct flock byte = {.l_type = F_RDLCK, .l_start = key, .l_len = 1};
    stay(ready, fcntl(program(O_RDONLY), F_SETLK, &byte));
}
static int send_lock(int key) { return leave_behind(hold, key); }
static int look_lock(int key) {
    struct flock byte = {.l_type = F_WRLCK, .l_start = key, .l_len = 1};
    if (fcntl(program(O_RDONLY), F_GETLK, &byte)) return errno;
    return byte.l_type == F_UNLCK ? ENODATA : GOT;
}

const struct channel channels[] = {
    {"by-segment", send_segment, look_segment},
    {"by-semaphore", send_semaphore, look_semaphore},
    {"by-queue", send_queue, look_queue},
    {"by-posix-segment", send_posix_segment, look_posix_segment},
    {"by-posix-queue", send_posix_queue, look_posix_queue},
    {"by-tmp", send_in_tmp, look_in_tmp},
    {"by-scratch", send_in_scratch, look_in_scratch},
    {"by-folder", send_in_folder, look_in_folder},
    {"by-folder-above", send_above, look_above},
    {"by-attribute", send_attribute, look_attribute},
    {"by-time", send_time, look_time},
    {"by-limit", send_limit, look_limit},
    {"by-daemon", send_server, look_server},
    {"by-lock-of-daemon", send_lock, look_lock},
    {0},
};
