//! The scripts of a report that are not about one game: the index, and the pages of the list of games.

use std::io;
use std::path::Path;

use bots::review::reviewer_of;
use games::{GameFiles, ViewKeys};
use league::replaying::RoundMarks;
use rules::GameKind;
use serde_json::json;
use series::Series;
use text::shell::word;

use crate::game_line::GameHeading;

/// The most games of a piece, and of a page of the list.
pub(super) const GAMES: usize = 100;

/// Reviews of games that a visitor asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewAvailability {
    /// There are none.
    Never,
    /// They are made when they are asked for.
    Asked {
        /// The address of reviews of one's own moves while hands are hidden, for participants of a league.
        own: Option<String>,
    },
}

/// The script that a page needs before it loads anything else. It has the path of the log, the number of
/// games, the number and the attempt of the first game of each piece, and of a custom game the keys of its
/// view that are drawn. A server that reviews games says so. In a league, games that are void or replayed have marks.
pub(super) fn index(
    series: &Series,
    log: &Path,
    games: usize,
    pieces: &[(u64, u32)],
    reviews: &ReviewAvailability,
    marks: &RoundMarks,
) -> String {
    let header = series.header();
    let mut index = json!({
        "game": header.game,
        "options": header.options,
        "names": header.players.iter().map(|player| &player.name).collect::<Vec<_>>(),
        "log": word(log),
        "games": games,
        "page": GAMES,
        "pieces": pieces,
    });
    if !marks.games.is_empty() {
        index["marks"] = json!(marks.games);
    }
    if let Some(keys) = view_keys(series.kind()) {
        index["own"] = json!(keys);
    }
    let reviewer = reviewer_of(series.kind(), &series.header().options);
    if let (ReviewAvailability::Asked { own }, Some(_)) = (reviews, reviewer) {
        index["reviews"] = json!({ "own": own });
    }
    format!("arbiter.takeIndex({index});\n")
}

/// The keys of a view that are drawn, of a custom game; all others have scripts of their own.
pub fn view_keys(kind: &GameKind) -> Option<ViewKeys> {
    let keys = || GameFiles::for_game(kind).map(|files| files.view().clone()).unwrap_or_default();
    kind.rules_id().map(|_| keys())
}

/// The script with a page of the list of games.
pub(super) fn list(page: usize, rows: &[GameHeading]) -> io::Result<String> {
    let rows = serde_json::to_string(rows)?;
    Ok(format!("arbiter.takeList({page}, {rows});\n"))
}
