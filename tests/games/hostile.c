/*
 * A module with the rules of Leduc poker, those of examples/games/leduc/c, which misbehaves in one way
 * after the first move of a game. Build it as that game is built, with one of
 *
 *   -DLOOP     never answers
 *   -DDEEP     calls itself without an end
 *   -DTRAP     divides by zero
 *   -DMEMORY   takes all the memory there is, up to 4 GiB, and fails where there is no more
 *   -DTOUCH    the same, and goes on where there is no more
 *   -DGROW     asks for no memory at all, without an end
 *   -DLONG     says that its answer has 100 MB, most of it outside of its memory
 *   -DFLOOD    answers 2 MiB, all inside of its memory
 *   -DOUTSIDE  answers at an address outside of its memory
 *   -DEDGE     answers across the end of its memory
 *   -DBYTES    answers bytes that are no UTF-8
 *   -DHOARD    takes 3 MiB in every game, and fails where there is no more
 *   -DROOM     gives a room for the call outside of its memory
 *
 * or with one of these, which no referee should start:
 *
 *   -DBIG      asks for 128 MiB from the start
 *   -DIMPORT   imports a function
 *   -DTYPE     answers with a number of 32 bits
 *   -DNOTHING  exports no function
 */

/* The functions of the honest game are not exported. */
#define export_name(name) used
#define answer honest_answer
#define room honest_room
#include "../../examples/games/leduc/c/game.c"
#undef export_name
#undef answer
#undef room

static bool is_middle(void) { return game.count[0] > 0; }

#if defined(LOOP)
static volatile bool is_never_ending = true;
#elif defined(DEEP)
static volatile int depth;
static int deep(int number) {
    depth = number;
    return depth < 0 ? 0 : deep(number + 1) + depth;
}
#elif defined(BIG)
static volatile char big[128 << 20];
#elif defined(IMPORT)
__attribute__((import_module("env"), import_name("now"))) int now(void);
#endif

/* The place and the length of an answer, as the referee reads them. */
static uint64_t packed(uint32_t start, uint32_t bytes) { return (uint64_t)start << 32 | bytes; }

/* The end of the memory, or all that can be said of it. */
static uint32_t end_of_memory(void) { return (uint32_t)__builtin_wasm_memory_size(0) << 16; }

__attribute__((unused)) static uint64_t hostile_answer(uint64_t honest) {
    (void)packed, (void)end_of_memory;
#ifdef HOARD
    static bool was_middle;
    bool is_first = is_middle() && !was_middle;
    was_middle = is_middle();
    if (is_first && __builtin_wasm_memory_grow(0, 48) == (size_t)-1) __builtin_trap();
#endif
    if (!is_middle()) return honest;
#if defined(LOOP)
    while (is_never_ending) continue;
#elif defined(DEEP)
    if (deep(0) == 1) return 0;
#elif defined(TRAP)
    volatile int hundred = 100, zero = 0;
    return (uint64_t)(hundred / zero);
#elif defined(MEMORY)
    while (__builtin_wasm_memory_grow(0, 16) != (size_t)-1) continue;
    __builtin_trap();
#elif defined(GROW)
    while (__builtin_wasm_memory_grow(0, 0) != (size_t)-1) continue;
#elif defined(TOUCH)
    while (__builtin_wasm_memory_grow(0, 16) != (size_t)-1) *(volatile char *)(end_of_memory() - 1) = 1;
#elif defined(LONG)
    return packed((uint32_t)(honest >> 32), 100000000);
#elif defined(FLOOD)
    static char flood[2 << 20];
    static const char LINE[16] = "view * pot 1 10\n";
    for (uint32_t i = 0; i < sizeof flood; i++) flood[i] = LINE[i % sizeof LINE];
    return packed((uint32_t)(uintptr_t)flood, sizeof flood);
#elif defined(OUTSIDE)
    return packed(0xffffff00, 100);
#elif defined(EDGE)
    return packed(end_of_memory() - 10, 100);
#elif defined(BYTES)
    answer_text[2] = (char)0xff;
#elif defined(BIG)
    big[1] = 1;
#elif defined(IMPORT)
    if (now() == 1) return 0;
#endif
    return honest;
}

#ifndef NOTHING
__attribute__((export_name("room"))) char *room(uint32_t bytes) {
#ifdef ROOM
    if (is_middle()) return (char *)(uintptr_t)0xffffff00;
#endif
    return honest_room(bytes);
}

#ifdef TYPE
__attribute__((export_name("answer"))) uint32_t answer(uint32_t bytes) {
    return (uint32_t)hostile_answer(honest_answer(bytes));
}
#else
__attribute__((export_name("answer"))) uint64_t answer(uint32_t bytes) {
    return hostile_answer(honest_answer(bytes));
}
#endif
#endif
