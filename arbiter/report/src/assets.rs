//! The styles and scripts of a report, which are part of the program.

use std::fs;
use std::io;
use std::path::Path;

use maud::{Markup, PreEscaped};

/// The files of every report.
const FILES: [(&str, &str); 22] = [
    ("style.css", include_str!("assets/style.css")),
    ("art.css", include_str!("assets/art.css")),
    ("felt.css", include_str!("assets/felt.css")),
    ("viewer.css", include_str!("assets/viewer.css")),
    ("report.css", include_str!("assets/report.css")),
    ("stages.css", include_str!("assets/stages.css")),
    ("ceremony.css", include_str!("assets/ceremony.css")),
    ("ceremony.js", include_str!("assets/ceremony.js")),
    ("edges.js", include_str!("assets/edges.js")),
    ("contest.js", include_str!("assets/contest.js")),
    ("report.js", include_str!("assets/report.js")),
    ("games.js", include_str!("assets/games.js")),
    ("view.js", include_str!("assets/view.js")),
    ("cards.js", include_str!("assets/cards.js")),
    ("felt.js", include_str!("assets/felt.js")),
    ("motion.js", include_str!("assets/motion.js")),
    ("steps.js", include_str!("assets/steps.js")),
    ("answer.js", include_str!("assets/answer.js")),
    ("graph.js", include_str!("assets/graph.js")),
    ("notes.js", include_str!("assets/notes.js")),
    ("own.js", include_str!("assets/own.js")),
    ("viewer.js", include_str!("assets/viewer.js")),
];

/// The script that draws each game; one that is not here is drawn by `own.js`.
const GAMES: [(&str, &str); 3] = [
    ("tablic", include_str!("assets/tablic.js")),
    ("coup", include_str!("assets/coup.js")),
    ("durak", include_str!("assets/durak.js")),
];

/// The drawings that cards are put together from.
const ART: &str = include_str!("assets/art.svg");

/// The drawings of cards, which stand in each page that shows some: a page opened from disk cannot refer to those of
/// another file.
pub fn art() -> Markup {
    PreEscaped(ART.to_owned())
}

/// The script that draws a game.
pub fn drawing(game: &str) -> String {
    let own = GAMES.iter().find(|(name, _)| *name == game).map(|(name, _)| format!("{name}.js"));
    own.unwrap_or_else(|| "own.js".to_owned())
}

/// Returns the text of a style or script by its name.
pub fn find(name: &str) -> Option<&'static str> {
    let of_game = |(game, text): &(&str, &'static str)| {
        name.strip_suffix(".js").filter(|it| it == game).map(|_| *text)
    };
    let file = FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    file.or_else(|| GAMES.iter().find_map(of_game))
}

/// Writes all files below the root of a report.
pub(super) fn write(root: &Path) -> io::Result<()> {
    let folder = root.join("assets");
    fs::create_dir_all(&folder)?;
    for (name, text) in FILES {
        fs::write(folder.join(name), text)?;
    }
    for (name, text) in GAMES {
        fs::write(folder.join(format!("{name}.js")), text)?;
    }
    Ok(())
}
