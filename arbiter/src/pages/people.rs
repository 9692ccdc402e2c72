//! People among those who play, and how a log says that one of them left.

use rules::{GameRecord, Outcome, Verdict};

use crate::log::PlayerLine;
use crate::person::COMMAND;
use crate::series::Series;

/// Whether a player is a person: no bot has that command without a file beside it.
pub(super) fn is_person(player: &PlayerLine) -> bool {
    player.command == COMMAND && player.files.is_empty()
}

/// What those who play are called, one of them.
pub(super) fn called(players: &[PlayerLine]) -> &'static str {
    if players.iter().any(is_person) { "player" } else { "bot" }
}

/// The name of the person who left a game, which is void then, and not played again.
pub(super) fn left(series: &Series, game: &GameRecord) -> Option<String> {
    let Outcome::Void { .. } = game.result else { return None };
    let answer = game.inputs.last()?.answer()?;
    let player = series.players(game.game)[answer.seat];
    let name = &player.name;
    // Other answers of a person are void because the machine failed, and are asked for again.
    let has_left =
        answer.verdict == Verdict::Void && answer.detail == format!("{name} left the game");
    (is_person(player) && has_left).then(|| name.clone())
}
