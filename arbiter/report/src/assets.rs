//! The styles and scripts of a report, which are part of the program.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

use maud::{Markup, PreEscaped};
use rules::Game as _;
use rules::coup::Coup;

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

/// The drawings of the cards of a game, which stand in each page that shows some: a page opened from disk cannot refer to
/// those of another file. Coup has cards of its own, and all other games the usual pack.
pub fn art(game: &str) -> Markup {
    const SYMBOL: &str = "<symbol id=\"";
    let is_drawn = |name: &str| match name.split('-').next() {
        Some("crest" | "role") => game == Coup::NAME,
        Some("suit" | "rank" | "court") => game != Coup::NAME,
        _ => true,
    };
    let mut symbols = ART.split(SYMBOL);
    let mut drawn = symbols.next().unwrap_or_default().to_owned();
    for symbol in symbols {
        let (symbol, end) =
            symbol.split_once("</svg>").map_or((symbol, ""), |(it, _)| (it, "</svg>"));
        if is_drawn(symbol.split('"').next().unwrap_or_default()) {
            drawn.push_str(SYMBOL);
            drawn.push_str(symbol);
        }
        drawn.push_str(end);
    }
    PreEscaped(drawn.lines().map(str::trim_start).collect())
}

/// The script that draws a game.
pub fn drawing(game: &str) -> String {
    let own = GAMES.iter().find(|(name, _)| *name == game).map(|(name, _)| format!("{name}.js"));
    own.unwrap_or_else(|| "own.js".to_owned())
}

/// All files by their names, as they are sent.
static SENT: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let files = FILES.iter().map(|(name, text)| ((*name).to_owned(), *text));
    let games = GAMES.iter().map(|(game, text)| (format!("{game}.js"), *text));
    let sent = |(name, text): (String, &str)| {
        let text = if name.ends_with(".js") { light(text) } else { text.to_owned() };
        (name, text)
    };
    files.chain(games).map(sent).collect()
});

/// A script without its comments and indentation, which are a fifth of it. No text in a script goes over several lines.
pub fn light(script: &str) -> String {
    let lines = script.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the text of a style or script by its name.
pub fn find(name: &str) -> Option<&'static str> {
    SENT.get(name).map(String::as_str)
}

/// Writes all files below the root of a report.
pub(super) fn write(root: &Path) -> io::Result<()> {
    let folder = root.join("assets");
    fs::create_dir_all(&folder)?;
    for (name, text) in SENT.iter() {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_sent_without_comments_and_indentation() {
        let source = "// Why.\n\"use strict\";\n\n  // More.\n  run(`a //b`);\n";
        assert_eq!(light(source), "\"use strict\";\nrun(`a //b`);\n");
        let all = FILES.iter().chain(&GAMES).filter(|(name, _)| !name.ends_with(".css"));
        for line in all.flat_map(|(_, text)| text.lines()) {
            assert!(line.matches('`').count() % 2 == 0, "a text over several lines: {line}");
        }
        assert!(find("coup.js").is_some_and(|it| it.contains("arbiter.drawings.coup")));
    }

    #[test]
    fn a_page_has_the_drawings_of_its_game_alone() {
        for (game, own, others) in [
            ("coup", "crest-duke", "court-K"),
            ("tablic", "court-K", "crest-duke"),
            ("hearts", "suit-S", "role"),
        ] {
            let art = art(game).into_string();
            let has = |name: &str| art.contains(&format!("<symbol id=\"{name}\""));
            assert!(has(own) && has("back") && !has(others), "{game}: {art}");
            assert_eq!(art.matches("<symbol").count(), art.matches("</symbol>").count(), "{art}");
            assert!(art.starts_with("<svg") && art.ends_with("</svg>"), "{art}");
        }
    }
}
