//! `arbiter show`: a log as running text.

use std::io::{self, Write};
use std::path::Path;

use rules::replay::replay;
use rules::text::printable;
use rules::{GameRecord, PerSeat};

use crate::failure::Failure;
use crate::fate::fate;
use crate::report::text;
use crate::verify::{Games, NotVerified, in_game};

/// Shows one game of a log, by its number from 0, or all of them.
///
/// # Errors
///
/// Fails where there is no such game, and where the log turns out to be wrong.
pub fn run(path: &Path, wanted: Option<u64>, out: &mut dyn Write) -> Result<(), Failure> {
    let failed = |error| failure(path, error);
    let mut games = Games::open(path).map_err(failed)?;
    let mut seen = 0;
    while let Some((line, game)) = games.next_game().map_err(failed)? {
        seen += 1;
        if wanted.is_some_and(|wanted| wanted != game.game) {
            continue;
        }
        if wanted.is_none() && game.game > 0 {
            writeln!(out)?;
        }
        show_game(&games, &game, line, out)?.map_err(failed)?;
        if wanted.is_some() {
            return Ok(());
        }
    }
    match wanted {
        Some(wanted) => {
            let problem = format!("{}: no game {wanted}, it holds {seen}", path.display());
            Err(Failure::Usage(problem))
        }
        None => Ok(()),
    }
}

/// Tells a game; the inner failure is the log's, the outer one that of the output.
fn show_game(
    games: &Games,
    game: &GameRecord,
    line: usize,
    out: &mut dyn Write,
) -> io::Result<Result<(), NotVerified>> {
    let names: Vec<String> = game.seats.iter().map(|name| printable(name)).collect();
    let names = PerSeat::from(names);
    text::heading(out, game.game, &game.seats)?;
    let mut told = 0;
    let mut written = Ok(());
    let replayed = replay(games.series().setup(game, None), game, |referee| {
        if written.is_ok() {
            written = text::step(out, referee, told, &names);
        }
        told = referee.told();
    });
    written?;
    if let Err(discrepancy) = replayed {
        return Ok(Err(in_game(line, game, discrepancy).into()));
    }
    text::result(out, game, fate(game, games.series()))?;
    Ok(Ok(()))
}

fn failure(path: &Path, error: NotVerified) -> Failure {
    let shown = path.display();
    match error {
        NotVerified::Unreadable(error) => {
            Failure::Usage(format!("{shown}: cannot be read: {error}"))
        }
        wrong => Failure::Verification(format!("{shown}: {wrong}")),
    }
}
