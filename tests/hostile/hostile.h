/* A bot of a stranger who is up to no good: what all its attacks share. */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <errno.h>
#include <stddef.h>

/* What an attack gives: nothing if it had what it wanted, otherwise the error that it met. */
enum { GOT = 0 };

/* One attack. Each runs in a process of its own, so that none changes what the next one finds. */
struct attack {
    const char *name;
    int (*run)(void);
};

/* A way to say something to another bot, or to oneself in the next game. */
struct channel {
    const char *name;
    /* Leaves a sign under a key. */
    int (*send)(int key);
    /* Looks for the sign under a key. */
    int (*look)(int key);
};

/* All of one file each; they end with one without a name. */
extern const struct attack file_attacks[], process_attacks[], network_attacks[], kernel_attacks[],
    bomb_attacks[];
extern const struct channel channels[];

/* What the test has told the bot: an empty text where it did not say. */
const char *fact(const char *name);
int number(const char *name);
/* Whether signs that are found are to be removed, because nobody looks for them afterwards. */
int takes_away(void);
/* Whether nothing but a namespace of this bot can be hurt. */
int is_isolated(void);
/* The process that has started this bot: its keeper, or the referee where there are no keepers. */
int keeper(void);
/* The error of a call that gave this, or that there was none. */
int outcome(long result);
/* Whether a file can be opened and holds a text. */
int holds(const char *path, const char *text);
/* Writes a text to the end of a file. */
int append(const char *path, const char *text);
/* A path in a folder, in a buffer that the next call uses again. */
const char *in(const char *folder, const char *name);

#endif
