//! The plan of a bot for each game of a long match: a function of the game's public name, so that
//! the bot, which keeps nothing from move to move, and the test agree.

/// One way to fail in a long match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The mode of the faulty bot.
    pub mode: &'static str,
    /// The verdict on it.
    pub verdict: &'static str,
}

/// The behaviour of a bot in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Answers.
    Answer,
    /// Answers, and leaves files behind that are hard to remove.
    Litter,
    /// Answers, and leaves a process behind that has left its group.
    Daemon,
    /// Fails on its first turn from this move on.
    Fail(usize, Fault),
}

/// The moves that a plan is about: the first of both players.
pub const MOVES: usize = 8;

const fn fault(mode: &'static str, verdict: &'static str) -> Fault {
    Fault { mode, verdict }
}

const QUICK: [Fault; 12] = [
    fault("silent", "no-answer"),
    fault("exit-1", "crash"),
    fault("answer-exit-3", "crash"),
    fault("answer-segv", "crash"),
    fault("answer-abort", "crash"),
    fault("killed", "crash"),
    fault("nul", "malformed"),
    fault("two-answers", "malformed"),
    fault("bad-utf8", "malformed"),
    fault("not-held", "illegal"),
    fault("huge-line", "output-limit"),
    fault("flood", "output-limit"),
];

/// These take all the time there is, so they are rare.
const SLOW: [Fault; 4] = [
    fault("sleep", "timeout"),
    fault("hang-with-daemon", "timeout"),
    fault("stderr-flood", "timeout"),
    fault("stop", "timeout"),
];

/// One in this number of faults is slow.
const RARE: u64 = 50;

/// The plan for the game with a name, which is 32 hexadecimal digits: a quarter of them fails.
pub fn plan(name: &str) -> Option<Plan> {
    let digits = |range| u64::from_str_radix(name.get(range)?, 16).ok();
    let (kind, choice, place) = (digits(0..8)?, digits(8..16)?, digits(16..24)?);
    Some(match kind % 8 {
        0 | 1 => {
            let faults: &[Fault] = if place / 8 % RARE == 0 { &SLOW } else { &QUICK };
            let fault = faults[choice as usize % faults.len()];
            Plan::Fail(place as usize % MOVES, fault)
        }
        2 => Plan::Litter,
        3 => Plan::Daemon,
        _ => Plan::Answer,
    })
}
