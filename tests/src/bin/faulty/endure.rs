//! The two bots of a long match, in which every game is over soon.

use tests::plan::{MOVES, Plan, plan};

use crate::bot::{Bot, usage};
use crate::{answers, files, lives};

/// Does in each game what the plan says; the word is the FOLDER that litter links to.
pub(crate) fn endure(bot: &Bot) {
    let Some(number) = move_of(bot) else { return };
    let without_words = bot.with_words(&[]);
    match bot.request().value("match").and_then(plan) {
        Some(Plan::Litter) => files::litter_flat(bot),
        Some(Plan::Daemon) if number < 2 => lives::daemon(&without_words),
        Some(Plan::Fail(from, fault)) if number >= from => crate::run(fault.mode, &without_words),
        Some(Plan::Answer | Plan::Daemon | Plan::Fail(..)) => answers::ok(&without_words),
        None => usage("the game has no name"),
    }
}

/// Plays until the plan of the other one is over, then exits 1.
pub(crate) fn resign(bot: &Bot) {
    // The other one may have its turn on the last of these moves or on the one after it.
    match move_of(bot) {
        Some(number) if number <= MOVES => answers::ok(bot),
        Some(_) => lives::exit_1(bot),
        None => {}
    }
}

/// The number of the move; `None` if there is no request.
fn move_of(bot: &Bot) -> Option<usize> {
    bot.request().value("move")?.parse().ok()
}
