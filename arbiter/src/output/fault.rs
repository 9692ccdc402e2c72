//! What is shown of a bot's first fault, and the command that shows more.

use std::path::Path;

use crate::series::totals::Fault;
use crate::text::excerpt::shortened;
use crate::text::labelled::labelled;
use crate::text::shell::word;

/// How wide a label is.
const LABEL: usize = 7;

/// How many lines of standard error are shown for each bot of a tournament.
const LINES_IN_TOURNAMENT: usize = 6;

/// Lines for the one that names a fault: what the bot printed and wrote to standard error, what may
/// help, and what to type next.
pub(crate) fn details(fault: &Fault, log: Option<&Path>) -> String {
    let game = fault.game;
    let next = match log {
        Some(log) => vec![command(log, game)],
        None => vec![
            "play again with --log FILE and the seed below, then".to_owned(),
            format!("arbiter explain FILE --game {game}"),
        ],
    };
    text(fault, &fault.stderr, &next)
}

/// The same in fewer lines, since there may be many bots; the log is in the folder of a tournament.
pub(crate) fn details_in_tournament(fault: &Fault, folder: &Path) -> String {
    let stderr: Vec<&str> = fault.stderr.iter().map(String::as_str).collect();
    let stderr = shortened(&stderr, LINES_IN_TOURNAMENT);
    text(fault, &stderr, &[command(folder, fault.game)])
}

fn text(fault: &Fault, stderr: &[impl AsRef<str>], next: &[String]) -> String {
    let parts = [
        labelled("printed", LABEL, &fault.printed),
        labelled("stderr", LABEL, stderr),
        labelled("hint", LABEL, fault.hint.as_slice()),
        labelled("next", LABEL, next),
    ];
    parts.concat().iter().map(|line| format!("  {line}\n")).collect()
}

fn command(log: &Path, game: u64) -> String {
    format!("arbiter explain {} --game {game}", word(log))
}
