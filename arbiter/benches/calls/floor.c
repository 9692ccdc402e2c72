/* The least that a call can cost: pipes, `vfork`, `exec`, a request, an answer, and a wait, without
 * any limit, isolation or watch. For each line of its input, which is a number of rounds, it makes
 * that many calls of a program with a request and prints how long they took in nanoseconds.
 *
 *     floor REQUEST PROGRAM [ARGUMENT]...
 *
 * Where REQUEST is `-`, there is no request, and no answer is expected on standard output.
 */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static char request[1 << 16], answer[1 << 16];
static int is_asked;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void call(char **program, size_t length) {
    int in[2], out[2], status;
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
        fail("pipe2");
    pid_t child = vfork();
    if (child < 0)
        fail("vfork");
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execve(program[0], program, environ);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    /* It fits into the pipe. */
    if (write(in[1], request, length) != (ssize_t)length)
        fail("write");
    close(in[1]);
    ssize_t found, read_so_far = 0;
    while ((found = read(out[0], answer, sizeof answer)) > 0)
        read_so_far += found;
    close(out[0]);
    if (waitpid(child, &status, 0) != child || status != 0 || (is_asked && read_so_far == 0)) {
        fprintf(stderr, "no answer of %s\n", program[0]);
        exit(1);
    }
}

int main(int count, char **words) {
    if (count < 3) {
        fprintf(stderr, "expected REQUEST PROGRAM [ARGUMENT]...\n");
        return 2;
    }
    is_asked = strcmp(words[1], "-");
    ssize_t length = 0;
    if (is_asked) {
        int file = open(words[1], O_RDONLY | O_CLOEXEC);
        length = read(file, request, sizeof request);
        if (file < 0 || length < 0)
            fail(words[1]);
    }
    long rounds;
    while (scanf("%ld", &rounds) == 1) {
        long long begun = now();
        for (long round = 0; round < rounds; round++)
            call(words + 2, (size_t)length);
        printf("%lld\n", now() - begun);
        fflush(stdout);
    }
    return 0;
}
