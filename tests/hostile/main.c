/* The bot that attacks: `hostile FACTS single` tries every attack on its first move of a game,
 * `hostile FACTS first` and `hostile FACTS second` try every channel between each other, and
 * `hostile --list` prints them all. FACTS is a file of lines `name=value` that the test has written.
 *
 * It plays the first legal move whatever comes of it, and says on standard error, a line each, `NAME got`
 * or `NAME refused: ERROR`. Each attack runs in a process of its own and ends within two minutes.
 */
#include "hostile.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char facts[1 << 16];

const char *fact(const char *name) {
    static char values[8][PATH_MAX];
    static int next;
    char *value = values[next++ % 8];
    size_t length = strlen(name);
    value[0] = 0;
    for (const char *line = facts; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, name, length) && line[length] == '=') {
            snprintf(value, PATH_MAX, "%.*s", (int)strcspn(line + length + 1, "\n"),
                     line + length + 1);
        }
    }
    return value;
}

static pid_t parent;
static int is_last;

int keeper(void) { return parent; }

int takes_away(void) { return is_last; }

int number(const char *name) { return atoi(fact(name)); }

int is_isolated(void) { return !strcmp(fact("keeping"), "isolated"); }

int outcome(long result) { return result < 0 ? errno : GOT; }

const char *in(const char *folder, const char *name) {
    static char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

int holds(const char *path, const char *text) {
    static char content[1 << 16];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    ssize_t length = read(file, content, sizeof content);
    int failed = outcome(length);
    close(file);
    if (failed) return failed;
    return memmem(content, length, text, strlen(text)) ? GOT : ENODATA;
}

int append(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0) return errno;
    int failed = outcome(write(file, text, strlen(text)));
    close(file);
    return failed;
}

/* Reads a whole file, or as much of it as there is room for. */
static void read_all(int file, char *text, size_t room) {
    size_t length = 0;
    for (ssize_t more; length + 1 < room; length += more) {
        more = read(file, text + length, room - 1 - length);
        if (more <= 0) break;
    }
    text[length] = 0;
}

/* Tries something in a process of its own, and says what came of it. */
static void attempt(const char *name, int (*run)(void), int (*with)(int), int key) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(100);
        _exit(run ? run() : with(key));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        fprintf(stderr, "%s refused: no process\n", name);
    } else if (WIFSIGNALED(status)) {
        fprintf(stderr, "%s refused: signal %d\n", name, WTERMSIG(status));
    } else if (WEXITSTATUS(status) == GOT) {
        fprintf(stderr, "%s got\n", name);
    } else {
        fprintf(stderr, "%s refused: %s\n", name, strerror(WEXITSTATUS(status)));
    }
}

static const struct attack *const all[] = {file_attacks,   process_attacks, network_attacks,
                                           kernel_attacks, bomb_attacks,    NULL};

static void attack(void) {
    for (int group = 0; all[group]; group++) {
        for (const struct attack *it = all[group]; it->name; it++) attempt(it->name, it->run, NULL, 0);
    }
}

/* Seat 0 leaves signs, seat 1 looks for those of both bots: those of the other one were told, the own
 * ones remembered, since seats change between games. The first bot looks in the second game. */
static void talk(const char *who, int seat) {
    int own = number("key") + (strcmp(who, "first") ? 100 : 0);
    int others = number("key") + (strcmp(who, "first") ? 0 : 100);
    char name[100];
    is_last = !strcmp(who, "first");
    for (int at = 0; channels[at].name; at++) {
        const struct channel *channel = &channels[at];
        if (seat == 0) {
            snprintf(name, sizeof name, "send-%s", channel->name);
            attempt(name, NULL, channel->send, own + at);
        } else {
            snprintf(name, sizeof name, "tell-%s", channel->name);
            attempt(name, NULL, channel->look, others + at);
            snprintf(name, sizeof name, "remember-%s", channel->name);
            attempt(name, NULL, channel->look, own + at);
        }
    }
}

static void list(void) {
    for (int group = 0; all[group]; group++) {
        for (const struct attack *it = all[group]; it->name; it++) puts(it->name);
    }
    for (int at = 0; channels[at].name; at++) {
        printf("tell-%s\nremember-%s\n", channels[at].name, channels[at].name);
    }
}

/* Whether this is the first request of a game, after which the scratch folder is not empty. */
static int is_first(void) {
    return close(open("hostile-was-here", O_CREAT | O_EXCL | O_WRONLY, 0600)) == 0;
}

int main(int count, char **words) {
    static char request[1 << 20];
    if (count == 2 && !strcmp(words[1], "--list")) {
        list();
        return 0;
    }
    int file = count > 2 ? open(words[1], O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        fprintf(stderr, "hostile: expected a file of facts and a mode\n");
        return 2;
    }
    read_all(file, facts, sizeof facts);
    close(file);
    read_all(0, request, sizeof request);
    char *legal = strstr(request, "\nlegal "), *seat = strstr(request, "\nseat ");
    /* Before a match begins every bot is started without a request. */
    if (!legal || !seat) return 0;
    signal(SIGPIPE, SIG_IGN);
    parent = getppid();
    if (is_first()) {
        if (!strcmp(words[2], "single")) attack();
        else if (strcmp(words[2], "ok")) talk(words[2], atoi(seat + strlen("\nseat ")));
    }
    legal = strchr(legal + 1, '\n') + 1;
    printf("%.*s\n", (int)strcspn(legal, "\n"), legal);
    return 0;
}
